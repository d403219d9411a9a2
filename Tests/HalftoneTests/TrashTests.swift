import Basics
import Browser
import Glibc
import TestSupport
import Testing

@testable import halftone

/// The trash of freedesktop.org's specification, in real folders and on another file system.
@Suite("Trash") struct TrashTests {
    private let scratch: ScratchFolder
    private let changer: FileChanger
    private var trash: String { scratch.path + "/home/.local/share/Trash" }

    init() throws {
        scratch = try ScratchFolder()
        changer = FileChanger(homeTrash: scratch.path + "/home/.local/share/Trash")
    }

    private func lines(of info: String) -> [String] {
        let bytes = smallFile(info, limit: 1 << 16) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : 0
    }

    @Test("a file goes to the home trash, with where it was and when; undoing brings it back")
    func home() throws {
        let path = try scratch.write("one", to: "my pictures/a%b ü.jpg")
        let report = changer.report(on: [(path, .trash)])
        #expect(report.failures == [])
        #expect(report.undoing.map(\.path) == [trash + "/files/a%b ü.jpg"])
        #expect(access(path, F_OK) != 0)
        #expect(mode(trash) == S_IFDIR | 0o700)
        let real = try #require(realPath(scratch.path))
        let info = lines(of: trash + "/info/a%b ü.jpg.trashinfo")
        #expect(info.count == 3)
        #expect(info.first == "[Trash Info]")
        #expect(info.dropFirst().first == "Path=\(real)/my%20pictures/a%25b%20%C3%BC.jpg")
        var (now, parts) = (time(nil), tm())
        localtime_r(&now, &parts)
        let date = info.last ?? ""
        #expect(date.wholeMatch(of: /DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil)
        #expect(date.hasPrefix("DeletionDate=\(1900 + parts.tm_year)-"))
        let back = changer.report(on: report.undoing)
        #expect(back.undoing.map(\.path) == [scratch.path + "/my pictures/a%b ü.jpg"])
        #expect(scratch.read("my pictures/a%b ü.jpg") == Array("one".utf8))
        #expect(entries(of: trash + "/files") == [] && entries(of: trash + "/info") == [])
    }

    @Test("equal names are numbered, and undoing makes the folder again")
    func conflicts() throws {
        let paths = try ["a", "b", "c"].map { try scratch.write($0, to: $0 + "/one.jpg") }
        let report = changer.report(on: paths.map { ($0, .trash) })
        #expect(
            Set(entries(of: trash + "/info"))
                == Set(entries(of: trash + "/files").map { $0 + ".trashinfo" }))
        #expect(entries(of: trash + "/files").count == 3)
        rmdir(scratch.path + "/b")
        #expect(changer.report(on: report.undoing.reversed()).failures == [])
        #expect(["a", "b", "c"].allSatisfy { scratch.read($0 + "/one.jpg") == Array($0.utf8) })
        #expect(entries(of: trash + "/info") == [])
    }

    @Test("beside a stray file in the trash another name is taken")
    func stray() throws {
        let path = try scratch.write("one", to: "one.jpg")
        try scratch.write("stray", to: "home/.local/share/Trash/files/one.jpg")
        let report = changer.report(on: [(path, .trash)])
        #expect(report.failures == [])
        let stored = try #require(report.undoing.first?.path)
        #expect(stored != trash + "/files/one.jpg" && access(stored, F_OK) == 0)
        #expect(scratch.read("home/.local/share/Trash/files/one.jpg") == Array("stray".utf8))
        #expect(entries(of: trash + "/info") == [stored.split(separator: "/").last! + ".trashinfo"])
        #expect(changer.report(on: report.undoing).failures == [])
        #expect(scratch.read("one.jpg") == Array("one".utf8))
        #expect(entries(of: trash + "/info") == [])
    }

    @Test("the longest names find room")
    func longName() throws {
        let name = String(repeating: "ü", count: 125) + ".jpg"
        let path = try scratch.write("one", to: name)
        let report = changer.report(on: [(path, .trash)])
        #expect(report.failures == [])
        #expect(entries(of: trash + "/files").first?.hasSuffix("ü.jpg") == true)
        #expect(changer.report(on: report.undoing).undoing.map(\.path) == [path])
    }

    @Test("a link is trashed itself")
    func link() throws {
        try scratch.write("one", to: "one.jpg")
        symlink(scratch.path + "/one.jpg", scratch.path + "/link.jpg")
        let report = changer.report(on: [(scratch.path + "/link.jpg", .trash)])
        #expect(mode(trash + "/files/link.jpg") & S_IFMT == S_IFLNK)
        #expect(scratch.read("one.jpg") == Array("one".utf8))
        #expect(changer.report(on: report.undoing).failures == [])
        #expect(mode(scratch.path + "/link.jpg") & S_IFMT == S_IFLNK)
    }

    /// The ways in which the topmost folder of a file system may offer a trash.
    enum Offer: CaseIterable {
        case nothing, sticky, open, linked
    }

    @Test(
        "on another file system, .Trash is used only if it is a sticky folder",
        arguments: Offer.allCases)
    func otherVolume(offer: Offer) throws {
        guard Volume.canMount else { return }
        let volume = try Volume(in: scratch, kilobytes: 256)
        let shared = volume.path + "/.Trash"
        switch offer {
        case .nothing: break
        case .sticky, .open:
            mkdir(shared, 0o777)
            chmod(shared, offer == .sticky ? 0o1777 : 0o777)
        case .linked:
            mkdir(volume.path + "/else", 0o777)
            chmod(volume.path + "/else", 0o1777)
            symlink("else", shared)
        }
        mkdir(volume.path + "/deep", 0o700)
        let path = volume.path + "/deep/o ne.jpg"
        close(createFile(path))
        let report = changer.report(on: [(path, .trash)])
        let own = offer == .sticky ? "/.Trash/\(getuid())" : "/.Trash-\(getuid())"
        #expect(report.undoing.map(\.path) == [volume.path + own + "/files/o ne.jpg"])
        #expect(mode(volume.path + own) == S_IFDIR | 0o700)
        #expect(
            lines(of: volume.path + own + "/info/o ne.jpg.trashinfo").dropFirst().first
                == "Path=deep/o%20ne.jpg")
        #expect(entries(of: volume.path + "/else") == [])
        #expect(entries(of: trash + "/files") == [])
        #expect(changer.report(on: report.undoing).undoing.map(\.path) == [path])
        #expect(entries(of: volume.path + own + "/info") == [])
    }

    @Test(
        "a trash that is a link, or another's, is refused, and the file stays",
        arguments: [true, false])
    func foreign(isLink: Bool) throws {
        guard Volume.canMount else { return }
        let volume = try Volume(in: scratch, kilobytes: 256)
        let own = volume.path + "/.Trash-\(getuid())"
        if isLink {
            mkdir(volume.path + "/else", 0o700)
            symlink("else", own)
        } else {
            mkdir(own, 0o777)
            chown(own, getuid() + 1, getgid())
        }
        let path = volume.path + "/one.jpg"
        close(createFile(path))
        #expect(
            changer.report(on: [(path, .trash)]).failures
                == ["one.jpg: there is no trash for you on its file system"])
        #expect(access(path, F_OK) == 0)
        #expect(entries(of: volume.path + "/else") == [] && entries(of: own) == [])
    }
}
