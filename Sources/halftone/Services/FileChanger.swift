import Basics
import Browser
import Collector
import Dispatch
import Gallery
import Glibc
import ImageCodecs
import Pipeline
import Raster

/// Changes local files: nothing is overwritten, and after a failure a file is as it was.
struct FileChanger: FileChanging {
    /// The path of the trash in the user's home; nil without a home.
    let homeTrash: String?
    var queue = DispatchQueue(label: "halftone.files")

    func change(_ works: [FileWork], report: @escaping Receiver<FileReport>) {
        queue.asyncGuarded {
            var all: FileReport = ([], [], [], works.count)
            var done: Set<String> = []
            for (path, change) in works {
                all.rest -= 1
                var place: String?
                for file in files(of: path, for: change) where done.insert(file).inserted {
                    do throws(SaveError) {
                        // All files of a picture get the name that is free for the first.
                        let new = place.map { "\($0)\(file.dropFirst(path.withoutEnding.count))" }
                        let undo = try undoing(change, file, at: new)
                        let (folder, name) = undo.path.atLastSlash
                        place = place ?? "\(folder)\(name.withoutEnding)"
                        all.undoing.append(undo)
                    } catch {
                        if case .notWritten = error { all.left.append((file, change)) }
                        all.failures.append("\(file.atLastSlash.name): \(error)")
                        if place == nil { break }
                    }
                }
                report(all)
            }
        }
    }

    func isFolder(_ path: String, answer: @escaping Receiver<Bool>) {
        queue.asyncGuarded { answer(FileKind(atPath: path) == .folder) }
    }

    /// The file at `path`, and those that are one picture with it if all of them are to be changed.
    private func files(of path: String, for change: FileChange) -> [String] {
        switch change {
        case .turn, .restore, .remove: [path]
        case .trash, .copy, .move, .rename:
            [path] + FolderEntry.companions(of: path).map { "\(path.atLastSlash.folder)\($0)" }
        }
    }

    /// Waits until no file is being changed.
    func finish() { queue.sync {} }

    /// Changes a file, for a new one at `place` if that is not nil, and returns what takes that back.
    private func undoing(
        _ change: FileChange, _ path: String, at place: String?
    ) throws(SaveError) -> FileWork {
        let (folder, name) = path.atLastSlash
        guard status(path).st_mode != 0 else {
            throw .refused(
                status(folder).st_mode != 0 ? "is gone" : "is in an archive: s saves it")
        }
        switch change {
        case .trash: return try trashed(path)
        case .copy(let target):
            let copy = try put(path, at: place ?? "\(target)/\(name)", isCopy: true)
            return (copy, .remove(FileIdentity(path: copy)))
        case .move(let target):
            let place = place ?? "\(target)/\(name)"
            guard realPath(place) != realPath(path) else { throw .refused("is there already") }
            return (try put(path, at: place), .restore(path))
        case .rename(let new):
            // A hidden file would not be shown, and a dash begins other programs' options.
            if ".-".contains(new.prefix(1)) { throw .refused("‘\(new)’ begins with . or -") }
            if new.contains("/") { throw .refused("‘\(new)’ has a slash: :move is for folders") }
            let place = place ?? "\(folder)\(new)"
            if realPath(place) != nil { throw .refused("‘\(place.atLastSlash.name)’ is taken") }
            return (try put(path, at: place), .restore(path))
        case .restore(let place, let info):
            let back = try put(path, at: place)
            if let info { unlink(info.cPath) }
            return (back, .restore(path))
        case .remove(let identity):
            guard FileIdentity(path: path) == identity, unlink(path.cPath) == 0 else {
                throw .refused("has changed")
            }
            return (path, change)
        case .turn(let turn):
            let before = FileIdentity(path: path)
            // More than any picture that is shown.
            if status(path).kind == S_IFLNK { throw .refused("is a link") }
            guard let file = smallFile(path, limit: 256 << 20),
                let turned = ImageHeader.turned(file, by: turn)
            else { throw .refused("is no JPEG with room for an orientation") }
            let new = try put(path, at: "\(folder).\(name)", isCopy: true) { new, _ in
                writeAll(turned, to: new)
            }
            guard FileIdentity(path: path) == before, rename(new.cPath, path.cPath) == 0 else {
                unlink(new.cPath)
                throw .refused("has changed")
            }
            // Other programs know by its time that their thumbnails are old.
            utimes(path.cPath, nil)
            // Any turn four times is none.
            return (path, .turn(turn.followed(by: turn).followed(by: turn)))
        }
    }

    /// Moves a file, or a link itself, to `place` or the next free name, and returns its path; on another file system, or if asked to,
    /// copies its bytes, or writes others, with its times, permissions and, as far as this user may, owner.
    private func put(
        _ path: String, at place: String, isCopy: Bool = false,
        _ write: (_ new: Int32, _ old: Int32) -> Int32 = Self.copy
    ) throws(SaveError) -> String {
        let (folder, name) = place.atLastSlash
        let target = try SaveFolder(path: folder).below("")
        if !isCopy {
            do throws(SaveError) { return try target.take(path, as: name) } catch {
                guard error == SaveError(EXDEV), status(path).kind != S_IFLNK else {
                    throw error
                }
            }
        }
        guard let old = OpenFile(path) else { throw SaveError(errno) }
        let copy = try target.write(as: name) { new in
            var status = stat()
            fstat(old.descriptor, &status)
            let error = write(new, old.descriptor)
            fchown(new, status.st_uid, status.st_gid)
            fchmod(new, status.st_mode & 0o777)
            futimens(new, [status.st_atim, status.st_mtim])
            return error == 0 && old.hasChanged ? EBUSY : error
        }
        guard isCopy || unlink(path.cPath) == 0 else {
            defer { unlink(copy.cPath) }
            throw SaveError(errno)
        }
        return copy
    }

    private static func copy(to new: Int32, from old: Int32) -> Int32 {
        var count = 1
        while count > 0 { count = sendfile(new, old, nil, 1 << 30) }
        return count == 0 ? 0 : errno
    }

    /// The status of a file, or of a link itself; all zeros if it is missing.
    func status(_ path: String) -> stat { linkStatus(path) ?? stat() }
}

/// The trash of freedesktop.org's specification, version 1.0.
extension FileChanger {
    /// Moves a file, or a link itself, into the trash of its file system, never to another; returns what takes that back.
    func trashed(_ path: String) throws(SaveError) -> FileWork {
        let (folder, name) = path.atLastSlash
        let real = realPath(folder) ?? folder
        let (trash, topBytes) = try trash(for: real)
        var now = time(nil)
        var date = [CChar](repeating: 0, count: 20)
        strftime(&date, 20, "%FT%T", localtime(&now))
        let place = PercentEncoding.encode(
            "\(real)/\(name)".systemBytes.dropFirst(topBytes), keeping: "/")
        let text = "[Trash Info]\nPath=\(place)\nDeletionDate=\(String(systemName: date))\n"
        // Names in the trash mean nothing, but must leave room for the ending.
        let info = try SaveFolder(path: "\(trash)/info").write(
            as: "\(String(name.unicodeScalars.suffix(50))).trashinfo"
        ) { writeAll(text.bytes, to: $0) }
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
            if status("\(homeTrash)/").st_dev == device { return (homeTrash, 0) }
        }
        var top = folder
        while let slash = top.utf8.lastIndex(of: "/"), status("\(top[..<slash])/").st_dev == device
        {
            top = String(top[..<slash])
        }
        let shared = "\(top)/.Trash"
        let kind = S_IFDIR | S_ISVTX
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
