import CImageCodecs
public import Raster

extension ImageDecoder {
    /// Decodes the smallest picture embedded in a JPEG (EXIF thumbnail or camera preview) or raw file that has at least `least` pixels in
    /// both directions (upright); nil if none qualifies.
    ///
    /// Uses the orientation and colours of the main picture. An embedded picture left over from before an edit cannot be detected; only its
    /// aspect ratio is checked. `sourceSize` is that of the main picture.
    /// - Parameter bytes: The file, or its beginning.
    /// - Parameter target: The size wanted, as for `decode`.
    public func decodeEmbedded(
        _ bytes: FileBytes, covering target: PixelSize?, ofAtLeast least: PixelSize,
        cancellation: DecodeCancellation? = nil
    ) -> DecodedImage? {
        guard let header = try? header(of: bytes), [.jpeg, .raw].contains(header.format) else {
            return nil
        }
        let main = header.orientation.turned(header.size)
        let needed = header.orientation.turned(least).limited(to: main)
        for candidate in EmbeddedJPEG.all(in: bytes, of: main) {
            guard let content = candidate.content(of: main),
                content.width >= needed.width, content.height >= needed.height,
                let pixels = pixels(
                    of: candidate, content, in: bytes,
                    covering: target.map(header.orientation.turned), cancellation)
            else { continue }
            return DecodedImage(
                pixels: pixels.turned(header.orientation), sourceSize: header.size,
                format: header.format, isEmbedded: true, frameCount: header.frameCount)
        }
        return nil
    }

    /// Returns the pixels of a candidate as stored, without the bars around `content`; nil if it is broken or its colours differ in kind.
    private func pixels(
        of candidate: EmbeddedJPEG, _ content: PixelSize, in bytes: FileBytes,
        covering target: PixelSize?, _ cancellation: DecodeCancellation?
    ) -> PixelBuffer? {
        // Bars are cropped at full resolution.
        let hasBars = content != candidate.size
        let target = hasBars ? nil : target
        var picture = CPicture(limits)
        guard
            (try? picture.decode(.jpeg, candidate.bytes, covering: target, cancellation)) != nil,
            !picture.raw.partial
        else { return nil }
        var main = CPicture(limits)
        main.readJPEGHeader(CameraRaw(bytes)?.previews.last ?? bytes)
        let colors = main.raw.colors
        guard colors.model == picture.raw.colors.model, colors.model != HALFTONE_INKS else {
            return nil
        }
        let pixels = picture.pixels(in: colors, turned: Turn(), covering: target)
        guard hasBars else { return pixels }
        return pixels.size == candidate.size ? pixels.withoutBars(around: content) : nil
    }
}

extension PixelBuffer {
    /// Returns the pixels in the middle; nil unless all outer ones are as good as black, except those adjacent to the inner ones.
    fileprivate func withoutBars(around inner: PixelSize) -> PixelBuffer? {
        let left = (size.width - inner.width) / 2
        let top = (size.height - inner.height) / 2
        // Ringing around a bright edge can extend across its block.
        let nearlyBlack: UInt8 = 40
        let isBar = { (x: Int, y: Int) in
            x < left - 1 || x > left + inner.width || y < top - 1 || y > top + inner.height
        }
        for y in 0..<size.height {
            for x in 0..<size.width where isBar(x, y) {
                let at = (y * size.width + x) * 4
                guard bytes[at..<at + 3].allSatisfy({ $0 <= nearlyBlack }) else { return nil }
            }
        }
        var kept: [UInt8] = []
        kept.reserveCapacity(inner.count * 4)
        for y in top..<top + inner.height {
            let start = (y * size.width + left) * 4
            kept += bytes[start..<start + inner.width * 4]
        }
        return PixelBuffer(size: inner, bytes: kept, isOpaque: isOpaque)
    }
}
