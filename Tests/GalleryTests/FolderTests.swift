import Glibc
import Network
import TestSupport
import Testing

@testable import Gallery

/// Local folders with real files.
@Suite struct FolderTests {
    private let scratch: ScratchFolder
    private var root: String { scratch.path }
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 0, count: 40)

    init() throws {
        scratch = try ScratchFolder()
    }

    private func write(_ name: String, _ bytes: [UInt8] = FolderTests.jpeg) throws {
        try scratch.write(bytes, to: name)
    }

    @Test("pictures are listed in natural order, without hidden and other files")
    func pictures() throws {
        for name in ["10.jpg", "2.jpg", "B.PNG", "a.webp", ".hidden.jpg", "notes.txt", "page.html"]
        {
            try write(name)
        }
        try write("noending")
        try write("text", Array("plain".utf8))
        try write("empty.jpg", [])
        let page = try FolderReader().page(at: Address(path: root, isFolder: true))
        #expect(
            page.pictures.map(\.title)
                == ["2.jpg", "10.jpg", "a.webp", "B.PNG", "empty.jpg", "noending"])
        #expect(page.pictures[0].image == Address(path: root + "/2.jpg"))
        #expect(page.pictures[0].byteCount == 44)
        #expect(page.pictures[0].date?.hasSuffix("Z") == true)
        #expect(page.address == Address(path: root, isFolder: true))
        #expect(page.title == root.split(separator: "/").last.map(String.init))
    }

    @Test("formats with separate decoders are pictures too, by content if the name says nothing")
    func furtherFormats() throws {
        let zeros = [UInt8](repeating: 0, count: 40)
        let drawing = "<?xml version='1.0'?>\n<!-- > -->\n<!DOCTYPE svg [<!ENTITY a 'b>'>]>\n<svg/>"
        let files: [(String, [UInt8])] = [
            ("a.avif", zeros), ("b.jxl", zeros), ("c.tif", zeros), ("d.bmp", zeros),
            ("e.svg", Array(drawing.utf8)), ("f", Array("II*".utf8) + zeros),
            ("g", [0xFF, 0x0A] + zeros), ("h", Array("BM".utf8) + zeros),
            ("i", Array("<svg xmlns=''/>".utf8)), ("j.HEIC", zeros), ("k.hif", zeros),
            ("l.CR2", zeros), ("m.raf", zeros), ("n", [0, 0, 0, 24] + Array("ftypheic".utf8)),
            ("o", Array("FUJIFILMCCD-RAW".utf8)), ("p", [0, 0, 0, 24] + Array("ftypcrx ".utf8)),
            ("s.svgz", [0x1F, 0x8B, 8]), ("t", Array("II+\0".utf8) + zeros),
            ("u", Array("MM\0+".utf8) + zeros),
        ]
        for (name, bytes) in files { try write(name, bytes) }
        try write("q.svg", Array("<p><svg/></p>".utf8))
        try write("r", Array("BMW and Mercedes-Benz".utf8))
        let page = try FolderReader().page(at: Address(path: root, isFolder: true))
        #expect(page.pictures.map(\.title) == files.map(\.0))
    }

    @Test("videos and rarer stills are pictures of a folder, but not of pages")
    func furtherEndings() throws {
        let names = ["a.MP4", "b.mkv", "c.webm", "d.psd", "e.tga", "f.ico", "g.ppm", "h.jp2"]
        for name in names + ["i.m3u8", "j.ffconcat", "k.ts"] {
            try write(name, Array("text".utf8))
        }
        let page = try FolderReader().page(at: Address(path: root, isFolder: true))
        #expect(page.pictures.map(\.title) == names)
        #expect(
            page.pictures.map(\.image.videoType).prefix(4) == [
                "video/mp4", "video/mkv", "video/webm", nil,
            ])
        #expect(names.allSatisfy { !AddressHints(Address(path: "/" + $0)).looksLikePicture })
    }

    @Test("a raw file beside the camera's own JPEG is not listed, with or without -r")
    func pairs() throws {
        for name in ["1.CR2", "1.jpg", "2.dng", "3.HEIC", "3.nef", "4.raf", "4.txt", "5.JPG"] {
            try write(name)
        }
        for isRecursive in [false, true] {
            let page = try FolderReader(isRecursive: isRecursive).page(
                at: Address(path: root, isFolder: true))
            #expect(page.pictures.map(\.title) == ["1.jpg", "2.dng", "3.HEIC", "4.raf", "5.JPG"])
        }
    }

    @Test("a local file counts as the full picture; no larger one is guessed")
    func itself() throws {
        try write("a-300x200.jpg")
        let page = try FolderReader().page(at: Address(path: root, isFolder: true))
        #expect(FullSizeGuess.guesses(for: page.pictures[0]).isEmpty)
        #expect(!FullSizeGuess.guesses(for: page.pictures[0].image).isEmpty)
    }

    @Test("subfolders are albums with their first picture; those without one are omitted")
    func albums() throws {
        try write("z.jpg")
        try write("b 10/x.jpg")
        try write("b 9/deeper/1.jpg")
        try write("nothing/readme.txt")
        let page = try FolderReader().page(at: Address(path: root + "/", isFolder: true))
        #expect(page.pictures.map(\.title) == ["b 9", "b 10", "z.jpg"])
        #expect(page.pictures.map(\.kind) == [.album, .album, .picture])
        #expect(page.pictures[0].thumbnail == Address(path: root + "/b 9/deeper/1.jpg"))
        #expect(page.pictures[0].link == Address(path: root + "/b 9", isFolder: true))
    }

    @Test("a recursive folder is one gallery including subfolders; cyclic links end")
    func recursion() throws {
        for name in ["z.jpg", "b 10/x.jpg", "b 9/deeper/1.jpg", "b 9/2.jpg", "none/readme.txt"] {
            try write(name)
        }
        symlink(root, root + "/b 10/back")
        let outside = try ScratchFolder()
        _ = try outside.write([0xFF, 0xD8, 0xFF, 0xE0], to: "secret.jpg")
        symlink(outside.path, root + "/b 10/out")
        symlink(root + "/b 9", root + "/none/again")
        let page = try FolderReader(isRecursive: true).page(at: Address(path: root, isFolder: true))
        #expect(
            page.pictures.map(\.title) == ["z.jpg", "b 9/2.jpg", "b 9/deeper/1.jpg", "b 10/x.jpg"])
        #expect(page.pictures.allSatisfy { $0.kind == .picture })
    }

    @Test("consecutive picture files form one section in the given order, even if one is bad")
    func fileRuns() throws {
        for name in ["a/2.jpg", "a/b/Blüte ö.jpg", "page.html", "z.jpg"] { try write(name) }
        try write("a/empty.jpg", [])
        let parser = SourceParser(workingDirectory: root)
        let (sources, mistakes) = parser.sources([
            "a/2.jpg", "a/none.jpg", "a/empty.jpg", "a/b/Blüte ö.jpg", "page.html", "z.jpg", "a",
        ])
        #expect(mistakes.map(\.0) == ["a/none.jpg"])
        #expect(sources.map(\.argument) == ["a", "page.html", "z.jpg", "a"])
        #expect(Set(sources.map(\.address)).count == 4)
        let page = try FolderReader(sources: sources).page(at: sources[0].address)
        #expect(page.title == "a")
        #expect(page.address == sources[3].address)
        #expect(page.pictures.map(\.title) == ["2.jpg", "empty.jpg", "Blüte ö.jpg"])
        #expect(page.pictures.map(\.byteCount) == [44, 0, 44])
    }

    @Test(
        "piped input is a list, or else a single picture or page",
        arguments: [
            ("a.jpg\nb c.jpg\n", true), ("[2020] x.jpg", true), ("/\u{E4}.png\r\n", true),
            ("", true),
            ("  <!DOCTYPE html><p>", false), ("\u{FEFF}<html>", false), ("{\"a\": 1}", false),
            ("GIF89a", false), ("\u{0}\u{1}", false),
        ])
    func piped(_ text: String, _ isList: Bool) {
        #expect(SourceParser.isList(Array(text.utf8)) == isList)
    }

    @Test("an empty folder, a missing one and a file in its place are errors")
    func failures() throws {
        try write("file.txt", Array("x".utf8))
        #expect(throws: PageError.self) {
            try FolderReader().page(at: Address(path: root, isFolder: true))
        }
        let missing = #expect(throws: PageError.self) {
            try FolderReader().page(at: Address(path: root + "/none", isFolder: true))
        }
        guard case .fetch(.noSuchFile) = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        let file = #expect(throws: PageError.self) {
            try FolderReader().page(at: Address(path: root + "/file.txt", isFolder: true))
        }
        guard case .fetch(.noSuchFile) = file else {
            Issue.record("\(String(describing: file))")
            return
        }
    }

    @Test(
        "natural order compares runs of digits as numbers",
        arguments: [
            (["10.jpg", "9.jpg"], ["9.jpg", "10.jpg"]),
            (["a10b2", "a10b1", "a9b3"], ["a9b3", "a10b1", "a10b2"]),
            (["B", "a", "C"], ["a", "B", "C"]), (["1", "01", "001"], ["001", "01", "1"]),
            (["x", "x1", ""], ["", "x", "x1"]),
            (
                ["99999999999999999999999", "100000000000000000000000"],
                ["99999999999999999999999", "100000000000000000000000"]
            ),
            (["img2", "img 2", "img-2"], ["img 2", "img-2", "img2"]),
            (["1 (2).jpg", "1-2.jpg", "1.jpg"], ["1.jpg", "1 (2).jpg", "1-2.jpg"]),
        ])
    func natural(_ names: [String], _ expected: [String]) {
        #expect(names.sorted(by: NaturalOrder.precedes) == expected)
    }

    @Test(
        "timestamps become ISO dates",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"), (1_543_226_400, "2018-11-26T10:00:00Z"),
            (Int.max, "9999-12-31T23:59:59Z"),
        ])
    func dates(_ seconds: Int, _ text: String) {
        #expect(FolderEntry.isoDate(secondsSince1970: seconds) == text)
    }

    @Test("arguments become sources as documented in the manual")
    func sources() throws {
        try write("saved.html")
        try write("example.com/1.jpg")
        let parser = SourceParser(workingDirectory: root)
        func address(_ argument: String) throws -> String {
            try parser.source(argument).address.text
        }
        #expect(try address("saved.html") == Address(path: root + "/saved.html").text)
        #expect(
            try address("example.com") == Address(path: root + "/example.com", isFolder: true).text)
        #expect(try address(root) == Address(path: root, isFolder: true).text)
        #expect(try address("file://" + root) == Address(path: root, isFolder: true).text)
        #expect(try address("https://A.example/x y") == "https://a.example/x%20y")
        #expect(try address("photos.example/gallery") == "https://photos.example/gallery")
        #expect(try address("localhost:8000/x") == "http://localhost:8000/x")
        #expect(try address("127.0.0.1:8000") == "http://127.0.0.1:8000/")
        #expect(try parser.source("photos.example").argument == "photos.example")
    }

    @Test(
        "invalid arguments give a reason",
        arguments: [
            ("nowhere", SourceError.noSuchFile), ("missing.jpg", .noSuchFile),
            ("/no/such/file.png", .noSuchFile), ("a/b.example", .noSuchFile),
            ("", .empty), ("ftp://example.com/", .unsupportedScheme("ftp")),
            ("https://", .badAddress), ("http://user:word@example.com/", .withPassword),
            ("file:///no/such", .noSuchFile),
            ("../x.y", .noSuchFile), ("what is.this", .noSuchFile),
        ])
    func badSources(_ argument: String, _ error: SourceError) {
        #expect(throws: error) { try SourceParser(workingDirectory: root).source(argument) }
    }

    @Test("a Synology's thumbnails are hidden, and a drawing is no archive however it is packed")
    func hidden() throws {
        let gif = Array("GIF89a".utf8)
        for name in ["a.gif", "@eaDir/a.gif/SYNOPHOTO_THUMB_XL.jpg", "b/@eaDir/c.jpg", "b/c.gif"] {
            try scratch.write(gif, to: "nas/" + name)
        }
        let page = try FolderReader(isRecursive: true).page(
            at: Address(path: scratch.path + "/nas", isFolder: true))
        #expect(page.pictures.map(\.title) == ["a.gif", "b/c.gif"])
        let drawing = try scratch.write([0x1F, 0x8B, 8, 0], to: "nas/d.svgz")
        #expect(!FolderReader.isContainer(drawing))
    }
}
