import CImageCodecs
import ImageEncoders
import Raster
import Testing

@testable import ImageCodecs

@Suite("Animations, frame by frame")
struct AnimationTests {
    struct Frame: Equatable {
        var pixels: PixelBuffer
        var milliseconds: Int
    }

    private static let canvas = PixelSize(width: 24, height: 16)

    /// Returns the frames as composed by other programs, and the delays in the file.
    private func references(_ name: String) throws -> [Frame] {
        let bytes = try Fixture.read(String(name.split(separator: ".")[0]) + ".frames")
        let length = 4 + Self.canvas.width * Self.canvas.height * 4
        return stride(from: 0, to: bytes.count, by: length).map { start in
            Frame(
                pixels: PixelBuffer(
                    size: Self.canvas, bytes: Array(bytes[start + 4..<start + length]),
                    isOpaque: false),
                milliseconds: bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) })
        }
    }

    private func frames(of animation: Animation) throws -> [Frame] {
        var frames: [Frame] = []
        while let milliseconds = try animation.advance() {
            frames.append(
                Frame(pixels: animation.picture(covering: nil), milliseconds: milliseconds))
        }
        return frames
    }

    @Test("a canvas that is larger than the file's beginning says is too large, not out of memory")
    func largeCanvas() throws {
        let bytes = try Fixture.read("moving-gif.gif")
        var limits = halftone_limits()
        (limits.max_pixels, limits.max_frame_pixels, limits.seconds) = (1000, 100, 60)
        var picture = halftone_picture()
        var opened: OpaquePointer?
        let status = halftone_animation_open(
            HALFTONE_GIF, bytes, bytes.count, &limits, &picture, &opened)
        #expect(status == HALFTONE_TOO_LARGE && opened == nil && picture.error.0 == 0)
        halftone_picture_free(&picture)
    }

    @Test(
        "every frame matches the reference composition, also after rewinding",
        arguments: [
            ("moving-gif.gif", 2), ("moving-interlaced.gif", nil), ("moving-webp.webp", 3),
            ("moving-png.png", 3), ("moving-hidden.png", nil), ("moving-palette.png", 1),
        ])
    func composed(name: String, plays: Int?) throws {
        let bytes = try Fixture.read(name)
        let animation = try Animation(bytes)
        let references = try references(name)
        #expect(animation.size == Self.canvas)
        #expect(animation.plays == plays)
        #expect(ImageHeader(of: bytes)?.frameCount == references.count)
        #expect(try ImageDecoder().decode(bytes, covering: nil).frameCount == references.count)
        for _ in 0..<3 {
            let frames = try frames(of: animation)
            #expect(frames.count == references.count)
            for (index, (frame, reference)) in zip(frames, references).enumerated() {
                let difference = frame.pixels.greatestVisibleDifference(from: reference.pixels)
                #expect(difference ?? 255 <= 1, "frame \(index)")
                let wanted = reference.milliseconds <= 10 ? 100 : max(20, reference.milliseconds)
                #expect(frame.milliseconds == wanted, "frame \(index)")
            }
            #expect(animation.rewind())
        }
    }

    @Test("a reduced frame is the average of its pixels and covers the requested size")
    func reduced() throws {
        let animation = try Animation(Fixture.read("moving-png.png"))
        for reference in try references("moving-png.png") {
            _ = try animation.advance()
            let small = animation.picture(covering: PixelSize(width: 12, height: 8))
            let average = reference.pixels.averaged(2)
            #expect(small.greatestVisibleDifference(from: average) ?? 255 <= 2)
            #expect(animation.picture(covering: nil).size == Self.canvas)
        }
    }

    @Test("a truncated file ends with the last complete frame, at any length")
    func cutShort() throws {
        for name in ["moving-gif.gif", "moving-png.png", "moving-webp.webp"] {
            let bytes = try Fixture.read(name)
            let references = try references(name)
            for length in stride(from: 0, to: bytes.count, by: 7) {
                guard let animation = try? Animation(Array(bytes.prefix(length))) else { continue }
                let frames = try frames(of: animation)
                #expect(frames.count <= references.count)
                for (frame, reference) in zip(frames, references) {
                    let difference = frame.pixels.greatestVisibleDifference(from: reference.pixels)
                    #expect(difference ?? 255 <= 1, "\(name) at \(length)")
                }
            }
        }
    }

    @Test(
        "playback ends whatever bytes are corrupted",
        arguments: [
            "moving-gif.gif", "moving-interlaced.gif", "moving-webp.webp", "moving-png.png",
            "moving-hidden.png", "moving-palette.png",
        ])
    func mutations(name: String) throws {
        let file = try Fixture.read(name)
        var random = SeededGenerator(seed: 11)
        var limits = DecodeLimits()
        limits.maxAnimationPixels = 10_000
        for _ in 0..<600 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            guard let animation = try? Animation(bytes, limits: limits) else { continue }
            for _ in 0..<2 {
                var count = 0
                while let milliseconds = try? animation.advance(), count < 20 {
                    #expect(milliseconds >= 20)
                    #expect(animation.picture(covering: nil).size == animation.size)
                    count += 1
                }
                #expect(count <= 7)
                _ = animation.rewind()
            }
        }
    }

    @Test("still, oversized and too slow files are refused")
    func refused() throws {
        let picture = TestPictures.quadrants(width: 60, height: 40)
        #expect(throws: DecodeError.self) { try Animation(ImageEncoder.jpeg(picture)) }
        #expect(throws: DecodeError.self) { try Animation(ImageEncoder.png(picture)) }
        #expect(throws: DecodeError.self) { try Animation(ImageEncoder.webp(picture)) }
        #expect(throws: DecodeError.self) { try Animation([]) }
        for file in [
            try ImageEncoder.gif(animating: [picture, picture]),
            try ImageEncoder.webp(animating: [picture, picture]),
        ] {
            var limits = DecodeLimits()
            limits.maxAnimationPixels = 2399
            #expect(throws: DecodeError.tooLarge(picture.size, maxPixels: 2399)) {
                try Animation(file, limits: limits)
            }
            limits.maxAnimationPixels = 2400
            #expect(throws: Never.self) { try Animation(file, limits: limits).advance() }
        }
        var limits = DecodeLimits()
        limits.seconds = 0
        let slow = try Animation(ImageEncoder.gif(animating: [picture, picture]), limits: limits)
        #expect(throws: DecodeError.tooSlow) { try slow.advance() }
    }
}
