import Basics
import Gallery
import Glibc
import ImageCodecs
import Network
import Raster
import Sandbox
import Thumbnails

/// Finds the pairs of pictures that differ, of two files or of all with the same names in two folders.
struct Comparison {
    let options: Options
    let sandbox: Sandbox?

    /// Returns the old picture, the new one and their difference for each pair that differs, and one line for each that cannot be compared.
    ///
    /// A file that is empty, or that only one folder has, is compared with nothing, as what is new is with /dev/null by git. Blocks until all is decoded.
    func run(
        _ arguments: [String], _ parser: SourceParser
    ) throws(UsageError) -> (pictures: [Picture], failures: [String]) {
        let both = try arguments.map { argument throws(UsageError) in
            try blaming(UsageError.quoted(argument)) { try parser.source(argument).address }
        }
        let paths = both.compactMap(\.filePath)
        guard both.count == 2, paths.count == 2, both[0].isFolder == both[1].isFolder else {
            throw UsageError("--compare", "needs two files or two folders")
        }
        var names: Set<Substring> = both[0].isFolder ? [] : [""]
        for (folder, path) in zip(both, paths) where folder.isFolder {
            let page = try? FolderReader(isRecursive: true).page(at: folder)
            names.formUnion(
                page?.pictures.compactMap { $0.image.filePath?.dropFirst(path.count) } ?? [])
        }
        var (pictures, failures): ([Picture], [String]) = ([], [])
        for (number, name) in names.sorted().enumerated() {
            showProgress("\(number) of \(names.count) pairs compared")
            do throws(UsageError) {
                pictures += try differing(paths.map { "\($0)\(name)" })
            } catch {
                failures.append(error.description)
            }
        }
        showProgress("")
        return (pictures, failures)
    }

    /// Returns the pictures of a pair, the difference in an unnamed file; none if they do not differ.
    private func differing(_ paths: [String]) throws(UsageError) -> [Picture] {
        let files = paths.map {
            // What is there but cannot be read is no picture.
            smallFile($0, limit: options.network.maxBytes)
                ?? (access($0.cPath, F_OK) == 0 ? [0] : [])
        }
        if files[0] == files[1], files[0] != [0] { return [] }
        var limits = DecodeLimits()
        limits.maxPixels = options.maxPixels
        let images = try zip(files, paths).map { file, path throws(UsageError) in
            try blaming(path.oneLine()) {
                file.isEmpty
                    ? nil
                    : try DecodedImage(of: file, at: path, limits: limits, sandbox: sandbox)
            }
        }
        let nothing = PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [], isOpaque: true)
        let pixels = images.map { $0?.pixels ?? nothing }
        guard let difference = PictureDifference(pixels[0], pixels[1]) else { return [] }
        func longest(_ size: PixelSize) -> Int { max(size.width, size.height) }
        let whole = images.compactMap { $0.map { longest($0.sourceSize) } }.max() ?? 0
        let box = [
            difference.columns.count, difference.rows.count,
            difference.columns.lowerBound, difference.rows.lowerBound,
        ].map {
            // A long picture was reduced.
            $0 * whole / longest(difference.picture.size)
        }
        let drawn = try StandardInput.file(difference.picture.pngFile)
        return zip(
            paths + [drawn],
            ["old", "new", "\(box[0])×\(box[1]) at \(box[2]),\(box[3]) differ"]
        ).map { path, title in
            Picture(
                variants: [Picture.Variant(address: Address(path: path))],
                page: Address(path: path), title: "\(paths[1].atLastSlash.name): \(title)".oneLine()
            )
        }
    }
}
