import CImageCodecs
public import Raster

/// Decodes the frames of an animated GIF, WebP or PNG in sequence.
///
/// Holds the file and the canvas, not the frames. Must be used from one thread at a time.
public final class Animation {
    /// The size of the canvas, upright, in pixels.
    public let size: PixelSize
    /// The total number of plays; nil to loop forever.
    public let plays: Int?

    private let orientation: Turn
    private let limits: DecodeLimits
    private let animation: OpaquePointer
    private let file: CPicture

    /// Opens an animation without decoding a frame.
    /// - Throws: `DecodeError`, also if the picture is not animated.
    public init(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(DecodeError) {
        var limits = limits
        limits.maxFramePixels = min(limits.maxFramePixels, limits.maxAnimationPixels)
        limits.maxPixels = min(limits.maxPixels, limits.maxFramePixels)
        let header = try ImageDecoder(limits: limits).header(of: FileBytes(bytes))
        let format = header.format
        guard format.canPlay else { throw .unknownFormat(format.rawValue) }
        var cLimits = halftone_limits(limits)
        var file = CPicture(limits)
        var opened: OpaquePointer?
        let status = halftone_animation_open(
            format.cFormat, bytes, bytes.count, &cLimits, &file.raw, &opened)
        try file.check(status, format, nil)
        guard let opened else { throw .broken(format, file.words) }
        plays = file.raw.plays == 0 ? nil : Int(file.raw.plays)
        self.limits = limits
        animation = opened
        orientation = header.orientation
        size = orientation.turned(file.sourceSize)
        self.file = file
    }

    deinit { halftone_animation_close(animation) }

    /// Draws the next frame on the canvas; returns its duration in milliseconds, or nil after the last frame.
    ///
    /// Blocks for the CPU time of the decode.
    /// - Throws: `DecodeError` if it exceeds the time limit.
    public func advance() throws(DecodeError) -> Int? {
        var limits = halftone_limits(limits)
        var milliseconds: Int32 = 0
        switch halftone_animation_next(animation, &limits, &milliseconds) {
        case HALFTONE_DECODED: return FrameDuration.shown(Int(milliseconds))
        case HALFTONE_ENDED: return nil
        default: throw .tooSlow
        }
    }

    /// Returns the canvas in sRGB, upright, at the smallest size that covers `target`; at full size if nil.
    public func picture(covering target: PixelSize?) -> PixelBuffer {
        let stored = target.map(orientation.turned)
        var frame = CPicture(limits)
        halftone_animation_picture(animation, halftone_target(stored), &frame.raw)
        return frame.pixels(in: file.raw.colors, turned: orientation, covering: stored)
    }

    /// Rewinds to before the first frame; returns false if the file cannot be read again.
    public func rewind() -> Bool {
        var limits = halftone_limits(limits)
        return halftone_animation_rewind(animation, &limits)
    }
}
