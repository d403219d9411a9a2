import Archives
import Glibc

/// Any file as an archive: its list, and what is in the first entries.
@Sendable func openArchive(_ bytes: [UInt8]) {
    let path = "/dev/shm/halftone-fuzz-\(getpid())"
    guard let file = fopen(path, "wbe") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    defer { unlink(path) }
    do throws(ArchiveError) {
        let archive = try Archive(path: path, limit: 1 << 20)
        for entry in archive.entries.prefix(20) {
            requireHarmless(entry.path)
            demand(!entry.path.split(separator: "/").contains(".."), entry.path)
            if let bytes = try? archive.contents(of: entry.path) { demand(bytes.count <= 1 << 20) }
        }
    } catch {
        requireHarmless(error.description)
    }
    // As the end of one on a server.
    let directory = try? ArchiveCache(limit: 1 << 20).open(bytes, from: "server", version: "1")
    for entry in directory?.entries ?? [] {
        requireHarmless(entry.path)
        demand(directory?.part(with: entry.path)?.isEmpty == false, entry.path)
    }
}
