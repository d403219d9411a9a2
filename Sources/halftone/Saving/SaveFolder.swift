import Browser
import Glibc

/// The folder that pictures are saved into.
///
/// A file is written under a name of its own and then linked to the name it is to have: linking never replaces a file
/// and follows no symlink, and nobody ever sees half a picture.
struct SaveFolder: Sendable {
    /// Where it is; made, if only its last part is missing.
    let path: String

    /// Writes `bytes` into a new file and returns its name.
    ///
    /// Blocks.
    func write(_ bytes: [UInt8], as name: FileName) throws(SaveError) -> String {
        let folder = try opened()
        defer { close(folder) }
        let (file, part) = try makePart(in: folder)
        defer { unlinkat(folder, part, 0) }
        var error = Self.fill(file, with: bytes)
        if close(file) != 0, error == 0 {
            error = errno
        }
        guard error == 0 else { throw Self.failure(error) }
        return try publish(part, as: name, in: folder)
    }

    private func opened() throws(SaveError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        var folder = open(path, flags)
        if folder < 0, errno == ENOENT, mkdir(path, 0o777) == 0 {
            folder = open(path, flags)
        }
        guard folder >= 0 else { throw Self.failure(errno) }
        return folder
    }

    /// A new empty file under a name that nobody else uses.
    private func makePart(in folder: Int32) throws(SaveError) -> (file: Int32, name: String) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        // Others may be left from a crash of a process with the same number.
        for number in 1...100 {
            let name = ".halftone-\(getpid())-\(number).part"
            let file = openat(folder, name, flags, 0o666)
            if file >= 0 { return (file, name) }
            guard errno == EEXIST else { break }
        }
        throw Self.failure(errno)
    }

    /// Writes all of `bytes` through to the disk; the result is 0 or the error's number.
    private static func fill(_ file: Int32, with bytes: [UInt8]) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(file, $0) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(count)
        }
        return fsync(file) == 0 ? 0 : errno
    }

    /// Gives the finished file the first of its names that is free.
    private func publish(
        _ part: String, as name: FileName, in folder: Int32
    ) throws(SaveError) -> String {
        for number in 1...9999 {
            let text = name.text(number: number)
            var error = linkat(folder, part, folder, text, 0) == 0 ? 0 : errno
            // FAT and some network file systems know no links.
            if error == EPERM || error == EOPNOTSUPP || error == ENOSYS {
                error = Self.claim(text, for: part, in: folder)
            }
            if error == 0 { return text }
            guard error == EEXIST else { throw Self.failure(error) }
        }
        throw Self.failure(EEXIST)
    }

    /// Takes a free name with an empty file and puts the finished one in its place; the result is 0 or the error's number.
    private static func claim(_ name: String, for part: String, in folder: Int32) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(folder, name, flags, 0o666)
        guard file >= 0 else { return errno }
        close(file)
        return renameat(folder, part, folder, name) == 0 ? 0 : errno
    }

    private static func failure(_ number: Int32) -> SaveError {
        .notWritten(String(cString: strerror(number)))
    }
}

/// write(2), under a name that the method above does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
