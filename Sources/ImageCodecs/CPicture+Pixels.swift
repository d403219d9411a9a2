import CImageCodecs
import Raster

extension halftone_picture {
    /// The pixels in sRGB, upright; one transparent pixel if there are none.
    ///
    /// Converting costs more than anything else a pixel: those that will be averaged anyway are, before.
    /// - Parameter target: The least size that will do, as stored; nil for all pixels.
    func pixels(
        turned orientation: Orientation, covering target: PixelSize?, _ limits: DecodeLimits
    ) -> PixelBuffer {
        let stored = storedPixels(turned: orientation)
        guard colors.model != HALFTONE_INKS else { return stored }
        let size =
            target.map { stored.size.reduced(covering: orientation.turned($0)) } ?? stored.size
        let count = size.width * size.height
        guard
            let converter = ColorConverter(
                colors, count: count, limits: halftone_limits(limits, nil))
        else { return stored }
        var pixels = stored.resampled(to: size)
        pixels.bytes.withUnsafeMutableBufferPointer { bytes in
            converter.convert(bytes.baseAddress, count: count)
        }
        return pixels
    }

    private func storedPixels(turned orientation: Orientation) -> PixelBuffer {
        let size = PixelSize(width: Int(width), height: Int(height))
        guard let rgba else {
            let one = PixelSize(width: 1, height: 1)
            return PixelBuffer(size: one, bytes: [0, 0, 0, 0], isOpaque: false)
        }
        return PixelBuffer(
            turning: rgba, size: size, orientation, mayBeClear: may_be_clear || partial)
    }
}
