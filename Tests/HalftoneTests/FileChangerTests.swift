import Basics
import Browser
import Dispatch
import Glibc
import ImageCodecs
import ImageEncoders
import Raster
import TestSupport
import Testing

@testable import halftone

/// Copying, moving, renaming and turning real files, and undoing that.
@Suite("Changing files") struct FileChangerTests {
    private let scratch: ScratchFolder
    private let changer: FileChanger
    private var root: String { scratch.path }

    init() throws {
        scratch = try ScratchFolder()
        changer = FileChanger(homeTrash: scratch.path + "/home/Trash")
    }

    private func change(_ change: FileChange, _ paths: String...) -> FileReport {
        changer.report(on: paths.map { ($0, change) })
    }

    private func undo(_ report: FileReport) -> FileReport {
        changer.report(on: report.undoing.reversed())
    }

    private func text(_ name: String) -> String? {
        access(scratch.path + "/" + name, F_OK) == 0
            ? String(decoding: scratch.read(name), as: UTF8.self) : nil
    }

    private func names(_ folder: String = "") -> [String] {
        entries(of: root + "/" + folder)
    }

    private func status(_ path: String) -> stat {
        var status = stat()
        lstat(path, &status)
        return status
    }

    @Test("a copy has the contents, times and permissions, and undoing removes it")
    func copying() throws {
        let path = try scratch.write("one", to: "a/one.jpg")
        chmod(path, 0o640)
        utimensat(
            AT_FDCWD, path,
            [timespec(tv_sec: 1000, tv_nsec: 5), timespec(tv_sec: 2000, tv_nsec: 7)],
            0)
        let report = change(.copy(root + "/b/c"), path)
        #expect(report.failures == [])
        #expect(report.undoing.map(\.path) == [root + "/b/c/one.jpg"])
        let copy = status(root + "/b/c/one.jpg")
        #expect(copy.st_mode & 0o777 == 0o640)
        #expect((copy.st_mtim.tv_sec, copy.st_mtim.tv_nsec) == (2000, 7))
        #expect((copy.st_atim.tv_sec, copy.st_atim.tv_nsec) == (1000, 5))
        #expect(text("b/c/one.jpg") == "one" && text("a/one.jpg") == "one")
        #expect(undo(report).failures == [])
        #expect(names("b/c") == [])
    }

    @Test("undoing a copy removes neither a changed file nor another one")
    func changedCopy() throws {
        let path = try scratch.write("one", to: "a/one.jpg")
        let written = change(.copy(root + "/b"), path)
        try scratch.write("changed", to: "b/one.jpg")
        #expect(undo(written).failures == ["one.jpg: has changed"])
        #expect(text("b/one.jpg") == "changed")
        let replaced = change(.copy(root + "/c"), path)
        try scratch.write("one", to: "new")
        rename(root + "/new", root + "/c/one.jpg")
        #expect(undo(replaced).failures == ["one.jpg: has changed"])
        #expect(text("c/one.jpg") == "one")
    }

    @Test("moving makes the folder, keeps the very file, and is undone")
    func moving() throws {
        let path = try scratch.write("one", to: "a/one.jpg")
        let inode = status(path).st_ino
        let report = change(.move(root + "/b/c"), path)
        #expect(report.undoing.map(\.path) == [root + "/b/c/one.jpg"])
        #expect(status(root + "/b/c/one.jpg").st_ino == inode && text("a/one.jpg") == nil)
        #expect(undo(report).undoing.map(\.path) == [path])
        #expect(status(path).st_ino == inode && names("b/c") == [])
    }

    @Test("nothing in the place of a target is replaced or followed: the file gets a number")
    func conflicts() throws {
        let one = try scratch.write("one", to: "a/one.jpg")
        let other = try scratch.write("other", to: "o/one.jpg")
        try scratch.write("there", to: "b/one.jpg")
        symlink(root + "/nowhere", root + "/b/one (2).jpg")
        let copied = change(.copy(root + "/b"), one)
        let moved = change(.move(root + "/b"), other)
        #expect(text("b/one.jpg") == "there" && text("nowhere") == nil)
        #expect(text("b/one (3).jpg") == "one" && text("b/one (4).jpg") == "other")
        // The way back is not free, either.
        try scratch.write("new", to: "o/one.jpg")
        #expect(undo(moved).undoing.map(\.path) == [root + "/o/one (2).jpg"])
        #expect(text("o/one.jpg") == "new" && text("o/one (2).jpg") == "other")
        #expect(undo(copied).failures == [])
        #expect(names("b") == ["one (2).jpg", "one.jpg"])
    }

