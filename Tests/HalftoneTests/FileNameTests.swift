import Basics
import Gallery
import ImageCodecs
import Network
import TestSupport
import Testing

@testable import halftone

@Suite("Names of saved pictures")
struct FileNameTests {
    private func name(title: String, url: String = "https://e.example/a/sea%20view.jpeg") -> String
    {
        let address = Address(url) ?? Address(path: "/")
        let picture = Picture(
            variants: [Picture.Variant(address: address)], page: address, title: title)
        return FileName(picture, format: .png).text
    }

    @Test("the file is named by the title, or else the URL; the extension follows the content")
    func sources() {
        #expect(name(title: "First light") == "First light.png")
        #expect(name(title: "First light.JPG") == "First light.png")
        #expect(name(title: "v1.2 draft") == "v1.2 draft.png")
        #expect(name(title: "") == "sea view.png")
        #expect(name(title: "", url: "https://e.example/") == "e.example.png")
    }

    @Test("a raw file keeps its ending, which tells its maker's format")
    func raw() throws {
        let address = Address(path: "/photos/IMG_1.CR2")
        for (title, expected) in [
            ("", "IMG_1.CR2"), ("IMG_1.CR2", "IMG_1.CR2"), ("Sea", "Sea.CR2"),
        ] {
            let picture = Picture(
                variants: [Picture.Variant(address: address)], page: address, title: title)
            #expect(FileName(picture, format: .raw).text == expected)
        }
        let other = Address(path: "/photos/7")
        let picture = Picture(variants: [Picture.Variant(address: other)], page: other, title: "")
        #expect(FileName(picture, format: .raw).text == "7.dng")
    }

    @Test(
        "a file name contains nothing hostile",
        arguments: [
            ("../../etc/passwd", "etc-passwd.png"), ("a/b\\c", "a-b-c.png"),
            (".profile", "profile.png"), ("-rf", "rf.png"), ("...", "sea view.png"),
            ("a\u{1B}[31mb\u{7}", "a [31mb.png"), ("x\u{202E}gpj.exe", "xgpj.exe.png"),
            ("a\0b", "a b.png"), ("  \n ", "sea view.png"), ("end. . ", "end.png"),
        ])
    func hostile(title: String, expected: String) {
        #expect(name(title: title) == expected)
    }

    @Test("no attack string survives in a file name, whether from a title or an address")
    func attacks() {
        for text in AttackStrings.texts {
            let url = "https://e.example/" + PercentEncoding.encode(text) + ".png"
            for name in [name(title: text), name(title: "", url: url)] {
                let harm = AttackStrings.harm(in: Array(name.utf8))
                #expect(harm == nil, "\(harm ?? ""): \(name)")
                #expect(!name.contains { "/\n\0".contains($0) } && name.hasSuffix(".png"))
            }
        }
    }

    @Test("a file name has at most 200 bytes including its number, and no partial characters")
    func length() {
        let long = String(repeating: "é", count: 500)
        let address = Address(path: "/x.png")
        let picture = Picture(
            variants: [Picture.Variant(address: address)], page: address, title: long)
        let text = FileName(picture, format: .webp).text.numbered(9999)
        #expect(text.utf8.count <= 200)
        #expect(text.utf8.count > 190)
        #expect(text.allSatisfy { "é (9).webp".contains($0) })
        let zalgo = "a" + String(repeating: "\u{301}", count: 300)
        #expect(
            name(title: zalgo) == String(String.UnicodeScalarView(zalgo.unicodeScalars.prefix(9)))
                + ".png")
    }
}
