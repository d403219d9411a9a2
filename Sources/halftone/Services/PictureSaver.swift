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
        completion: @escaping @Sendable (Result<String, SaveError>) -> Void
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
            let name = try folder.write(body, as: FileName(picture, format: format))
            guard let path = realpath(folder.path, nil) else { return name }
            defer { free(path) }
            return String(cString: path) + "/" + name
        }
    }
}

/// The folder in which pictures are saved.
///
/// A file is written under a temporary name and then linked to its final name: linking never replaces a file and follows no
/// symlink, and a partial picture is never visible.
struct SaveFolder: Sendable {
    /// The path; the folder is made when first needed, and those above it.
    let path: String

    /// Writes `bytes` into a new file and returns its name.
    ///
    /// Blocks.
    func write(_ bytes: [UInt8], as name: FileName) throws(SaveError) -> String {
        let folder = try opened()
        defer { close(folder) }
        let (file, part) = try makePart(in: folder)
        defer { unlinkat(folder, part, 0) }
        var error = writeAll(bytes, to: file)
        if error == 0, fsync(file) != 0 { error = errno }
        if close(file) != 0, error == 0 { error = errno }
        guard error == 0 else { throw Self.failure(error) }
        return try publish(part, as: name, in: folder)
    }

    private func opened() throws(SaveError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        var folder = open(path.cPath, flags)
        if folder < 0, errno == ENOENT {
            makeFolder(path, mode: 0o777)
            folder = open(path.cPath, flags)
        }
        guard folder >= 0 else { throw Self.failure(errno) }
        return folder
    }

    /// Creates an empty file with a unique temporary name.
    private func makePart(in folder: Int32) throws(SaveError) -> (file: Int32, name: String) {
        // A crashed process with the same ID may have left others.
        for number in 1...100 {
            let name = ".halftone-\(getpid())-\(number).part"
            let file = Self.create(name, in: folder)
            if file >= 0 { return (file, name) }
            guard errno == EEXIST else { break }
        }
        throw Self.failure(errno)
    }

    /// Gives the finished file the first of its names that is free.
    private func publish(
        _ part: String, as name: FileName, in folder: Int32
    ) throws(SaveError) -> String {
        for number in 1...9999 {
            let text = name.text(number: number)
            var error = linkat(folder, part, folder, text, 0) == 0 ? 0 : errno
            // FAT and some network file systems do not support hard links.
            if error == EPERM || error == EOPNOTSUPP || error == ENOSYS {
                error = Self.claim(text, for: part, in: folder)
            }
            if error == 0 { return text }
            guard error == EEXIST else { throw Self.failure(error) }
        }
        throw Self.failure(EEXIST)
    }

    /// Creates an empty file under a free name and replaces it by the finished one; returns 0 or the errno.
    private static func claim(_ name: String, for part: String, in folder: Int32) -> Int32 {
        let file = create(name, in: folder)
        guard file >= 0 else { return errno }
        close(file)
        return renameat(folder, part, folder, name) == 0 ? 0 : errno
    }

    /// Creates a file; returns a negative value and sets `errno` if the name is taken or the file cannot be created.
    private static func create(_ name: String, in folder: Int32) -> Int32 {
        openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    }

    private static func failure(_ number: Int32) -> SaveError {
        .notWritten(String(cString: strerror(number)))
    }
}

/// The name of a saved picture: a stem from its title or URL, and the extension of its actual format.
struct FileName: Hashable, Sendable {
    /// The name without extension; never empty, and safe for file systems and terminals.
    let stem: String
    /// The extension with its dot.
    let suffix: String

    /// File names may have 255 bytes; the margin is for copies on other systems.
    private static let maxBytes = 200
    /// The bytes reserved for ` (9999)`.
    private static let numberBytes = 7

    init(_ picture: Picture, format: ImageFormat) {
        suffix = "." + format.fileExtension
        let limit = Self.maxBytes - suffix.utf8.count - Self.numberBytes
        let candidates = [picture.title, picture.largest.lastPathComponent, picture.largest.host]
        stem =
            candidates.lazy.map { Self.stem($0, limit: limit) }.first { !$0.isEmpty } ?? "picture"
    }

    /// Returns the name for the `number`th picture with this stem, counted from 1.
    func text(number: Int) -> String {
        number == 1 ? stem + suffix : "\(stem) (\(number))\(suffix)"
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
