import Testing

@testable import ImageCodecs

/// What cameras write into files.
@Suite struct CameraFactsTests {
    /// A little-endian TIFF of directories: tag, type, count, bytes.
    private struct Builder {
        typealias Entry = (tag: Int, type: Int, count: Int, bytes: [UInt8])

        static func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }

        static func text(_ tag: Int, _ text: String) -> Entry {
            (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
        }

        static func fractions(_ tag: Int, _ numbers: [(Int, Int)]) -> Entry {
            (tag, 5, numbers.count, numbers.flatMap { little($0.0, 4) + little($0.1, 4) })
        }

        static func number(_ tag: Int, _ value: Int) -> Entry { (tag, 4, 1, little(value, 4)) }

        static func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
            var head = little(entries.count, 2)
            var data: [UInt8] = []
            let dataStart = start + 2 + entries.count * 12 + 4
            for entry in entries {
                head += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4)
                if entry.bytes.count <= 4 {
                    head += entry.bytes + Array(repeating: 0, count: 4 - entry.bytes.count)
                } else {
                    head += little(dataStart + data.count, 4)
                    data += entry.bytes
                }
            }
            return head + little(0, 4) + data
        }

        static func tiff(_ main: [Entry], _ details: [Entry], _ position: [Entry]) -> [UInt8] {
            let detailsAt = 4096
            let positionAt = 8192
            let links = [number(0x8769, detailsAt), number(0x8825, positionAt)]
            var bytes = Array("II*\0".utf8) + little(8, 4) + directory(main + links, at: 8)
            bytes += Array(repeating: 0, count: detailsAt - bytes.count)
            bytes += directory(details, at: detailsAt)
            bytes += Array(repeating: 0, count: positionAt - bytes.count)
            return bytes + directory(position, at: positionAt)
        }

        static func jpeg(_ tiff: [UInt8]) -> [UInt8] {
            let exif = Array("Exif\0\0".utf8) + tiff
            let length = exif.count + 2
            let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
            return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif
                + frame + [0xFF, 0xDA]
        }
    }

    private static let tiff = Builder.tiff(
        [Builder.text(0x010F, "FUJIFILM"), Builder.text(0x0110, "X-T5")],
        [
            Builder.fractions(0x829A, [(1, 250)]), Builder.fractions(0x829D, [(28, 10)]),
            Builder.number(0x8827, 400), Builder.text(0x9003, "2024:06:01 10:11:12"),
            Builder.fractions(0x920A, [(35, 1)]), Builder.text(0xA434, "XF35\u{1B}[31m F1.4"),
        ],
        [
            Builder.text(1, "N"), Builder.fractions(2, [(60, 1), (30, 1), (0, 1)]),
            Builder.text(3, "W"), Builder.fractions(4, [(5, 1), (15, 1), (36, 1)]),
        ])

    @Test("camera, lens, exposure, date and position are read, without control characters")
    func reading() throws {
        let facts = try #require(CameraFacts(of: Builder.jpeg(Self.tiff)))
        #expect(facts.camera == "FUJIFILM X-T5")
        #expect(facts.lens == "XF35[31m F1.4")
        #expect(facts.exposure == "1/250 s, f/2.8, ISO 400, 35 mm")
        #expect(facts.date == "2024-06-01T10:11:12")
        #expect(facts.position == "60.50000, -5.26000")
    }

    @Test("no byte that is changed or missing traps, and what is read stays short")
    func hostile() {
        let whole = Builder.jpeg(Self.tiff)
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

    @Test("a division by zero and a place that is none are no exposure and no position")
    func nonsense() {
        let tiff = Builder.tiff(
            [], [Builder.fractions(0x829A, [(1, 0)])],
            [
                Builder.text(1, "N"), Builder.fractions(2, [(600, 1), (0, 1), (0, 1)]),
                Builder.text(3, "E"), Builder.fractions(4, [(5, 1), (0, 1), (0, 1)]),
            ])
        #expect(CameraFacts(of: Builder.jpeg(tiff)) == nil)
    }
}
