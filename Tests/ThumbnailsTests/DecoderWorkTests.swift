import ImageCodecs
import ImageEncoders
import Raster
import Testing

@testable import Thumbnails

@Suite("The protocol between the program and its decoders") struct DecoderWorkTests {
    private let task = DecodeTask(
        reduction: .whole(CellSize(columns: 24, rows: 12), cellAspect: 2), limits: DecodeLimits())
    private let picture = PixelBuffer(
        filledWith: RGB(0x40_80C0), alpha: 128, size: PixelSize(width: 300, height: 200))

    private func answer(_ task: DecodeTask, _ file: [UInt8]) -> (DecoderAnswer, [UInt8]) {
        var frames: FrameCursor?
        return DecoderWork.answer(task, FileBytes(file), &frames)
    }

    @Test("a picture is transferred unchanged")
    func pictures() throws {
        let file = try ImageEncoder.png(picture)
        let made = try #require(try task.image(in: FileBytes(file), nil))
        let (told, bytes) = answer(task, file)
        let pixels = try #require(told.pixels(bytes))
        let image = try #require(told.image(pixels, task.limits))
        #expect(image.pixels == made.pixels && !image.pixels.isOpaque)
        #expect(image.sourceSize == picture.size && image.format == .png && image.frameCount == 1)
        #expect(!image.isPartial && !image.isEmbedded)
        let jpeg = try ImageEncoder.jpeg(picture)
        let half = answer(task, Array(jpeg[..<(jpeg.count * 3 / 4)]))
        #expect(half.0.image(pixels, task.limits)?.isPartial == true)
    }

    @Test("a broken or oversized file yields only an error message")
    func mistakes() throws {
        let file = try ImageEncoder.png(picture)
        var strict = task
        strict.limits.maxPixels = 59_999
        for (task, file) in [(task, []), (task, Array(file[..<40])), (strict, file)] {
            let error = try #require(throws: DecodeError.self) {
                try task.image(in: FileBytes(file), nil)
            }
            let (told, bytes) = answer(task, file)
            #expect(told.kind == DecoderAnswer.Kind.failure.rawValue)
            #expect(String(decoding: bytes, as: UTF8.self) == error.description)
        }
    }

    @Test("a heavy file is only reported as heavy unless permitted")
    func heavy() throws {
        var large = try ImageEncoder.png(picture)
        // 8000 × 4000.
        large.replaceSubrange(16..<24, with: [0, 0, 0x1F, 0x40, 0, 0, 0x0F, 0xA0])
        var light = task
        light.mayBeHeavy = false
        #expect(answer(light, large).0.kind == DecoderAnswer.Kind.nothing.rawValue)
        // Only a helper can be ended while it draws.
        let svg = Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
        #expect(try light.image(in: FileBytes(svg), DecodeCancellation()) == nil)
        #expect(ImageFormat.svg.ability != 0 && ImageFormat.png.ability == 0)
    }

    @Test("frames are decoded in sequence")
    func frames() throws {
        let file = try ImageEncoder.gif(
            animating: [picture, picture, picture], GIFOptions(delay: 0.05, repeats: 1))
        var cursor: FrameCursor?
        var task = task
        for number in 0..<6 {
            task.frame = number
            let (told, bytes) = DecoderWork.answer(
                task, FileBytes(number == 0 ? file : []), &cursor)
            #expect(told.milliseconds == 50)
            #expect(told.pixels(bytes)?.size == task.reduction.size(of: picture.size))
        }
        task.frame = 6
        let end = DecoderWork.answer(task, FileBytes([]), &cursor)
        #expect(end.0.kind == DecoderAnswer.Kind.nothing.rawValue)
    }

    @Test("invalid replies are rejected")
    func lies() throws {
        let (honest, bytes) = answer(task, try ImageEncoder.png(picture))
        let pixels = try #require(honest.pixels(bytes))
        #expect(honest.image(pixels, task.limits) != nil)
        let lies = [.min, -1, 0, 3, 97, 1 << 31, 1 << 32, 1 << 62, .max]
        for lie in lies {
            for side in [\DecoderAnswer.size.width, \.size.height] {
                var answer = honest
                answer[keyPath: side] = lie
                #expect(answer.pixels(bytes) == nil, "\(lie)")
            }
            // Another plausible size for the same pixels cannot be detected.
            for number in [\DecoderAnswer.sourceSize.width, \.sourceSize.height, \.format] {
                var answer = honest
                answer[keyPath: number] = lie
                let source = answer.image(pixels, task.limits)?.sourceSize
                #expect(source.map { $0.width > 0 && $0.height > 0 } ?? true, "\(lie)")
                #expect(source == nil || (1...1000).contains(lie) || number == \.format && lie == 0)
            }
            var answer = honest
            answer.frameCount = lie
            #expect(answer.image(pixels, task.limits).map { $0.frameCount > 0 } == true)
        }
        #expect(honest.pixels(bytes + [0]) == nil && honest.pixels([]) == nil)
    }
}
