import Glibc

/// The bytes of the file at `path`, a configuration or the like; nil if it cannot be read or has more than `limit` bytes.
///
/// Blocks on the disk.
public func smallFile(_ path: String, limit: Int) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) {
        $1 = fread($0.baseAddress, 1, limit + 1, file)
    }
    return ferror(file) == 0 && bytes.count <= limit ? bytes : nil
}
