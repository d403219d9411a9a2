import Raster

/// A smaller JPEG of the same picture, which its camera put into the file beside it.
struct EmbeddedJPEG {
    /// Its file.
    let bytes: ArraySlice<UInt8>
    /// Its size as stored.
    let size: PixelSize

    /// More pixels than any camera's preview has (1920 × 1440), and more bytes.
    private static let mostPixels = 4_000_000
    private static let mostBytes = 4 << 20

    /// Nil unless `bytes` begin as a JPEG of a size that can be a preview of one stored at `main`.
    init?(_ bytes: ArraySlice<UInt8>?, of main: PixelSize) {
        guard let bytes, bytes.count <= Self.mostBytes,
            ImageFormat(sniffing: bytes) == .jpeg,
            let header = StoredHeader(jpeg: ByteReader(bytes)),
            header.width > 0, header.height > 0,
            header.width * header.height <= Self.mostPixels,
            header.width < main.width, header.height < main.height
        else { return nil }
        self.bytes = bytes
        size = PixelSize(width: header.width, height: header.height)
    }

    /// The part of it that shows a picture of `main`'s shape: all, or what is left without the bars that fill a frame of
    /// another shape, as 160 × 120 is to a photograph of 3 : 2; nil if it can be neither.
    ///
    /// - Returns: Columns and rows from the left and the top, and their counts.
    func content(of main: PixelSize) -> (left: Int, top: Int, size: PixelSize)? {
        // What either side would be if the other is right.
        let width = Double(size.height) * Double(main.width) / Double(main.height)
        let height = Double(size.width) * Double(main.height) / Double(main.width)
        if abs(width - Double(size.width)) <= Self.slack
            || abs(height - Double(size.height)) <= Self.slack
        {
            return (0, 0, size)
        }
        // Whole rows or columns of the picture alone, without those that it shares with a bar.
        let inner =
            height < Double(size.height)
            ? PixelSize(width: size.width, height: Int(height) / 2 * 2)
            : PixelSize(width: Int(width) / 2 * 2, height: size.height)
        guard Double(inner.width * inner.height) >= Self.leastContent * Double(area) else {
            return nil
        }
        return ((size.width - inner.width) / 2, (size.height - inner.height) / 2, inner)
    }

    private var area: Int { size.width * size.height }

    /// Sides are rounded, and rounded to even numbers where colour is stored at half the resolution.
    private static let slack = 1.5
    /// A picture of 16 : 9 takes three quarters of a frame of 4 : 3, a square as much; panoramas have to be read.
    private static let leastContent = 0.7
}
