import TestSupport
import Testing

@testable import ImageCodecs

/// Camera metadata in files.
@Suite struct CameraFactsTests {
    private static let tiff = ExifBlock.camera

    /// Returns the head of a JPEG: that block, a frame header, and the start of a scan.
    private static func jpeg(_ tiff: [UInt8]) -> [UInt8] { jpeg(segments: ExifBlock.segment(tiff)) }

    private static func jpeg(segments: [UInt8]) -> [UInt8] {
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        return [0xFF, 0xD8] + segments + frame + [0xFF, 0xDA]
    }

    private static func segment(_ marker: UInt8, _ name: String, _ block: [UInt8]) -> [UInt8] {
        let payload = Array(name.utf8) + [0] + block
        return [0xFF, marker] + big(payload.count + 2, 2) + payload
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        ExifBlock.little(value, count).reversed()
    }

    private static func packet(_ rating: (attribute: String, element: String)) -> [UInt8] {
        Array(
            """
            <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"
              xmlns:xmp="http://ns.adobe.com/xap/1.0/" \(rating.attribute)>
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Reeds &amp; ice</rdf:li>
              <rdf:li xml:lang="de">Schilf</rdf:li></rdf:Alt></dc:title>
            <dc:subject><rdf:Bag> <rdf:li>winter</rdf:li> <rdf:li>lake\u{7F}</rdf:li> </rdf:Bag></dc:subject>
            \(rating.element)</rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    /// Returns a Photoshop block with a resource before the one with IPTC records.
    private static func records(_ records: [(kind: Int, text: String)]) -> [UInt8] {
        var data: [UInt8] = []
        for record in records {
            data += [0x1C] + big(record.kind, 2) + big(record.text.utf8.count, 2)
            data += Array(record.text.utf8)
        }
        let mark = Array("8BIM".utf8)
        var block: [UInt8] = mark + big(0x03ED, 2)
        block += [3, 0x61, 0x62, 0x63] + big(3, 4) + [1, 2, 3, 0]
        block += mark + big(0x0404, 2) + [0, 0]
        return block + big(data.count, 4) + data
    }

    private static func png(_ packet: [UInt8]) -> [UInt8] {
        var file = "\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8($0.value) }
        file += big(13, 4) + Array("IHDR".utf8)
        file += big(8, 4) + big(8, 4) + [8, 2, 0, 0, 0] + big(0, 4)
        file += big(packet.count + 22, 4) + Array("iTXtXML:com.adobe.xmp".utf8)
        return file + [0, 0, 0, 0, 0] + packet + big(0, 4)
    }

    private static func webp(_ packet: [UInt8]) -> [UInt8] {
        let padded = packet + Array(repeating: 0x20, count: packet.count % 2)
        var file = Array("RIFF".utf8) + ExifBlock.little(padded.count + 30, 4)
        file += Array("WEBPVP8X".utf8) + ExifBlock.little(10, 4)
        file += [4, 0, 0, 0, 7, 0, 0, 7, 0, 0]
        file += Array("XMP ".utf8) + ExifBlock.little(padded.count, 4)
        return file + padded
    }

    @Test(
        "title, keywords and rating of an XMP packet are read, in every kind of file that has one")
    func xmp() throws {
        let packet = Self.packet((attribute: "xmp:Rating='4'", element: ""))
        let tiff = ExifBlock.tiff(
            [
                ExifBlock.number(0x0100, 8), ExifBlock.number(0x0101, 8),
                (0x02BC, 1, packet.count, packet),
            ], [], [])
        let jpeg = Self.jpeg(segments: Self.segment(0xE1, "http://ns.adobe.com/xap/1.0/", packet))
        for file in [jpeg, Self.png(packet), Self.webp(packet), tiff] {
            let facts = try #require(CameraFacts(of: FileBytes(file)))
            #expect(facts.about == "Reeds & ice · winter, lake")
            #expect(facts.rating == 4)
        }
        let element = Self.packet((attribute: "", element: "<xmp:Rating>-1</xmp:Rating>"))
        let rejected = Self.jpeg(
            segments: Self.segment(0xE1, "http://ns.adobe.com/xap/1.0/", element))
        #expect(CameraFacts(of: FileBytes(rejected))?.rating == -1)
    }

    @Test(
        "IPTC's title, caption and keywords and EXIF's caption are read beside XMP, what is the same once"
    )
    func iptc() throws {
        let block = Self.records([
            (0x0205, "Ice"), (0x0278, "On the lake\u{1B}[31m"), (0x0219, "winter"),
            (0x0219, "reeds"),
        ])
        let file = Self.jpeg(segments: Self.segment(0xED, "Photoshop 3.0", block))
        let about = CameraFacts(of: FileBytes(file))?.about
        #expect(about == "Ice · On the lake[31m · winter, reeds")
        for length in 0..<file.count { _ = CameraFacts(of: FileBytes(Array(file.prefix(length)))) }
        let packet = Self.segment(
            0xE1, "http://ns.adobe.com/xap/1.0/", Self.packet((attribute: "", element: "")))
        let exif = ExifBlock.segment(ExifBlock.tiff([ExifBlock.text(0x010E, "Dawn")], [], []))
        let all = Self.jpeg(segments: Self.segment(0xED, "Photoshop 3.0", block) + packet + exif)
        #expect(
            CameraFacts(of: FileBytes(all))?.about
                == "Reeds & ice · winter, lake · Ice · On the lake[31m · winter, reeds · Dawn")
        let same = ExifBlock.segment(ExifBlock.tiff([ExifBlock.text(0x010E, "Reeds")], [], []))
        #expect(
            CameraFacts(of: FileBytes(Self.jpeg(segments: packet + same)))?.about
                == "Reeds & ice · winter, lake")
    }

    @Test("camera, lens, exposure, date and position are read without control characters")
    func reading() throws {
        let facts = try #require(CameraFacts(of: Self.jpeg(Self.tiff)))
        #expect(facts.camera == "FUJIFILM X-T5")
        #expect(facts.lens == "XF35[31m F1.4")
        #expect(facts.exposure == "1/250 s, f/2.8, ISO 400, 35 mm")
        #expect(facts.date == "2024-06-01T10:11:12")
        #expect(facts.position == "60.50000, -5.26000")
    }

    @Test("changed or missing bytes never trap, and the values stay short")
    func hostile() {
        let whole = Self.jpeg(Self.tiff)
        var random = SystemRandomNumberGenerator()
        for step in 0..<4000 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int.random(in: 2..<bytes.count, using: &random)] =
                    [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            if step % 4 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            guard let facts = CameraFacts(of: bytes) else { continue }
            for text in [facts.camera, facts.lens, facts.exposure, facts.date, facts.position] {
                #expect((text?.count ?? 0) < 200)
                #expect(text?.unicodeScalars.allSatisfy { $0.value >= 0x20 } != false)
            }
        }
    }

    @Test("the EXIF block of a HEIC is found by its tables of items, and changed bytes never trap")
    func heic() throws {
        let whole = try Fixture.read("heic-large.heic")
        let facts = try #require(CameraFacts(of: FileBytes(whole)))
        #expect(facts.camera == "Halftone Tester")
        #expect(facts.date == "2024-06-01T10:11:12")
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<min(1000, bytes.count), using: &random)] =
                    [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            _ = CameraFacts(of: FileBytes(bytes))
        }
    }

    @Test("a zero denominator and an invalid position are ignored")
    func nonsense() {
        let tiff = ExifBlock.tiff(
            [], [ExifBlock.fractions(0x829A, [(1, 0)])],
            [
                ExifBlock.text(1, "N"), ExifBlock.fractions(2, [(600, 1), (0, 1), (0, 1)]),
                ExifBlock.text(3, "E"), ExifBlock.fractions(4, [(5, 1), (0, 1), (0, 1)]),
            ])
        #expect(CameraFacts(of: Self.jpeg(tiff)) == nil)
    }

    @Test(
        "a date is that when the picture was taken, digitized, or at least changed",
        arguments: [
            ("2004:05:06 07:08:09", "2024:01:01 01:01:01", "2024:01:01 01:01:01"),
            (nil, "2004:05:06 07:08:09", "2024:01:01 01:01:01"),
            (nil, nil, "2004:05:06 07:08:09"),
            ("0000:00:00 00:00:00", "    :  :     :  :  ", "2004-05-06 07:08:09"),
            ("2004:13:06 07:08:09", "2004:05:06 07:08:09+02:00", nil),
            ("2004:00:01 00:00:00", "2004:05:32 07:08:09", "2004/05/06 07:08:09"),
        ] as [(String?, String?, String?)])
    func dates(taken: String?, digitized: String?, changed: String?) {
        let details = [
            taken.map { ExifBlock.text(0x9003, $0) }, digitized.map { ExifBlock.text(0x9004, $0) },
        ]
        let main = [changed.map { ExifBlock.text(0x0132, $0) }]
        let tiff = ExifBlock.tiff(main.compactMap(\.self), details.compactMap(\.self), [])
        #expect(CameraFacts(of: FileBytes(Self.jpeg(tiff)))?.date == "2004-05-06T07:08:09")
    }

    @Test("a date in XMP counts for more than when the file was changed, and so does its rating")
    func datesOfXMP() throws {
        let tiff = ExifBlock.tiff(
            [ExifBlock.text(0x0132, "2024:01:01 01:01:01"), (0x4746, 3, 1, [2, 0])], [], [])
        #expect(CameraFacts(of: FileBytes(Self.jpeg(tiff)))?.rating == 2)
        let dates = [
            (attribute: "photoshop:DateCreated='2004-05-06'", element: ""),
            (
                attribute: "xmp:Rating='4'",
                element: "<xmp:CreateDate>2004-05-06T07:08:09.12+02:00</xmp:CreateDate>"
            ),
        ]
        let facts = try dates.map { date in
            let packet = Self.segment(0xE1, "http://ns.adobe.com/xap/1.0/", Self.packet(date))
            let file = Self.jpeg(segments: ExifBlock.segment(tiff) + packet)
            return try #require(CameraFacts(of: FileBytes(file)))
        }
        #expect(facts.map(\.date) == ["2004-05-06", "2004-05-06T07:08:09"])
        #expect(facts.map(\.rating) == [2, 4])
    }
}
