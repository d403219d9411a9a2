import CImageCodecs
import ImageEncoders
import Raster
import Testing

@testable import ImageCodecs

@Suite("Colour profiles")
struct ProfileTests {
    private let decoder = ImageDecoder()
    private let drawing = TestPictures.quadrants(width: 20, height: 10)

    /// Returns a lossless WebP of `pixels` with `profile`.
    private func file(_ pixels: PixelBuffer, profile: [UInt8]) throws -> [UInt8] {
        let plain = try ImageEncoder.webp(pixels, .init(isLossless: true))
        let side = { (value: Int) in
            [0, 8, 16].map { UInt8(truncatingIfNeeded: (value - 1) >> $0) }
        }
        let header = [0x20, 0, 0, 0] + side(pixels.size.width) + side(pixels.size.height)
        let chunks =
            chunk("VP8X", header) + chunk("ICCP", profile) + Array(plain.dropFirst(12))
        return chunk("RIFF", Array("WEBP".utf8) + chunks)
    }

    private func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
        let length = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
        return Array(name.utf8) + length + payload
            + [UInt8](repeating: 0, count: payload.count % 2)
    }

    /// Returns the Display P3 profile of a fixture.
    private func displayP3() throws -> [UInt8] {
        let file = try Fixture.read("p3-lossless.webp")
        let start = try #require(file.indices.first { file[$0...].starts(with: "ICCP".utf8) })
        let length = file[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        return Array(file[start + 8..<start + 8 + length])
    }

    private func replacing(_ old: String, with new: String, in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for index in bytes.indices where bytes[index...].starts(with: old.utf8) {
            bytes.replaceSubrange(index..<index + old.utf8.count, with: new.utf8)
        }
        return bytes
    }

    @Test("many pixels, converted by tables, match the conversion of few")
    func tables() throws {
        let fixture = Fixture(name: "p3-lossless.webp")
        let small = try fixture.reference(PixelSize(width: 32, height: 24))
        let stored = try decoder.decode(
            file(small, profile: displayP3()), covering: nil
        ).pixels
        let large = TestPictures.make(width: 320, height: 240) { x, y in
            let pixel = small.pixel(x / 10, y / 10)
            return (pixel[0], pixel[1], pixel[2], pixel[3])
        }
        let converted = try decoder.decode(file(large, profile: displayP3()), covering: nil).pixels
        let picked = TestPictures.make(width: 32, height: 24) { x, y in
            let pixel = converted.pixel(x * 10 + 5, y * 10 + 5)
            return (pixel[0], pixel[1], pixel[2], pixel[3])
        }
        #expect(picked.greatestVisibleDifference(from: stored) ?? 255 <= 1)
        #expect(stored.greatestVisibleDifference(from: small) ?? 0 > 20)
    }

    private func needsConversion(_ profile: [UInt8]) -> Bool {
        var profile = profile
        var limits = halftone_limits(DecodeLimits())
        return profile.withUnsafeMutableBufferPointer { bytes in
            var colors = halftone_colors()
            (colors.profile, colors.profile_count) = (bytes.baseAddress, bytes.count)
            return halftone_needs_conversion(&colors, &limits)
        }
    }

    @Test(
        "a profile that is sRGB to within a level, in its primaries and its curve, converts nothing"
    )
    func standard() throws {
        let wide = try displayP3()
        let table = wide[132..<132 + 12 * Int(wide[131])]
        func offset(_ tag: String) throws -> Int {
            let entry = try #require(table.indices.first { table[$0...].starts(with: tag.utf8) })
            return wide[entry + 4..<entry + 8].reduce(0) { $0 << 8 | Int($1) }
        }
        var standard = wide
        // Adapted to D50, and rounded to a few digits.
        for (tag, column) in [
            ("rXYZ", [0.436, 0.222, 0.014]), ("gXYZ", [0.385, 0.717, 0.097]),
            ("bXYZ", [0.143, 0.061, 0.714]),
        ] {
            let start = try offset(tag) + 8
            for (index, number) in column.enumerated() {
                let fixed = Int(number * 65536)
                standard.replaceSubrange(
                    start + index * 4..<start + index * 4 + 4,
                    with: [0, UInt8(fixed >> 16), UInt8(fixed >> 8 & 255), UInt8(fixed & 255)])
            }
        }
        #expect(needsConversion(wide) && !needsConversion(standard))
        // A level darker in the middle.
        let curve = try offset("rTRC") + 12
        for place in stride(from: curve + 800, to: curve + 1200, by: 2) {
            let light = Int(standard[place]) << 8 + Int(standard[place + 1]) - 120
            standard.replaceSubrange(
                place..<place + 2, with: [UInt8(light >> 8), UInt8(light & 255)])
        }
        #expect(needsConversion(standard))
        #expect(!needsConversion([]) && !needsConversion(Array(wide.prefix(100))))
    }

    @Test("a profile that is broken, for other pixels, or a device link is ignored")
    func useless() throws {
        let profile = try displayP3()
        let useless = [
            [], [0], Array(profile.prefix(100)), Array(profile.prefix(400)),
            replacing("acsp", with: "xxxx", in: profile),
            replacing("RGB ", with: "CMYK", in: profile),
            replacing("RGB ", with: "GRAY", in: profile),
            replacing("mntr", with: "link", in: profile),
            replacing("rTRC", with: "xTRC", in: profile),
            replacing("curv", with: "mpet", in: profile),
            [UInt8](repeating: 0xFF, count: 5 << 20),
        ]
        for (index, profile) in useless.enumerated() {
            let image = try decoder.decode(file(drawing, profile: profile), covering: nil)
            #expect(image.pixels == drawing, "\(index)")
        }
        #expect(
            try decoder.decode(file(drawing, profile: profile), covering: nil).pixels != drawing)
    }

    /// A tag with one element, a matrix that swaps red and blue (ICC.1:2022, 10.17).
    @Test("a program in a separate tag is ignored, though the library would run it")
    func program() throws {
        let number = { (value: Int) -> [UInt8] in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        let matrix: [Float] = [0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0]
        let element: [UInt8] =
            Array("matf".utf8) + number(0) + [0, 3, 0, 3]
            + matrix.flatMap { number(Int($0.bitPattern)) }
        let start = Array("mpet".utf8) + number(0) + [0, 3, 0, 3] + number(1) + number(24)
        let tag = start + number(element.count) + element
        var profile = try displayP3()
        let count = profile[128..<132].reduce(0) { $0 << 8 | Int($1) }
        // Replaces the last tag's entry with the program's, whose bytes are appended.
        let entry = 132 + (count - 1) * 12
        profile.replaceSubrange(
            entry..<entry + 12,
            with: Array("D2B0".utf8) + number(profile.count) + number(tag.count))
        profile += tag
        profile.replaceSubrange(0..<4, with: number(profile.count))
        let image = try decoder.decode(file(drawing, profile: profile), covering: nil)
        #expect(image.pixels == drawing)
    }

    @Test(
        "a corrupted profile never prevents decoding",
        arguments: [
            "p3-lossless.webp", "cmyk-icc.jpg", "adobe-rgb-jpeg.jpg", "gray-icc-jpeg.jpg",
        ])
    func mutations(name: String) throws {
        let file = try Fixture.read(name)
        let profile =
            try #require(file.indices.first { file[$0...].starts(with: "acsp".utf8) }) - 36
        // Its first four bytes; what matters is the header, the tag table and the start of the tag data.
        let length = min(450, file[profile..<profile + 4].reduce(0) { $0 << 8 | Int($1) })
        var random = SeededGenerator(seed: 7)
        for round in 0..<600 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = profile + Int.random(in: 0..<length, using: &random)
                bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            let target = round.isMultiple(of: 2) ? nil : PixelSize(width: 8, height: 6)
            let image = try decoder.decode(bytes, covering: target)
            #expect(image.sourceSize == PixelSize(width: 32, height: 24))
        }
    }

    @Test("a cancelled decode ends with a cancellation error")
    func cancelling() throws {
        let scene = TestPictures.scene(width: 300, height: 300)
        let cancellation = DecodeCancellation()
        for file in [
            try ImageEncoder.jpeg(scene), try ImageEncoder.png(scene), try ImageEncoder.webp(scene),
            try ImageEncoder.gif(scene), try ImageEncoder.jpeg(scene, .init(isProgressive: true)),
        ] {
            #expect(throws: Never.self) {
                try decoder.decode(file, covering: nil, cancellation: DecodeCancellation())
            }
            cancellation.cancel()
            #expect(throws: DecodeError.cancelled) {
                try decoder.decode(file, covering: nil, cancellation: cancellation)
            }
        }
    }
}
