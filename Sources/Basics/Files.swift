import CText
import Glibc

/// Returns the contents of a small file, such as a configuration; nil if it cannot be read or is larger than `limit` bytes.
///
/// Blocks on the disk.
public func smallFile(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path.cPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Opening a FIFO that nobody writes would block; reading it finds its end.
    _ = fcntl(descriptor, F_SETFL, O_RDONLY)
    let (bytes, error) = readToEnd(of: descriptor, expecting: 0, limit: limit)
    return error == 0 && bytes.count <= limit ? bytes : nil
}

/// Reads the rest of a file, stopping once `limit` bytes are exceeded; `error` is 0 or the errno of a failed read.
///
/// The reported `size` is only a hint: the file may be growing, and files in /proc claim to be empty. Blocks.
public func readToEnd(
    of descriptor: Int32, expecting size: Int, limit: Int
) -> (bytes: [UInt8], error: Int32) {
    var bytes: [UInt8] = []
    var failure: Int32 = 0
    // One byte more, so that the end of the file is detected without another chunk.
    var capacity = size + 1
    while bytes.count <= limit {
        // A chunk is short only at the end of the file. Left uninitialised, as filling it would cost as much as reading.
        let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            while count < capacity {
                let got = read(descriptor, buffer.baseAddress.map { $0 + count }, capacity - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { return }
                count += got
            }
        }
        if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
        guard chunk.count == capacity else { break }
        capacity = max(4096, bytes.count)
    }
    return (bytes, failure)
}

/// Reads `count` bytes of a file from `start` on, or as many as can be read.
///
/// Blocks on the disk.
public func readBytes(_ count: Int, at start: Int, of descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, got in
        while got < count {
            let more = pread(
                descriptor, buffer.baseAddress.map { $0 + got }, count - got, off_t(start + got))
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { return }
            got += more
        }
    }
}

/// Returns up to `limit` names of entries, hidden ones only if `isAll`, in the folder at `path`, unordered; nil, with `errno` set, if it cannot be read.
///
/// Blocks on the disk.
public func fileNames(in path: String, limit: Int, isAll: Bool = false) -> [String]? {
    guard let folder = opendir(path.cPath) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(systemBytes: bytes.prefix { $0 != 0 })
        }
        if isAll ? name != "." && name != ".." : !name.isHiddenName { names.append(name) }
    }
    return names
}

/// Creates the folder at `path` and its missing parents with `mode`; that this failed shows when the folder is opened.
///
/// Blocks on the disk.
public func makeFolder(_ path: String, mode: UInt32) {
    let parent = String(path.atLastSlash.folder.dropLast())
    guard mkdir(path.cPath, mode) != 0, errno == ENOENT, !parent.isEmpty else { return }
    makeFolder(parent, mode: mode)
    mkdir(path.cPath, mode)
}

