import Basics
public import ImageCodecs
import Network
import Raster
public import Sandbox

/// Decodes pictures in sandboxed processes or, without a sandbox, in this one; blocks, on any thread.
///
/// While no process can be started, no picture is decoded.
struct PictureDecoder {
    let limits: DecodeLimits
    let sandbox: Sandbox?

    /// Decodes a picture within the limits and reduces it; returns nil for a heavy one if those are not allowed.
    ///
    /// - Parameter address: Where the file came from: a process that has seen it never sees one of another server or folder.
    /// - Parameter open: The open file with these bytes, if any, which is then read directly.
    func image(
        in file: [UInt8], from address: Address, of open: OpenFile? = nil, _ task: DecodeTask,
        _ cancellation: DecodeCancellation
    ) throws(DecodeError) -> DecodedImage? {
        var task = task
        task.limits = limits
        task.page = address.page ?? task.page
        // Files that are not pictures are reported here, without a helper.
        guard let sandbox, let format = ImageFormat(sniffing: file) else {
            let bytes = FileBytes(file, of: open?.descriptor ?? -1)
            return try withExtendedLifetime(open) { () throws(DecodeError) in
                try task.image(in: bytes, cancellation)
            }
        }
        let helper = sandbox.helper(format.ability, for: address.confinement) {
            cancellation.isCancelled
        }
        guard let helper else { throw cancellation.isCancelled ? .cancelled : .unavailable }
        let seconds =
            format.isDrawn
            ? min(
                task.limits.seconds,
                task.mayBeHeavy ? HelperTimeouts.drawing : HelperTimeouts.lightDrawing)
            : task.limits.seconds + HelperTimeouts.grace
        let result = Result { () throws(DecodeError) in
            try helper.decode(task, file, in: open?.descriptor, seconds: seconds) {
                cancellation.isCancelled
            }
        }
        // A file changed during decoding may be a mixture of old and new, and crash the decoder; a video may still be growing.
        if !format.isReadInPlace, open?.hasChanged == true {
            return try image(in: file, from: address, task, cancellation)
        }
        // A drawing shows that it is heavy only when it is drawn.
        if format.isDrawn, !task.mayBeHeavy, case .failure(.tooSlow) = result { return nil }
        // After a failure the helper is discarded, as the file may have compromised it.
        let decoded = try result.get()
        let image = decoded.flatMap { answer, pixels in answer.image(pixels, task.limits) }
        guard (image == nil) == (decoded == nil) else { throw DecodeError(.crashed) }
        sandbox.keep(helper, for: address.confinement)
        return image
    }

    /// Opens the frames of an animation.
    func frames(
        of file: [UInt8], from address: Address, _ limits: DecodeLimits
    ) throws(DecodeError) -> any FrameSource {
        guard let sandbox else { return try FrameCursor(file, limits: limits) }
        guard let helper = sandbox.helper(for: address.confinement) else { throw .unavailable }
        return SandboxedFrames(helper: helper, limits: limits, file: file)
    }
}

extension DecodedImage {
    /// Decodes the file of a local path, reduced if it is longer than 2896 pixels, so that some copies of it fit in memory; blocks.
    public init(
        of file: [UInt8], at path: String, limits: DecodeLimits, sandbox: Sandbox?
    ) throws(DecodeError) {
        let image = try PictureDecoder(limits: limits, sandbox: sandbox).image(
            in: file, from: Address(path: path),
            DecodeTask(reduction: .detail(2896), limits: limits), DecodeCancellation())
        guard let image else { throw .cancelled }
        self = image
    }
}

/// A picture to decode from a file, no larger than needed.
struct DecodeTask: BitwiseCopyable {
    var reduction: ReducedSize
    var limits = DecodeLimits()
    /// Whether a smaller picture embedded in the file will do, or nothing else does.
    var embedded = Embedded.unwanted
    /// The number of a PDF's page, from 1; 0 only counts its pages, as frames.
    var page = 1
    /// Whether the decode may be heavy.
    var mayBeHeavy = true
    /// The number of the animation frame; nil for a whole picture.
    var frame: Int?

    enum Embedded { case unwanted, allowed, needed }

    /// The pixels from which a decode takes a good part of a second and tens of megabytes; more than common cameras have.
    private static let heavy = 32_000_000
    /// The size assumed of a file whose library reads it: what covers a square's share of a box covers any other shape's.
    private static let unread = PixelSize(width: 1 << 14, height: 1 << 14)

