import Basics
import ImageCodecs
import Network
import Raster
import Sandbox

/// Decodes pictures, in processes that can do nothing else, or, without a sandbox, in this one; blocks, on any thread.
struct PictureDecoder: Sendable {
    let limits: DecodeLimits
    let sandbox: Sandbox?

    /// Nil also where no process can be started: that is known at the first picture.
    private var usableSandbox: Sandbox? { sandbox?.protections == nil ? nil : sandbox }

    /// The picture, reduced; nil for one that is heavy and must not be.
    ///
    /// - Parameter open: The file that has these bytes, and is read itself where it is open.
    func image(
        in file: [UInt8], of open: OpenFile? = nil, _ task: DecodeTask,
        _ cancellation: DecodeCancellation
    ) throws(DecodeError) -> DecodedImage? {
        // What is not a picture is told here.
        guard let sandbox = usableSandbox, let format = ImageFormat(sniffing: file) else {
            return try task.image(in: FileBytes(file), cancellation)
        }
        guard let helper = sandbox.helper(format.ability) else { throw .unavailable }
        let result = Result { () throws(DecodeError) in
            try helper.decode(task, file, in: open?.descriptor) { cancellation.isCancelled }
        }
        // What it became while it was decoded may be half of each, and crash the decoder.
        if open?.hasChanged == true { return try image(in: file, task, cancellation) }
        // After a failure it is not kept, as the file may have done anything to it.
        let decoded = try result.get()
        let image = decoded.flatMap { answer, pixels in answer.image(pixels, task.limits) }
        guard (image == nil) == (decoded == nil) else { throw DecodeError(.crashed) }
        sandbox.keep(helper)
        return image
    }

    /// The frames of an animation.
    func frames(of file: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> any FrameSource {
        guard let sandbox = usableSandbox else { return try FrameCursor(file, limits: limits) }
        guard let helper = sandbox.helper() else { throw .unavailable }
        return SandboxedFrames(helper: helper, limits: limits, file: file)
    }
}

/// A picture to be made of a file, no larger than it is needed.
struct DecodeTask: Sendable, BitwiseCopyable {
    var reduction: Reduction
    var limits: DecodeLimits
    /// Whether a smaller picture that lies in the file will do.
    var mayBeEmbedded = false
    /// Whether it may take long.
    var mayBeHeavy = true
    /// The number of an animation's frame; nil for a whole picture.
    var frame: Int?

    /// Pixels from which on a decode takes a good part of a second, and tens of megabytes meanwhile; no common camera has as many.
    private static let heavy = 32e6

    /// The picture, reduced; nil for one that is heavy and must not be.
    func image(
        in file: FileBytes, _ cancellation: DecodeCancellation?
    ) throws(DecodeError) -> DecodedImage? {
        let header = ImageHeader(of: file)
        if !mayBeHeavy, let header, isHeavy(header) { return nil }
        var image = try image(in: file, header?.size, cancellation)
        image.pixels = image.pixels.reduced(reduction, of: image.sourceSize)
        return image
    }

    private func isHeavy(_ header: ImageHeader) -> Bool {
        // What draws it cannot be interrupted: one that takes very long holds up its own kind alone.
        guard header.format != .svg else { return true }
        // As numbers that cannot overflow: a header may say anything.
        return Double(header.size.width) * Double(header.size.height) >= Self.heavy
    }

    /// The smaller picture that lies in the file, where it will do, else the picture itself.
    ///
    /// - Parameter size: Nil where the header does not tell: the decoder then says what is wrong with it.
    private func image(
        in file: FileBytes, _ size: PixelSize?, _ cancellation: DecodeCancellation?
    ) throws(DecodeError) -> DecodedImage {
        let decoder = ImageDecoder(limits: limits)
        let target = size.map(reduction.decodedSize)
        if mayBeEmbedded, let size, let least = reduction.embeddedSize(of: size),
            let image = decoder.decodeEmbedded(
                file, covering: target, ofAtLeast: least, cancellation: cancellation)
        {
            return image
        }
        return try decoder.decode(file, covering: target, cancellation: cancellation)
    }
}

/// Gives the frames of an animation, as `FrameCursor` does.
protocol FrameSource {
    mutating func frame(
        _ number: Int, _ reduction: Reduction
    ) throws(DecodeError) -> FrameCursor.Frame?
}

extension FrameCursor: FrameSource {}

/// The frames of an animation that a process of its own holds.
private struct SandboxedFrames: FrameSource {
    let helper: Helper
    let limits: DecodeLimits
    /// Until it is there.
    var file: [UInt8]

    mutating func frame(
        _ number: Int, _ reduction: Reduction
    ) throws(DecodeError) -> FrameCursor.Frame? {
        defer { file = [] }
        let task = DecodeTask(reduction: reduction, limits: limits, frame: number)
        return try helper.decode(task, file) { false }.map { answer, pixels in
            FrameCursor.Frame(
                number: number, milliseconds: min(max(20, answer.milliseconds), 1 << 20),
                reduction: reduction, pixels: pixels)
        }
    }
}

extension Helper {
    /// Nil where there is no picture: it is heavy, or the animation is over.
    fileprivate func decode(
        _ task: DecodeTask, _ file: [UInt8], in open: Int32? = nil, isCancelled: () -> Bool
    ) throws(DecodeError) -> (DecoderAnswer, PixelBuffer)? {
        let (answer, bytes): (DecoderAnswer, [UInt8])
        do throws(Failure) {
            // A second beyond what most decoders see to themselves.
            (answer, bytes) = try self.answer(
                to: task, file, in: open, as: DecoderAnswer.self,
                seconds: task.limits.seconds + 1, isCancelled: isCancelled)
        } catch {
            throw DecodeError(error)
        }
        switch DecoderAnswer.Kind(rawValue: answer.kind) {
        case .nothing where !task.mayBeHeavy || task.frame != nil: return nil
        case .failure: throw .stopped(String(decoding: bytes, as: UTF8.self).oneLine(limit: 200))
        case .pixels:
            guard let pixels = answer.pixels(bytes) else { throw DecodeError(.crashed) }
            return (answer, pixels)
        case .nothing, nil: throw DecodeError(.crashed)
        }
    }
}

extension DecodeError {
    fileprivate static let unavailable = DecodeError.stopped(
        "no process can be started to decode it")

    fileprivate init(_ failure: Helper.Failure) {
        self =
            switch failure {
            case .crashed: .stopped("crashes its decoder")
            case .tooMuchMemory: .stopped("needs too much memory to decode")
            case .tooSlow: .tooSlow
            case .cancelled: .cancelled
            }
    }
}
