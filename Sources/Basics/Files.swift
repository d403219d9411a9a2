import Glibc

/// The bytes of the file at `path`, a configuration or the like; nil if it cannot be read or has more than `limit` bytes.
///
/// Blocks on the disk.
public func smallFile(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let (bytes, error) = readToEnd(of: descriptor, expecting: 0, limit: limit)
    return error == 0 && bytes.count <= limit ? bytes : nil
}

/// The rest of a file that claims to have `size` bytes, and 0 or the number of the error that came between; ends beyond `limit` bytes.
///
/// The size is only a hint: the file may be growing, and those of /proc claim to be empty. Blocks.
public func readToEnd(
    of descriptor: Int32, expecting size: Int, limit: Int
) -> (bytes: [UInt8], error: Int32) {
    var (bytes, failure): ([UInt8], Int32) = ([], 0)
    // One byte more, so that the end shows itself without another chunk.
    var capacity = size + 1
    while bytes.count <= limit {
        // Less than asked for only at the end. Not filled before, which would cost as much as reading.
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

/// The names in the folder at `path` that are not hidden, at most `limit`, in no order; nil, with `errno`, if it cannot be read.
///
/// Blocks on the disk.
public func fileNames(in path: String, limit: Int) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names
}

/// Writes all of `bytes`, in as many calls of write(2) as that takes; the result is 0 or the error's number.
///
/// Blocks.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
}

/// The same of bytes in a buffer.
public func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = write(
            descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
            rest = rest.dropFirst(count)
        } else if count == 0 || errno != EINTR {
            return count == 0 ? EIO : errno
        }
    }
    return 0
}
