import CImageEncoders
public import Raster

/// The settings of the GIF encoder.
public struct GIFOptions: Hashable, Sendable {
    /// The duration of each frame, in seconds.
    public var delay: Double
    /// The number of repetitions, 0 for endless; nil omits it, so that the frames are shown once.
    public var repeats: Int?
    /// Whether to write rows in four passes, from coarse to fine.
    public var isInterlaced: Bool
    /// The canvas size, in pixels; the first frame's size if nil.
    public var canvas: PixelSize?
    /// The distance from the canvas's left edge to each frame's, in pixels.
    public var left: Int
    /// The distance from the canvas's top edge to each frame's, in pixels.
    public var top: Int

    /// Creates options; by default frames are as large as the canvas.
    public init(
        delay: Double = 0.1, repeats: Int? = nil, isInterlaced: Bool = false,
        canvas: PixelSize? = nil, left: Int = 0,
        top: Int = 0
    ) {
        self.delay = delay
        self.repeats = repeats
        self.isInterlaced = isInterlaced
        self.canvas = canvas
        self.left = left
        self.top = top
    }
}

extension ImageEncoder {
    /// Encodes a GIF of one frame; pixels with alpha under 128 become transparent, the others are reduced to 255 colours.
    public static func gif(
        _ pixels: PixelBuffer, _ options: GIFOptions = GIFOptions()
    ) throws(EncodeError) -> [UInt8] {
        try gif(animating: [pixels], options)
    }

    /// Encodes a GIF of `frames`, each with its own palette.
    public static func gif(
        animating frames: [PixelBuffer], _ options: GIFOptions = GIFOptions()
    ) throws(EncodeError) -> [UInt8] {
        guard let first = frames.first else { throw EncodeError("no frames") }
        let canvas = options.canvas ?? first.size
        let encoded = frames.map { GIFFrame($0) }
        return try file { file in
            withFrames(encoded[...], options, gathered: []) { forms in
                halftone_encode_gif(
                    Int32(canvas.width), Int32(canvas.height), forms, Int32(forms.count),
                    Int32(options.repeats ?? -1), &file)
            }
        }
    }

    /// Collects the C representation of the frames while all their arrays are kept alive.
    private static func withFrames(
        _ frames: ArraySlice<GIFFrame>, _ options: GIFOptions, gathered: [halftone_gif_frame],
        _ body: ([halftone_gif_frame]) -> Bool
    ) -> Bool {
        guard let frame = frames.first else { return body(gathered) }
        return frame.indices.withUnsafeBufferPointer { indices in
            frame.palette.withUnsafeBufferPointer { palette in
                let disposeToBackground: Int32 = 2
                let form = halftone_gif_frame(
                    left: Int32(options.left), top: Int32(options.top),
                    width: Int32(frame.size.width), height: Int32(frame.size.height),
                    indices: indices.baseAddress, palette: palette.baseAddress,
                    transparent: Int32(frame.transparent ?? -1), disposal: disposeToBackground,
                    delay: Int32(options.delay * 100), interlaced: options.isInterlaced)
                return withFrames(
                    frames.dropFirst(), options, gathered: gathered + [form], body)
            }
        }
    }
}

/// One frame, quantized to a palette of 256 colours of 3 bytes.
private struct GIFFrame {
    let size: PixelSize
    let indices: [UInt8]
    let palette: [UInt8]
    let transparent: Int?

    init(_ pixels: PixelBuffer) {
        let indexed = IndexedPixels(pixels.withBinaryAlpha)
        let colors = indexed.palette.flatMap { [$0.red, $0.green, $0.blue] }
        size = pixels.size
        indices = indexed.indices
        palette = colors + [UInt8](repeating: 0, count: 256 * 3 - colors.count)
        transparent = indexed.palette.firstIndex { $0.alpha == 0 }
    }
}

extension PixelBuffer {
    /// Transparent black where alpha is under 128, opaque elsewhere, since GIF supports nothing else.
    fileprivate var withBinaryAlpha: PixelBuffer {
        var bytes = bytes
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let isClear = bytes[start + 3] < 128
            bytes[start + 3] = isClear ? 0 : 255
            for channel in start..<start + 3 where isClear {
                bytes[channel] = 0
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: isOpaque)
    }
}
