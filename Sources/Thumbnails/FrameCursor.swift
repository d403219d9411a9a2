import ImageCodecs
import Raster

/// A position in an animation: the last decoded frame, the one before it, and the number of finished plays.
///
/// Blocks for the CPU time of decoding. Holds the file, a canvas, and two frames no larger than needed for drawing.
struct FrameCursor: FrameSource {
    struct Frame {
        var number: Int
        var milliseconds: Int
        /// Whether it is the first once more, of an animation that never ends.
        var beginsAgain: Bool
        var reduction: ReducedSize
        var pixels: PixelBuffer
    }

    private let animation: Animation
    /// Oldest first; the last one is on the canvas.
    private var frames: [Frame] = []
    private var finishedPlays = 0
    private var framesOfPlay = 0
    private var isOver = false

    init(_ file: [UInt8], limits: DecodeLimits) throws(DecodeError) {
        animation = try Animation(file, limits: limits)
    }

    /// Returns frame `number`, reduced; nil if the animation ends before it.
    ///
    /// A frame that is no longer on the canvas keeps its original reduction.
    mutating func frame(_ number: Int, _ reduction: ReducedSize) throws(DecodeError) -> Frame? {
        if let index = frames.lastIndex(where: { $0.number <= number }),
            frames[index].number == number || isOver
        {
            if index == frames.count - 1, frames[index].reduction != reduction {
                frames[index].pixels = canvas(reduction)
                frames[index].reduction = reduction
            }
            return frames[index].number == number ? frames[index] : nil
        }
        while frames.last?.number ?? .min < number {
            guard !isOver, let milliseconds = try advance() else {
                isOver = true
                return nil
            }
            let isAgain = framesOfPlay == 1 && finishedPlays > 0 && animation.plays == nil
            let frame = Frame(
                number: (frames.last?.number ?? -1) + 1, milliseconds: milliseconds,
                beginsAgain: isAgain, reduction: reduction, pixels: canvas(reduction))
            frames = frames.suffix(1) + [frame]
        }
        return frames.last
    }

    /// Advances and returns the next frame's delay; starts again from the first frame while plays remain.
    private mutating func advance() throws(DecodeError) -> Int? {
        if let milliseconds = try animation.advance() {
            framesOfPlay += 1
            return milliseconds
        }
        finishedPlays += 1
        // A single frame is not animated, and none at all would loop forever.
        guard framesOfPlay > 1, finishedPlays < animation.plays ?? .max,
            animation.rewind()
        else { return nil }
        framesOfPlay = 0
        return try advance()
    }

    private func canvas(_ reduction: ReducedSize) -> PixelBuffer {
        animation.picture(covering: reduction.decodedSize(of: animation.size))
            .reduced(reduction, of: animation.size)
    }
}