    @Test("a file is not moved to where it is, but may be copied there")
    func samePlace() throws {
        let path = try scratch.write("one", to: "a/one.jpg")
        symlink(root + "/a", root + "/same")
        for folder in ["/a", "/a/", "/a/../a", "/same"] {
            #expect(change(.move(root + folder), path).failures == ["one.jpg: is there already"])
        }
        #expect(change(.copy(root + "/a"), path).undoing.map(\.path) == [root + "/a/one (2).jpg"])
    }

    @Test("a new name is refused if it is taken or no good")
    func renaming() throws {
        let path = try scratch.write("one", to: "a/one.jpg")
        try scratch.write("two", to: "a/two.jpg")
        for (name, reason) in [
            ("two.jpg", "is taken"), (".", "begins with . or -"), ("..", "begins with . or -"),
            (".hidden", "begins with . or -"), ("-rf", "begins with . or -"),
            ("x/y.jpg", "has a slash: :move is for folders"),
            ("/tmp/x", "has a slash: :move is for folders"),
        ] {
            #expect(change(.rename(name), path).failures == ["one.jpg: ‘\(name)’ \(reason)"])
        }
        #expect(names("a") == ["one.jpg", "two.jpg"])
        let report = change(.rename("ünd 3.jpg"), path)
        #expect(report.undoing.map(\.path) == [root + "/a/ünd 3.jpg"])
        #expect(names("a") == ["two.jpg", "ünd 3.jpg"] && text("a/two.jpg") == "two")
        #expect(undo(report).failures == [])
        #expect(names("a") == ["one.jpg", "two.jpg"])
        let tooLong = String(repeating: "x", count: 300)
        #expect(
            change(.rename(tooLong), path).failures
                == ["one.jpg: cannot be written: File name too long"])
    }

    /// Writes the files of two pictures and one that looks like theirs.
    private func shoot() throws -> (jpeg: String, others: [String]) {
        for name in ["I.dng", "i.xmp", "I.JPG.xmp", "I.JPEG", "I.png", "I 2.dng", "L.mov", "I.mov"]
        {
            try scratch.write(name, to: "a/\(name)")
        }
        try scratch.write("heic", to: "a/L.HEIC")
        let others = ["I 2.dng", "I.JPEG", "I.mov", "I.png", "L.HEIC", "L.mov"]
        return (try scratch.write("jpeg", to: "a/I.JPG"), others)
    }

    @Test(
        "a raw file and side-cars go with their JPEG, into the trash, elsewhere and back; other pictures of the name stay"
    )
    func companions() throws {
        let (jpeg, others) = try shoot()
        let all = names("a")
        let own = ["I.JPG", "I.JPG.xmp", "I.dng", "I.xmp"]
        let moved = change(.move(root + "/b"), jpeg)
        #expect(moved.failures == [] && names("b") == own && names("a") == others)
        #expect(undo(moved).failures == [] && names("a") == all && names("b") == [])
        let trashed = change(.trash, jpeg)
        #expect(trashed.undoing.count == 4 && names("a") == others)
        #expect(undo(trashed).failures == [] && names("a") == all)
        #expect(change(.copy(root + "/c"), jpeg).failures == [] && names("c") == own)
        #expect(names("a") == all)
        // A film goes with its photograph, once, though both are marked.
        let live = change(.move(root + "/d"), root + "/a/L.HEIC", root + "/a/L.mov")
        #expect(live.failures == [] && live.undoing.count == 2 && live.rest == 0)
        #expect(names("d") == ["L.HEIC", "L.mov"])
    }

    @Test("two photographs of one name are two pictures, each with its side-car")
    func twoPhotographs() throws {
        for name in ["d.jpg", "d.jpeg", "d.jpg.xmp", "d.jpeg.xmp"] {
            try scratch.write("it", to: "a/" + name)
        }
        #expect(change(.move(root + "/b"), root + "/a/d.jpeg").failures == [])
        #expect(names("a") == ["d.jpg", "d.jpg.xmp"] && names("b") == ["d.jpeg", "d.jpeg.xmp"])
    }

    @Test("files that are one picture get one new name, the one that is free for the first")
    func companionNames() throws {
        let jpeg = try shoot().jpeg
        try scratch.write("there", to: "b/I.JPG")
        let moved = change(.move(root + "/b"), jpeg)
        #expect(
            names("b") == ["I (2).JPG", "I (2).JPG.xmp", "I (2).dng", "I (2).xmp", "I.JPG"])
        #expect(undo(moved).failures == [])
        #expect(change(.rename("new.jpg"), jpeg).failures == [])
        #expect(
            names("a").filter { $0.hasPrefix("new") }
                == ["new.JPG.xmp", "new.dng", "new.jpg", "new.xmp"])
        #expect(text("b/I.JPG") == "there")
    }

    @Test("what is gone and what is in an archive are told apart")
    func notThere() throws {
        try scratch.write("zip", to: "a/x.cbz")
        #expect(change(.trash, root + "/a/no.jpg").failures == ["no.jpg: is gone"])
        #expect(
            change(.trash, root + "/a/x.cbz/b/1.jpg").failures
                == ["1.jpg: is in an archive: s saves it"])
        #expect(names("a") == ["x.cbz"])
    }

    @Test("a link is moved and renamed itself; a copy has what it leads to")
    func links() throws {
        try scratch.write("one", to: "a/one.jpg")
        let link = root + "/a/link.jpg"
        symlink("one.jpg", link)
        let moved = change(.move(root + "/b"), link)
        #expect(status(root + "/b/link.jpg").st_mode & S_IFMT == S_IFLNK)
        #expect(text("a/one.jpg") == "one")
        #expect(undo(moved).failures == [])
        let renamed = change(.rename("other.jpg"), link)
        #expect(status(root + "/a/other.jpg").st_mode & S_IFMT == S_IFLNK)
        #expect(undo(renamed).failures == [])
        chmod(root + "/a/one.jpg", 0o600)
        #expect(change(.copy(root + "/c"), link).failures == [])
        #expect(status(root + "/c/link.jpg").st_mode == S_IFREG | 0o600)
        #expect(text("c/link.jpg") == "one")
    }

    @Test("names that are not UTF-8 are kept")
    func foreignNames() throws {
        let name = String(systemBytes: Array("caf".utf8) + [0xE9] + Array(".jpg".utf8))
        mkdir(root + "/a", 0o700)
        let path = root + "/a/" + name
        let file = createFile(path)
        #expect(file >= 0)
        close(file)
        let report = change(.move(root + "/b"), path)
        #expect(report.undoing.map(\.path) == [root + "/b/" + name])
        #expect(entries(of: root + "/b") == [name])
        #expect(undo(report).failures == [])
        #expect(change(.trash, path).failures == [])
        #expect(entries(of: root + "/home/Trash/files") == [name])
    }

    @Test("each failure is one line with the reason, and the other files are changed")
    func failures() throws {
        let one = try scratch.write("one", to: "a/one.jpg")
        let two = try scratch.write("two", to: "a/two.jpg")
        try scratch.write("x", to: "book.cbz")
        let missing = [root + "/a/gone.jpg", root + "/book.cbz/page.jpg"]
        let report = changer.report(
            on: ([one] + missing + [two]).map { ($0, .move(root + "/b")) })
        #expect(
            report.failures
                == ["gone.jpg: is gone", "page.jpg: is in an archive: s saves it"])
        #expect(names("b") == ["one.jpg", "two.jpg"])
        #expect(
            change(.copy(root + "/b/one.jpg"), root + "/b/two.jpg").failures
                == ["two.jpg: cannot be written: Not a directory"])
        #expect(
            change(.move("/proc/x"), root + "/b/two.jpg").failures
                == ["two.jpg: cannot be written: No such file or directory"])
        #expect(text("b/two.jpg") == "two")
    }

    @Test("to another file system a file is copied, then removed; undoing brings it back")
    func otherVolume() throws {
        guard Volume.canMount else { return }
        let volume = try Volume(in: scratch, kilobytes: 1024)
        let path = try scratch.write("one", to: "a/one.jpg")
        chmod(path, 0o604)
        utimensat(
            AT_FDCWD, path,
            [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 2000, tv_nsec: 0)],
            0)
        let report = change(.move(volume.path + "/deep/er"), path)
        #expect(report.undoing.map(\.path) == [volume.path + "/deep/er/one.jpg"])
        #expect(text("a/one.jpg") == nil)
        #expect(smallFile(volume.path + "/deep/er/one.jpg", limit: 10) == Array("one".utf8))
        #expect(status(volume.path + "/deep/er/one.jpg").st_mode == S_IFREG | 0o604)
        #expect(undo(report).failures == [])
        #expect(text("a/one.jpg") == "one" && entries(of: volume.path + "/deep/er") == [])
        #expect(status(path).st_mode == S_IFREG | 0o604 && status(path).st_mtim.tv_sec == 2000)
        symlink("one.jpg", root + "/a/link.jpg")
        #expect(
            change(.move(volume.path), root + "/a/link.jpg").failures
                == ["link.jpg: cannot be written: Invalid cross-device link"])
        #expect(names("a") == ["link.jpg", "one.jpg"] && entries(of: volume.path) == ["deep"])
    }

    @Test("a disk that fills up leaves the file where it is, and no part of it on the disk")
    func fullDisk() throws {
        guard Volume.canMount else { return }
        let volume = try Volume(in: scratch, kilobytes: 64)
        let large = try scratch.write([UInt8](repeating: 7, count: 1 << 20), to: "a/large.jpg")
        for change in [FileChange.move(volume.path), .copy(volume.path)] {
            #expect(
                changer.report(on: [(large, change)]).failures
                    == ["large.jpg: cannot be written: No space left on device"])
        }
        #expect(scratch.read("a/large.jpg").count == 1 << 20)
        #expect(entries(of: volume.path) == [])
    }

    @Test("a JPEG is turned in its place, with its permissions, and turned back")
    func turning() throws {
        let picture = PixelBuffer(
            filledWith: RGB(0x40_80C0), size: PixelSize(width: 30, height: 20))
        let tagged = try ImageEncoder.jpeg(picture, .init(orientation: 6))
        let path = try scratch.write(tagged, to: "a/one.jpg")
        chmod(path, 0o640)
        utimensat(
            AT_FDCWD, path,
            [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 2000, tv_nsec: 0)],
            0)
        let report = change(.turn(Turn(quarters: 1)), path)
        #expect(report.failures == [] && report.undoing.map(\.path) == [path])
        #expect(
            ImageHeader(of: FileBytes(scratch.read("a/one.jpg")))?.size
                == PixelSize(width: 30, height: 20))
        #expect(names("a") == ["one.jpg"])
        #expect(status(path).st_mode == S_IFREG | 0o640)
        #expect(status(path).st_mtim.tv_sec > 2000)
        #expect(undo(report).failures == [])
        #expect(scratch.read("a/one.jpg") == tagged)
        let again = change(.turn(Turn(quarters: 3, isMirrored: true)), path)
        #expect(undo(undo(again)).failures == [])
    }

    @Test("only JPEGs are turned, and no links")
    func unturned() throws {
        let picture = PixelBuffer(
            filledWith: RGB(0x40_80C0), size: PixelSize(width: 30, height: 20))
        let png = try scratch.write(ImageEncoder.png(picture), to: "a/one.png")
        try scratch.write(ImageEncoder.jpeg(picture), to: "a/one.jpg")
        symlink("one.jpg", root + "/a/link.jpg")
        let before = scratch.read("a/one.jpg")
        let report = change(.turn(Turn(quarters: 1)), png, root + "/a/link.jpg")
        #expect(
            report.failures == [
                "one.png: is no JPEG with room for an orientation", "link.jpg: is a link",
            ])
        #expect(scratch.read("a/one.jpg") == before)
        #expect(names("a") == ["link.jpg", "one.jpg", "one.png"])
    }
}

extension FileChanger {
    /// Changes files and waits for the last report.
    func report(on works: [FileWork]) -> FileReport {
        let last = Locked<FileReport>(([], [], [], 0))
        change(works) { report in last.withLock { $0 = report } }
        finish()
        return last.withLock(\.self)
    }
}

/// Returns the sorted names in a folder, hidden ones included.
func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        names.append(
            withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(systemBytes: bytes.prefix { $0 != 0 })
            })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
}
