import Basics
import Browser
import Collector
import Glibc

/// The trash of freedesktop.org's specification, version 1.0.
extension FileChanger {
    /// Moves a file, or a link itself, into the trash of its file system, never to another; returns what takes that back.
    func trashed(_ path: String) throws(SaveError) -> FileWork {
        let (folder, name) = path.atLastSlash
        let real = realPath(folder) ?? folder
        let (trash, topBytes) = try trash(for: real)
        var (now, date) = (time(nil), [CChar](repeating: 0, count: 20))
        strftime(&date, 20, "%FT%T", localtime(&now))
        let place = PercentEncoding.encode(
            "\(real)/\(name)".systemBytes.dropFirst(topBytes), keeping: "/")
        let text = "[Trash Info]\nPath=\(place)\nDeletionDate=\(String(systemName: date))\n"
        // Names in the trash mean nothing, but must leave room for the ending.
        let info = try SaveFolder(path: "\(trash)/info").write(
            as: String(name.unicodeScalars.suffix(50)) + ".trashinfo"
        ) { writeAll(Array(text.utf8), to: $0) }
        let stored = "\(trash)/files/" + info.atLastSlash.name.dropLast(".trashinfo".count)
        makeFolder("\(trash)/files", mode: 0o700)
        let error = moveFile(path, to: stored)
        guard error == 0 else {
            defer { unlink(info.cPath) }
            // As long as its list entry stays, another name is taken.
            if error == EEXIST { return try trashed(path) }
            throw SaveError(error)
        }
        return (stored, .restore(path, info: info))
    }

    /// Returns the trash for a folder and how many bytes its paths leave out: those of the topmost folder of its file system.
    private func trash(for folder: String) throws(SaveError) -> (path: String, topBytes: Int) {
        let device = status(folder).st_dev
        if let homeTrash {
            makeFolder(homeTrash, mode: 0o700)
            if status(homeTrash + "/").st_dev == device { return (homeTrash, 0) }
        }
        var top = folder
        while let slash = top.utf8.lastIndex(of: "/"), status(top[..<slash] + "/").st_dev == device
        {
            top = String(top[..<slash])
        }
        let (shared, kind) = ("\(top)/.Trash", S_IFDIR | S_ISVTX)
        // Anybody may make folders there, but with the sticky bit only remove their own.
        let isUsable = status(shared).st_mode & kind == kind
        for trash in (isUsable ? ["\(shared)/\(getuid())"] : []) + ["\(top)/.Trash-\(getuid())"] {
            mkdir(trash.cPath, 0o700)
            let status = status(trash)
            if status.st_mode & S_IFDIR != 0, status.st_uid == getuid() {
                return (trash, top.systemBytes.count + 1)
            }
        }
        throw .refused("there is no trash for you on its file system")
    }
}
