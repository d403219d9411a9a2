import Glibc
import TestSupport

/// A small file system in memory, mounted on a folder for as long as it is held; only root may do that.
final class Volume: Sendable {
    /// The path of its topmost folder.
    let path: String
    private let folder: ScratchFolder

    struct NotMounted: Error { var number: Int32 }

    static let canMount: Bool = {
        guard let folder = try? ScratchFolder() else { return false }
        return (try? Volume(in: folder, kilobytes: 64)) != nil
    }()

    init(in folder: ScratchFolder, kilobytes: Int) throws {
        self.folder = folder
        path = folder.path + "/volume"
        mkdir(path, 0o755)
        guard mount("none", path, "tmpfs", 0, "size=\(kilobytes)k,mode=755") == 0 else {
            throw NotMounted(number: errno)
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
