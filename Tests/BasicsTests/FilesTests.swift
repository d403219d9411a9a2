import Basics
import Glibc
import TestSupport
import Testing

/// Names and paths of files, and moving them.
@Suite("Files") struct FilesTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test("a path is split at its last slash, even before a combining mark")
    func splitting() {
        #expect("/a/b.jpg".atLastSlash == ("/a/", "b.jpg"))
        #expect("b.jpg".atLastSlash == ("", "b.jpg"))
        #expect("/a/".atLastSlash == ("/a/", ""))
        #expect("/a/\u{301}x".atLastSlash.folder == "/a/")
    }

    @Test(
        "a number stands before the ending",
        arguments: [
            ("a.jpg", "a (2).jpg"), ("/x.y/a", "/x.y/a (2)"), (".hidden", ".hidden (2)"),
            ("a.tar.gz", "a.tar (2).gz"),
        ])
    func numbering(name: String, second: String) {
        #expect(name.numbered(1) == name)
        #expect(name.numbered(2) == second)
    }

    @Test("~ is the home folder where it is known")
    func home() {
        #expect("~/x".expanded(home: "/home/me") == "/home/me/x")
        #expect("~".expanded(home: "/home/me") == "/home/me")
        #expect("~x".expanded(home: "/home/me") == "~x")
        #expect("~/x".expanded(home: "") == "~/x")
    }

    @Test("a path without links and dots; nil where there is nothing")
    func realPaths() throws {
        try scratch.write("x", to: "a/b")
        symlink(scratch.path + "/a", scratch.path + "/link")
        let real = try #require(realPath(scratch.path))
        #expect(realPath(scratch.path + "/link/../link/b") == real + "/a/b")
        #expect(realPath(scratch.path + "/c") == nil)
    }

    @Test("moving replaces nothing: no file, no link, no folder")
    func moving() throws {
        let old = try scratch.write("old", to: "old")
        try scratch.write("file", to: "file")
        mkdir(scratch.path + "/folder", 0o700)
        symlink("nowhere", scratch.path + "/link")
        for name in ["file", "folder", "link"] {
            #expect(moveFile(old, to: scratch.path + "/" + name) == EEXIST)
        }
        #expect(String(decoding: scratch.read("file"), as: UTF8.self) == "file")
        #expect(moveFile(old, to: scratch.path + "/new") == 0)
        #expect(String(decoding: scratch.read("new"), as: UTF8.self) == "old")
        #expect(access(old, F_OK) != 0)
        #expect(moveFile(old, to: scratch.path + "/other") == ENOENT)
    }

    @Test("a link is moved itself, and names need not be UTF-8")
    func linksAndNames() throws {
        let name = String(systemBytes: [0x66, 0xFF, 0x2E])
        let link = scratch.path + "/link"
        symlink("nowhere", link)
        #expect(moveFile(link, to: scratch.path + "/" + name) == 0)
        var target = [CChar](repeating: 0, count: 20)
        #expect(readlink((scratch.path + "/" + name).cPath, &target, 20) == 7)
    }

    @Test("a file counts as changed after that time, or when it is gone")
    func changes() throws {
        let path = try scratch.write("x", to: "x")
        #expect(!hasFileChanged(path, since: realtimeNanoseconds()))
        #expect(hasFileChanged(path, since: 0))
        #expect(hasFileChanged(path + "y", since: realtimeNanoseconds()))
    }
}
