import CImageCodecs
public import Raster

/// The frames of an animated GIF, WebP or PNG, one after the other.
///
/// Holds the file and the canvas, not the frames. On one thread at a time.
public final class Animation {
    /// The canvas, upright, in pixels.
    public let size: PixelSize
    /// How often it is to be shown, all in all; nil for ever.
    public let plays: Int?

    private let format: ImageFormat
    private let orientation: Orientation
    private let limits: DecodeLimits
    private let animation: OpaquePointer
    private let colors: halftone_colors

    /// Opens an animation; decodes nothing yet.
    /// - Throws: `DecodeError`, also for a picture that does not move.
    public init(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(DecodeError) {
        guard let header = ImageHeader(of: bytes), header.format.canPlay else {
            throw .unknownFormat(ForeignFormat.name(of: bytes))
        }
        var limits = limits
        limits.maxFramePixels = min(limits.maxFramePixels, limits.maxAnimationPixels)
        var cLimits = halftone_limits(limits, nil)
        var picture = halftone_picture()
        guard
            let opened = halftone_animation_open(
                header.format.cFormat, bytes, bytes.count, &cLimits, &picture)
        else {
            let words = picture.words
            halftone_picture_free(&picture)
            let pixels = header.size.width.multipliedReportingOverflow(by: header.size.height)
            guard !pixels.overflow, pixels.partialValue <= limits.maxFramePixels else {
                throw .tooLarge(header.size, maxPixels: limits.maxFramePixels)
            }
            throw .broken(header.format, words)
        }
        self.limits = limits
        animation = opened
        colors = picture.colors
        format = header.format
        orientation = header.orientation
        size = orientation.turned(
            PixelSize(width: Int(picture.source_width), height: Int(picture.source_height)))
        let plays = Int(halftone_animation_plays(opened))
        self.plays = plays == 0 ? nil : plays
    }

    deinit {
        halftone_animation_close(animation)
        var picture = halftone_picture()
        picture.colors = colors
        halftone_picture_free(&picture)
    }

    /// Draws the next frame on the canvas; returns for how many milliseconds it is to be seen, nil after the last.
    ///
    /// Blocks for the CPU time that it takes.
    /// - Throws: `DecodeError`, if it takes longer than allowed or is cancelled.
    public func advance(cancellation: DecodeCancellation? = nil) throws(DecodeError) -> Int? {
        var limits = halftone_limits(limits, cancellation)
        var milliseconds: Int32 = 0
        switch halftone_animation_next(animation, &limits, &milliseconds) {
        case HALFTONE_DECODED: return Self.delay(Int(milliseconds))
        case HALFTONE_ENDED: return nil
        default: throw cancellation?.isCancelled == true ? .cancelled : .tooSlow
        }
    }

    /// As browsers do: up to 10 ms is what old programs wrote for "as fast as possible", and becomes 100; nothing is shown
    /// faster than 50 frames a second.
    private static func delay(_ milliseconds: Int) -> Int {
        milliseconds <= 10 ? 100 : max(20, milliseconds)
    }

    /// The canvas in sRGB, upright, at the least size that covers `target`; whole if nil.
    public func picture(covering target: PixelSize?) -> PixelBuffer {
        let stored = target.map(orientation.turned)
        var picture = halftone_picture()
        defer {
            // Ours, for all frames.
            picture.colors.profile = nil
            halftone_picture_free(&picture)
        }
        picture.colors = colors
        _ = halftone_animation_picture(animation, halftone_target(stored), &picture)
        return picture.pixels(turned: orientation, covering: stored, limits)
    }

    /// Goes back to before the first frame; false if the file cannot be read again.
    public func rewind() -> Bool {
        halftone_animation_rewind(animation)
    }
}