    /// Decodes the picture, or a smaller one embedded in the file if that will do, and reduces it; returns nil for a heavy one if those are
    /// not allowed, and if an embedded one is needed and none does.
    ///
    /// - Parameter cancellation: Ends the decode; nil in a helper, which is ended itself.
    func image(
        in file: FileBytes, _ cancellation: DecodeCancellation?
    ) throws(DecodeError) -> DecodedImage? {
        let header = ImageHeader(of: file)
        // Drawing cannot be interrupted, except by ending a helper.
        if !mayBeHeavy, let header,
            header.format == .svg ? cancellation != nil : header.size.count >= Self.heavy
        {
            return nil
        }
        let decoder = ImageDecoder(limits: limits)
        let target = reduction.decodedSize(of: header?.size ?? Self.unread)
        var image: DecodedImage
        if embedded != .unwanted, let header, let least = reduction.embeddedSize(of: header.size),
            let embedded = decoder.decodeEmbedded(
                file, covering: target, ofAtLeast: least, cancellation: cancellation)
        {
            image = embedded
        } else if self.embedded == .needed {
            return nil
        } else {
            // It also reports why a header is unreadable.
            image = try decoder.decode(
                file, covering: target, page: page, cancellation: cancellation)
        }
        image.pixels = image.pixels.reduced(reduction, of: image.sourceSize)
        return image
    }
}

/// A source of animation frames, with the semantics of `FrameCursor`.
protocol FrameSource {
    mutating func frame(
        _ number: Int, _ reduction: ReducedSize
    ) throws(DecodeError) -> FrameCursor.Frame?
}

/// The frames of an animation that is held by its own process.
private struct SandboxedFrames: FrameSource {
    let helper: HelperProcess
    let limits: DecodeLimits
    /// The file, until the process has it.
    var file: [UInt8]

    mutating func frame(
        _ number: Int, _ reduction: ReducedSize
    ) throws(DecodeError) -> FrameCursor.Frame? {
        defer { file = [] }
        let task = DecodeTask(reduction: reduction, limits: limits, frame: number)
        return try helper.decode(task, file, seconds: limits.seconds + HelperTimeouts.grace) {
            false
        }.map {
            answer, pixels in
            FrameCursor.Frame(
                number: number, milliseconds: FrameDuration.shown(answer.milliseconds),
                beginsAgain: answer.beginsAgain != 0, reduction: reduction, pixels: pixels)
        }
    }
}

extension HelperProcess {
    /// Sends a task to the helper; returns nil if there is no picture, since it is heavy or the animation is over.
    fileprivate func decode(
        _ task: DecodeTask, _ file: [UInt8], in open: Int32? = nil, seconds: Double,
        isCancelled: () -> Bool
    ) throws(DecodeError) -> (DecoderAnswer, PixelBuffer)? {
        let (answer, bytes): (DecoderAnswer, [UInt8])
        do throws(Failure) {
            (answer, bytes) = try self.answer(
                to: task, file, in: open, as: DecoderAnswer.self, seconds: seconds,
                isCancelled: isCancelled)
        } catch {
            throw DecodeError(error)
        }
        switch DecoderAnswer.Kind(rawValue: answer.kind) {
        case .nothing where !task.mayBeHeavy || task.frame != nil: return nil
        case .failure: throw .stopped(String(utf8: bytes).oneLine(limit: 200))
        case .pixels:
            guard let pixels = answer.pixels(bytes) else { throw DecodeError(.crashed) }
            return (answer, pixels)
        case .nothing, nil: throw DecodeError(.crashed)
        }
    }
}

extension Address {
    /// The server, or the folder of a local file, whose pictures may share a process.
    fileprivate var confinement: String { isFile ? text.atLastSlash.folder : origin }
}

extension DecodeError {
    fileprivate static let unavailable = DecodeError.stopped(
        "no decoder process could be started")

    fileprivate init(_ failure: HelperProcess.Failure) {
        self =
            switch failure {
            case .crashed: .stopped("crashed its decoder")
            case .tooMuchMemory: .stopped("needs too much memory to decode")
            case .tooSlow: .tooSlow
            case .cancelled: .cancelled
            }
    }
}
