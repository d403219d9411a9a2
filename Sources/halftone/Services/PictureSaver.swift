import Basics
import Browser
import Dispatch
import Gallery
import Glibc
import ImageCodecs
import Network
import Pipeline

/// Saves pictures: fetches them as usual and writes them on a separate queue.
final class PictureSaver: PictureSaving {
    private let fetcher: any Fetching
    private let folder: SaveFolder
    /// Serial, so that equal names are numbered in order.
    private let queue = DispatchQueue(label: "halftone.save")

    init(fetcher: any Fetching, folder: SaveFolder) {
        self.fetcher = fetcher
        self.folder = folder
    }

    func save(
        _ picture: Picture, in chosen: String,
        completion: @escaping Receiver<Result<String, SaveError>>
    ) -> Subscription {
        let request = Request(picture.largest, for: .picture, referer: picture.largestReferer)
        let folder = chosen.isEmpty ? folder : SaveFolder(path: chosen)
        return fetcher.fetch(request, priority: .visible) { [queue] result in
            queue.asyncGuarded {
                completion(Self.write(result, of: picture, into: folder))
            }
        }
    }

    /// Waits for the file being written, which would be truncated if the process exited.
    func finish() { queue.sync {} }

    private static func write(
        _ result: Result<Response, FetchError>, of picture: Picture, into folder: SaveFolder
    ) -> Result<String, SaveError> {
        Result { () throws(SaveError) in
            let body: [UInt8]
            switch result {
            case .success(let response): body = response.body
            case .failure(let error): throw .notFetched(error.description)
            }
            guard let format = ImageFormat(sniffing: body) else { throw .noPicture }
            return try folder.write(as: FileName(picture, format: format).text) {
                writeAll(body, to: $0)
            }
        }
    }
}

/// A folder that files are put into.
///
/// A file is written under a temporary name and then given its final name without replacing another: that follows no symlink, and a
/// partial file is never visible.
struct SaveFolder: Sendable {
    /// The path; the folder is made when first needed, and those above it.
    let path: String

    /// Makes a new file, whose contents `fill` writes, returning 0 or the errno; returns its path.
    ///
    /// Blocks.
    func write(as name: String, fill: (Int32) -> Int32) throws(SaveError) -> String {
        let (file, part) = try makePart()
        defer { unlink(part.cPath) }
        var error = fill(file)
        if error == 0, fsync(file) != 0 { error = errno }
        if close(file) != 0, error == 0 { error = errno }
        guard error == 0 else { throw SaveError(error) }
        return try take(part, as: name)
    }

    /// Creates an empty file with a unique temporary name.
    private func makePart() throws(SaveError) -> (file: Int32, path: String) {
        makeFolder(path, mode: 0o777)
        // A crashed process with the same ID may have left others.
        for number in 1...100 {
            let part = "\(path)/.halftone-\(getpid())-\(number).part"
            let file = createFile(part)
            if file >= 0 { return (file, part) }
            guard errno == EEXIST else { break }
        }
        throw SaveError(errno)
    }

    /// Moves the file at `old`, on the same file system, into the folder under the first of its names that is free; returns its path.
    ///
    /// Blocks.
    func take(_ old: String, as name: String) throws(SaveError) -> String {
        makeFolder(path, mode: 0o777)
        for number in 1...9999 {
            let place = "\(realPath(path) ?? path)/\(name.numbered(number))"
            let error = moveFile(old, to: place)
            if error == 0 { return place }
            guard error == EEXIST else { throw SaveError(error) }
        }
        throw SaveError(EEXIST)
    }

}

extension SaveError {
    /// Creates the error for an errno.
    init(_ number: Int32) { self = .notWritten(systemReason(number)) }
}

/// The name of a saved picture: a stem from its title or URL, and the extension of its actual format.
struct FileName {
    /// The name; its stem is never empty, and safe for file systems and terminals.
    let text: String

    /// File names may have 255 bytes; the margin is for copies on other systems, and ` (9999)`.
    private static let maxBytes = 193

    init(_ picture: Picture, format: ImageFormat) {
        // Raw files are of one format here, and keep their own ending.
        let name = picture.largest.lastPathComponent
        let own = name.dropFirst(name.withoutPictureEnding.count)
        let suffix = format == .raw && !own.isEmpty ? String(own) : "." + format.fileExtension
        let limit = Self.maxBytes - suffix.utf8.count
        // A page is saved with the document that holds it.
        let candidates = [
            format == .pdf ? "" : picture.title, picture.largest.lastPathComponent,
            picture.largest.host,
        ]
        let stems = candidates.lazy.map { Self.stem($0, limit: limit) }
        text = (stems.first { !$0.isEmpty } ?? "picture") + suffix
    }

    /// Returns `text` as a stem: without picture extension, slashes, control or invisible characters, or leading dots and dashes.
    private static func stem(_ text: String, limit: Int) -> String {
        let words = String(String.UnicodeScalarView(text.unicodeScalars.compactMap(fit)))
            .withoutControls.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // A leading dot hides the file; a leading dash looks like an option.
        var name = words.withoutPictureEnding.drop { ". -".contains($0) }
        while let last = name.last, name.utf8.count > limit || last == "." || last == " " {
            name.removeLast()
        }
        return String(name)
    }

    private static func fit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar == "/" || scalar == "\\" { return "-" }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return " "
        case .surrogate, .privateUse, .unassigned: return nil
        default: return scalar
        }
    }
}
