import Basics
import ImageCodecs
import Pipeline
import Raster
public import Sandbox

/// The work of a decoder process: it receives a `DecodeTask` and a file, and answers with pixels.
public enum DecoderWork {
    /// Starts the sandbox, or has the first picture start it unless `now`; nil if it is not supported.
    ///
    /// Must be called before there are threads and before anything is read.
    public static func start(now: Bool = true) -> Sandbox? {
        Sandbox.start(
            preparing: { abilities in
                for format in ImageFormat.allCases where abilities & format.ability != 0 {
                    _ = format.isReadable
                }
            },
            serving: { socket, memory, protections in
                var frames: FrameCursor?
                Sandbox.serve(socket, memory, protections) {
                    DecoderWork.answer($0, FileBytes(lent: $1, of: $2), &frames)
                }
            }, maxIdle: WorkQueue.processorWidth + 2, now: now)
    }

    /// Performs a task.
    /// - Parameter file: The file; empty for a further frame of the animation in `frames`.
    static func answer(
        _ task: DecodeTask, _ file: FileBytes, _ frames: inout FrameCursor?
    ) -> (DecoderAnswer, [UInt8]) {
        var answer = DecoderAnswer()
        var bytes: [UInt8] = []
        do throws(DecodeError) {
            if let number = task.frame {
                if frames == nil || !file.isEmpty {
                    frames = try FrameCursor(Array(file), limits: task.limits)
                }
                let frame = try frames?.frame(number, task.reduction)
                answer.milliseconds = frame?.milliseconds ?? 0
                answer.beginsAgain = frame?.beginsAgain == true ? 1 : 0
                bytes = answer.take(frame?.pixels)
            } else if let image = try task.image(in: file, nil) {
                answer.describe(image)
                bytes = answer.take(image.pixels)
            }
        } catch {
            answer.kind = DecoderAnswer.Kind.failure.rawValue
            bytes = error.description.bytes
        }
        return (answer, bytes)
    }
}

/// The header of an answer; none of its numbers can be trusted until it is checked.
struct DecoderAnswer: BitwiseCopyable {
    /// No picture (a heavy file, or after the last frame); pixels; an error message.
    enum Kind: Int { case nothing, pixels, failure }

    var kind = Kind.nothing.rawValue
    var size = PixelSize(width: 0, height: 0)
    var isOpaque = 0
    var sourceSize = PixelSize(width: 0, height: 0)
    /// The index in `ImageFormat.allCases`.
    var format = 0
    var isPartial = 0
    var isEmbedded = 0
    var frameCount = 0
    /// How long a frame is shown, or a video lasts.
    var milliseconds = 0
    /// Whether a frame is the first once more.
    var beginsAgain = 0

    mutating func describe(_ image: DecodedImage) {
        sourceSize = image.sourceSize
        format = image.format.number
        isPartial = image.isPartial ? 1 : 0
        isEmbedded = image.isEmbedded ? 1 : 0
        frameCount = image.frameCount
        milliseconds = image.milliseconds
    }

    /// Describes `pixels` and returns their bytes.
    mutating func take(_ pixels: PixelBuffer?) -> [UInt8] {
        guard let pixels else { return [] }
        kind = Kind.pixels.rawValue
        size = pixels.size
        isOpaque = pixels.isOpaque ? 1 : 0
        return pixels.bytes
    }

    /// Returns the pixels in `bytes`; nil if the numbers do not fit.
    func pixels(_ bytes: [UInt8]) -> PixelBuffer? {
        PixelBuffer(checked: size, bytes, isOpaque: isOpaque != 0)
    }

    /// Returns the decoded picture; nil if the numbers are not valid.
    func image(_ pixels: PixelBuffer, _ limits: DecodeLimits) -> DecodedImage? {
        // PNG's longest side; the product of two fits.
        let sides = 1...Int(Int32.max)
        guard sides.contains(sourceSize.width), sides.contains(sourceSize.height),
            sourceSize.count <= limits.maxPixels,
            ImageFormat.allCases.indices.contains(format)
        else { return nil }
        return DecodedImage(
            pixels: pixels, sourceSize: sourceSize, format: ImageFormat.allCases[format],
            isPartial: isPartial != 0, isEmbedded: isEmbedded != 0,
            frameCount: min(max(1, frameCount), 1 << 32),
            milliseconds: min(max(0, milliseconds), 1 << 32))
    }
}

extension PixelBuffer {
    /// Creates a buffer from what others have written; nil if the numbers do not fit.
    init?(checked size: PixelSize, _ bytes: [UInt8], isOpaque: Bool) {
        guard Pixels(size.width) != nil, Pixels(size.height) != nil, bytes.count == size.count * 4
        else { return nil }
        self.init(size: size, bytes: bytes, isOpaque: isOpaque)
    }
}

extension ImageFormat {
    /// The ability a process needs to decode this format: none, unless its library is loaded with the first such file.
    var ability: UInt32 {
        guard hasLateLibrary else { return 0 }
        return 1 << UInt32(number + 2) | (isDrawn ? Sandbox.fonts : 0)
            | (self == .svg ? Sandbox.workers : 0)
    }

    fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