/// Waits until a file is on the disk, or all files of its disk, which costs less than one after the other; returns 0 or the errno.
public func synchronize(_ path: String, withOthers: Bool) -> Int32 {
    let file = open(path.cPath, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    return (withOthers ? syncfs(file) : fsync(file)) == 0 ? 0 : errno
}

extension StringProtocol {
    /// Whether files of that name are hidden, or belong to a program: metadata of a Macintosh, thumbnails of a Synology.
    public var isHiddenName: Bool { hasPrefix(".") || ["__MACOSX", "@eaDir"].contains(self) }

    /// The ending of a file's name, in lower case; empty if it has none.
    public var ending: String { split(separator: ".").dropFirst().last?.lowercased() ?? "" }

    /// Returns what precedes the first `separator` and what follows it, or the whole text and nil.
    public func halves(at separator: UInt8) -> (head: String, tail: String?) {
        // Searched by bytes: a combining mark that follows it forms one character with the separator.
        guard let place = utf8.firstIndex(of: separator) else { return (String(self), nil) }
        return (String(self[..<place]), String(self[utf8.index(after: place)...]))
    }
}

extension String {
    /// The path of a file as its folder's, with a slash at the end, and its name.
    public var atLastSlash: (folder: String, name: String) {
        // Searched by bytes: a combining mark at the start of a name forms one character with the slash.
        let start = utf8.lastIndex(of: "/").map(utf8.index(after:)) ?? startIndex
        return (String(self[..<start]), String(self[start...]))
    }

    /// Returns a typed path with the home folder for `~`, unless `home` is empty.
    public func expanded(home: String) -> String {
        !home.isEmpty && "\(self)/".hasPrefix("~/") ? home + dropFirst() : self
    }

    /// Returns the name or path for the `number`th file, counted from 1, that would have this one: `a (2).jpg`.
    public func numbered(_ number: Int) -> String {
        let (folder, name) = atLastSlash
        let point = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        return number == 1 ? self : "\(folder)\(name[..<point]) (\(number))\(name[point...])"
    }
}

/// Returns the absolute path of a file without links and dots; nil if there is no such file.
///
/// Blocks on the disk.
public func realPath(_ path: String) -> String? {
    guard let pointer = realpath(path.cPath, nil) else { return nil }
    defer { free(pointer) }
    return String(systemName: pointer)
}

/// Returns the C library's words for an errno.
public func systemReason(_ number: Int32) -> String { String(cString: strerror(number)) }

/// Creates a file; returns a negative value and sets `errno` if the name is taken, if only by a link, or the file cannot be created.
public func createFile(_ path: String, mode: UInt32 = 0o666) -> Int32 {
    open(path.cPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
}

/// Moves a file, or a link itself, to another path on the same file system without replacing anything; returns 0 or the errno.
///
/// Blocks on the disk.
public func moveFile(_ old: String, to new: String) -> Int32 {
    let from = old.cPath
    let to = new.cPath
    if renameat2(AT_FDCWD, from, AT_FDCWD, to, 1) == 0 { return 0 }
    // Some network file systems cannot do both in one step.
    guard errno == EINVAL || errno == ENOSYS else { return errno }
    if link(from, to) == 0 {
        if unlink(from) == 0 { return 0 }
    } else {
        // Others have no hard links: there an empty file claims the name.
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { return errno }
        let claim = createFile(new)
        guard claim >= 0 else { return errno }
        close(claim)
        if rename(from, to) == 0 { return 0 }
    }
    let error = errno
    unlink(to)
    return error
}

/// Writes all of `bytes`, with as many write(2) calls as needed; returns 0 or the errno.
///
/// Blocks, unless the descriptor does not, at most `patience` milliseconds for each piece (-1: for ever), after which it is ETIMEDOUT.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32, patience: Int32 = -1) -> Int32 {
    bytes.withUnsafeBytes { writeAll($0, to: descriptor, patience: patience) }
}

/// Writes all bytes of a buffer; see `writeAll(_:to:)` for an array.
public func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, patience: Int32 = -1
) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = write(
            descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
            rest = rest.dropFirst(count)
        } else if count < 0, errno == EAGAIN {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&entry, 1, patience) == 0 { return ETIMEDOUT }
        } else if count == 0 || errno != EINTR {
            return count == 0 ? EIO : errno
        }
    }
    return 0
}

/// Whether the file system at `path` is on another machine, or made by a program: other machines' changes are not told there, and memory
/// cannot be shared through its files.
///
/// Blocks on the disk.
public func isOnNetwork(_ path: String) -> Bool {
    var status = statfs()
    guard statfs(path.cPath, &status) == 0 else { return false }
    // NFS, SMB, SMB2, CIFS, FUSE, 9P, AFS, Ceph, from statfs(2) and linux/magic.h.
    return [
        0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F,
        0x00C3_6400,
    ].contains(UInt32(truncatingIfNeeded: status.f_type))
}
