import Basics
import Gallery
import ImageCodecs
import Network
import TestSupport
import Testing

@testable import Collector

@Suite("Names of saved pictures")
struct NameTemplateTests {
    private func name(title: String, url: String = "https://e.example/a/sea%20view.jpeg") -> String
    {
        let address = Address(url) ?? Address(path: "/")
        let picture = Picture(
            variants: [Picture.Variant(address: address)], page: address, title: title)
        return NameTemplate.usual.path(of: SaveOrder(picture), format: .png)
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
            #expect(NameTemplate.usual.path(of: SaveOrder(picture), format: .raw) == expected)
        }
        let other = Address(path: "/photos/7")
        let picture = Picture(variants: [Picture.Variant(address: other)], page: other, title: "")
        #expect(NameTemplate.usual.path(of: SaveOrder(picture), format: .raw) == "7.dng")
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
            let url = "https://e.example/" + PercentEncoding.encode(text.utf8) + ".png"
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
        let text = NameTemplate.usual.path(of: SaveOrder(picture), format: .webp).numbered(9999)
        #expect(text.utf8.count <= 200)
        #expect(text.utf8.count > 190)
        #expect(text.allSatisfy { "é (9).webp".contains($0) })
        let zalgo = "a" + String(repeating: "\u{301}", count: 300)
        #expect(
            name(title: zalgo) == String(String.UnicodeScalarView(zalgo.unicodeScalars.prefix(9)))
                + ".png")
    }

    private func path(
        _ template: String, _ title: String = "First light", gallery: String = "Paddock",
        date: String? = nil
    ) throws -> String {
        let address = try #require(Address("https://cdn.example/7.webp"))
        let page = try #require(Address("https://photos.example/g/1"))
        var order = SaveOrder(
            Picture(
                variants: [Picture.Variant(address: address)], page: page, title: title, date: date)
        )
        (order.index, order.gallery) = (7, gallery)
        return try NameTemplate(template).path(of: order, format: .webp)
    }

    @Test(
        "a template names files and folders by what is known of a picture",
        arguments: [
            (
                "{host}/{gallery}/{index:03} {title}.{ext}",
                "photos.example/Paddock/007 First light.webp"
            ),
            ("{date:10}_{title:5}.{ext}", "2024-05-06_First.webp"), ("{name}", "First light"),
            ("{section}-{kind}", "1-picture"), ("{description}/x.{ext}", "x.webp"),
            ("a{index:2}b{index:0}{index:-1}", "a7b77"),
            ("", "First light"), ("///", "First light"), ("../../{ext}", "webp"),
            ("/etc/.{name}/..", "etc/First light/First light"),
        ])
    func templates(template: String, expected: String) throws {
        #expect(try path(template, date: "2024-05-06T07:08:09Z") == expected)
    }

    @Test("in an archive the whole path is one name, as long as any")
    func flat() throws {
        let long = String(repeating: "é", count: 90)
        let page = Address(path: "/x.png")
        let order = SaveOrder(
            Picture(variants: [.init(address: page)], page: page, title: long), gallery: long)
        let template = try NameTemplate("{gallery}/{title}.{ext}")
        let name = template.path(of: order, format: .webp, isFlat: true)
        #expect(name.utf8.count <= 193 && name.hasPrefix(long + " é") && name.hasSuffix(".webp"))
    }

    @Test("characters that FAT and NTFS refuse are replaced")
    func portable() throws {
        #expect(
            try path("{title}: {index}.{ext}", "12:30 \"What?\" <a|b*c>")
                == "12-30 -What-- -a-b-c-- 7.webp")
    }

    @Test("a template with an unknown value is refused, and the known ones are named")
    func unknown() {
        let error = #expect(throws: SaveError.self) {
            try NameTemplate("{name}/{colour:3}.{ext}")
        }
        let reason = "{colour} is not one of section, index, page, "
        #expect(
            error?.description.hasPrefix(reason) == true
                && error?.description.hasSuffix(", ext") == true)
    }

    @Test("whatever pages say, every part of a path is a harmless name below the folder")
    func hostileValues() throws {
        for text in AttackStrings.texts + ["..", "../../..", "/", "a/../b", ".", "-rf", "\\..\\"] {
            let path = try path("{gallery}/{title}/{description}{name}.{ext}", text, gallery: text)
            let harm = AttackStrings.harm(in: Array(path.utf8))
            #expect(harm == nil, "\(harm ?? ""): \(path)")
            let steps = path.split(separator: "/", omittingEmptySubsequences: false)
            #expect((1...3).contains(steps.count) && path.hasSuffix(".webp"), "\(path)")
            for step in steps {
                #expect(!step.isEmpty && !".-".contains(step.prefix(1)) && step.utf8.count <= 193)
            }
        }
        let long = String(repeating: "é", count: 300)
        #expect(
            try path("{title}/{title}{title}.{ext}", long).split(separator: "/").allSatisfy {
                $0.utf8.count <= 193 && $0.utf8.count > 180 && !$0.contains("\u{FFFD}")
            })
    }
}
