import Basics
import Glibc
import TestSupport
import Testing

@testable import Archives

/// Pages with what they show in one file.
@Suite struct WebArchiveTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func archive(_ text: String) throws -> Archive {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return try Archive(
            path: try scratch.write(lines.joined(separator: "\r\n"), to: "file"), limit: 1 << 20)
    }

    private static let mail = """
        From: <Saved by Blink>
        Subject: =?utf-8?Q?Racing?=
        MIME-Version: 1.0
        Content-Type: multipart/related;
        \ttype="text/html"; boundary="----Edge--1"

        ------Edge--1
        Content-Type: text/html; charset=utf-8
        Content-Transfer-Encoding: quoted-printable
        Content-Location: https://photos.example/a?b=1

        <img src=3D"1.png"> line that goes =
        on =+1
        ------Edge--1
        Content-Type: image/png
        Content-Transfer-Encoding: base64
        Content-Location: https://photos.example/1.png?w=300
        Content-ID: <one@x>

        iVBORw
        0KGgo=
        ------Edge--1
        Content-Type: multipart/alternative; boundary=inner

        --inner
        Content-Type: image/gif

        GIF89a
        --inner--
        ------Edge--1--
        after
        """

    @Test("a WARC file of gzip that was cut off has what is whole of it")
    func cutOffGzip() throws {
        let record = """
            WARC/1.0\r
            WARC-Type: resource\r
            WARC-Target-URI: https://a.example/NUMBER\r
            Content-Length: 3\r
            \r
            abc\r
            \r

            """
        for number in 1...3 {
            try scratch.write(record.replacing("NUMBER", with: "\(number)"), to: "record\(number)")
        }
        let path = scratch.path + "/cut.warc.gz"
        try Tool.run(
            "sh",
            [
                "-c",
                "cd '\(scratch.path)' && cat record1 | gzip > a && cat record2 | gzip >> a && cat record3 | gzip | head -c 40 >> a && mv a '\(path)'",
            ])
        let archive = try Archive(path: path, limit: 100)
        #expect(archive.entries.map(\.location) == (1...2).map { "https://a.example/\($0)" })
        #expect(archive.failure != nil)
        #expect(throws: ArchiveError.self) {
            try Archive(path: try scratch.write([0x1F, 0x8B, 8, 0, 0, 0], to: "none"), limit: 100)
        }
    }

    @Test("MHTML parts are found by address and by content ID, whatever their encoding")
    func mail() throws {
        let archive = try archive(Self.mail)
        #expect(
            archive.entries.map(\.location) == [
                "https://photos.example/a?b=1", "https://photos.example/1.png?w=300", "cid:one@x",
                "",
            ])
        #expect(archive.entries.map(\.mediaType)[..<2] == ["text/html", "image/png"])
        #expect(archive.entries[0].charset == "utf-8" && archive.isOfWeb)
        #expect(archive.entries[1].path == "photos.example/1.png?w=300")
        let contents = try archive.entries.map { try archive.contents(of: $0.path) }
        #expect(
            String(decoding: contents[0], as: UTF8.self)
                == "<img src=\"1.png\"> line that goes on +1")
        #expect(contents[1] == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(contents[2] == contents[1])
        #expect(contents[3] == Array("GIF89a".utf8))
    }

    @Test("MHTML that is truncated, endlessly nested or of another mail type is handled")
    func brokenMail() throws {
        let whole = Array(Self.mail.utf8)
        for length in stride(from: 0, to: whole.count, by: 7) {
            let path = try scratch.write(Array(whole[..<length]), to: "cut")
            guard let archive = try? Archive(path: path, limit: 100) else { continue }
            for entry in archive.entries { _ = try? archive.contents(of: entry.path) }
        }
        var nested = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b0b\n\n"
        for level in 0..<500 {
            nested += "--b\(level)b\nContent-Type: multipart/related; boundary=b\(level + 1)b\n\n"
        }
        // What is nested deeper than pages are is left as it is.
        let deep = try archive(nested)
        #expect(deep.entries.count == 1)
        #expect(try deep.contents(of: deep.entries[0].path).count > 20_000)
        #expect(!Archive.isOne(Array("MIME-Version: 1.0\nContent-Type: text/plain\n\nhi".utf8)))
    }

    @Test("MHTML beyond the size limit is refused before it is read")
    func longMail() throws {
        let head = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n\nx"
        let path = try scratch.write(head, to: "long")
        #expect(try Archive(path: path, limit: 100).entries.count == 1)
        #expect(truncate(path, 257 << 20) == 0)
        #expect(throws: ArchiveError.tooLarge(limit: 256 << 20)) {
            try Archive(path: path, limit: 100)
        }
    }

    /// A record of WARC, its head's length being that of its body.
    private static func record(_ type: String, _ location: String, _ body: [UInt8]) -> [UInt8] {
        let head = [
            "WARC/1.0", "WARC-Type: \(type)", "WARC-Target-URI: \(location)",
            "Content-Type: application/http; msgtype=response", "Content-Length: \(body.count)",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
            + Array("\r\n\r\n".utf8)
    }

    private static func answer(_ head: String, _ body: String, _ status: Int = 200) -> [UInt8] {
        Array("HTTP/1.1 \(status) OK\r\n\(head)\r\n\r\n\(body)".utf8)
    }

    private static let warc: [UInt8] = {
        let page = answer("Content-Type: text/html; charset=utf-8", "<img src=1.gif>")
        let picture = answer(
            "Content-Type: image/gif\r\nTransfer-Encoding: chunked",
            "3;x=y\r\nGIF\r\n3\r\n89a\r\n0\r\n\r\n")
        let parts = [
            record("warcinfo", "x", Array("software: test\r\n".utf8)),
            record("request", "https://photos.example/", Array("GET / HTTP/1.1\r\n\r\n".utf8)),
            record("response", "https://photos.example/", page),
            record("response", "<https://photos.example/1.gif>", picture),
            record("response", "https://photos.example/gone", answer("A: b", "no", 404)),
            record("resource", "https://photos.example/note", Array("text".utf8)),
        ]
        return Array(parts.joined())
    }()

    private func check(_ archive: Archive) throws {
        #expect(
            archive.entries.map(\.location) == [
                "https://photos.example/", "https://photos.example/1.gif",
                "https://photos.example/note",
            ])
        #expect(archive.entries.map(\.mediaType)[..<2] == ["text/html", "image/gif"])
        let contents = try archive.entries.map { try archive.contents(of: $0.path) }
        #expect(
            contents.map { String(decoding: $0, as: UTF8.self) }
                == ["<img src=1.gif>", "GIF89a", "text"])
    }

    @Test("WARC responses are listed without their headers and chunk framing")
    func records() throws {
        try check(try Archive(path: try scratch.write(Self.warc, to: "a.warc"), limit: 1 << 20))
    }

    @Test(
        "bodies in WARC are read if their chunks were joined already or have padded sizes",
        arguments: [
            ("<!doctype html>\n<img src=1.gif>", "<!doctype html>\n<img src=1.gif>"),
            ("3 \t\r\nGIF\r\n3;a\r\n89a\r\n0\r\n\r\n", "GIF89a"), ("0\r\n\r\n", ""),
        ])
    func chunks(body: String, whole: String) throws {
        let head = "Content-Type: text/html\r\nTransfer-Encoding: chunked"
        let file = Self.record("response", "http://a.example/", Self.answer(head, body))
        let archive = try Archive(path: try scratch.write(file, to: "c.warc"), limit: 1 << 20)
        let contents = try archive.contents(of: archive.entries[0].path)
        #expect(String(decoding: contents, as: UTF8.self) == whole)
    }

    @Test("compressed WARC is read; a gzip file without WARC records is rejected")
    func compressed() throws {
        let path = scratch.path + "/a.warc.gz"
        #expect(PackedFiles.write([("a", Self.warc)], to: path, as: .gzip))
        try check(try Archive(path: path, limit: 1 << 20))
        #expect(PackedFiles.write([("a", Array("<svg/>".utf8))], to: path, as: .gzip))
        #expect(throws: ArchiveError.self) { try Archive(path: path, limit: 1 << 20) }
    }

    @Test("of a compressed WARC that is cut off, what is whole is read, and the error kept")
    func cutOff() throws {
        // Nothing that a compressor could shorten to less than libarchive reads at once.
        var random = SystemRandomNumberGenerator()
        let noise = (0..<300_000).map { _ in UInt8.random(in: 0x30...0x6F, using: &random) }
        let records = (1...3).flatMap { number in
            Self.record(
                "response", "http://a.example/\(number).gif",
                Self.answer("Content-Type: image/gif", String(decoding: noise, as: UTF8.self)))
        }
        let path = scratch.path + "/cut.warc.gz"
        #expect(PackedFiles.write([("a", records)], to: path, as: .gzip))
        let whole = try #require(smallFile(path, limit: 1 << 24))
        try scratch.write(Array(whole.dropLast(50_000)), to: "cut.warc.gz")
        let archive = try Archive(path: path, limit: 1 << 24)
        #expect(archive.entries.count == 2 && archive.failure != nil)
        #expect(try archive.contents(of: archive.entries[1].path) == noise)
    }

    @Test("content that is stored decompressed under its original header is held to the limit")
    func falselyCompressed() throws {
        let answer = Self.answer("Content-Type: image/gif\r\nContent-Encoding: gzip", "GIF89a")
        let file = Self.record("response", "http://a.example/1.gif", answer)
        let path = try scratch.write(file, to: "d.warc")
        for limit in [6, 5] {
            let archive = try Archive(path: path, limit: limit)
            let contents = try? archive.contents(of: archive.entries[0].path)
            #expect(contents == (limit == 6 ? Array("GIF89a".utf8) : nil))
        }
    }

    @Test("truncated WARC and false record lengths are handled")
    func brokenRecords() throws {
        for length in stride(from: 0, to: Self.warc.count, by: 11) {
            let path = try scratch.write(Array(Self.warc[..<length]), to: "cut")
            guard let archive = try? Archive(path: path, limit: 1 << 20) else { continue }
            for entry in archive.entries { _ = try? archive.contents(of: entry.path) }
        }
        for count in ["-1", "281474976710656", "9223372036854775807", "1e9", "0"] {
            let text = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: x\r\nContent-Length: "
            let path = try scratch.write(text + count + "\r\n\r\nbody", to: "lie")
            guard let archive = try? Archive(path: path, limit: 1 << 20) else { continue }
            for entry in archive.entries {
                #expect(try archive.contents(of: entry.path).count <= 4)
            }
        }
    }
}
