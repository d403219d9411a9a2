import CImageCodecs
import Raster

// What goes into the C decoders and comes out of them, in their own forms.

extension halftone_limits {
    init(_ limits: DecodeLimits, _ cancellation: DecodeCancellation?) {
        self.init(
            max_pixels: Int64(limits.maxPixels),
            max_frame_pixels: Int64(limits.maxFramePixels),
            max_memory: Int64(limits.maxMemory), max_scans: Int32(clamping: limits.maxScans),
            seconds: limits.seconds, cancelled: cancellation?.flag)
    }
}

extension halftone_target {
    /// Nil is the whole picture.
    init(_ size: PixelSize?) {
        self.init(
            width: Int32(clamping: size?.width ?? 0), height: Int32(clamping: size?.height ?? 0))
    }
}

extension halftone_picture {
    /// What the library says is wrong, without anything but printable ASCII.
    var words: String {
        withUnsafeBytes(of: error) { error in
            String(
                decoding: error.prefix { $0 != 0 }.filter { $0 >= 0x20 && $0 < 0x7F },
                as: UTF8.self)
        }
    }
}

extension PixelSize {
    /// The least size of the same shape that covers `target`; itself where that is larger.
    func reduced(covering target: PixelSize) -> PixelSize {
        let scale = max(
            Double(target.width) / Double(width), Double(target.height) / Double(height))
        guard scale < 1 else { return self }
        return PixelSize(
            width: max(1, Int((Double(width) * scale).rounded(.up))),
            height: max(1, Int((Double(height) * scale).rounded(.up))))
    }
}
