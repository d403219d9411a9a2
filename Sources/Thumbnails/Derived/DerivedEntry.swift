import ImageCodecs
import Network
import Pipeline
import Raster

/// A reduced picture as it lies in the disk cache: its facts as metadata, its pixels as they are, three bytes each if it is opaque.
///
/// Not compressed: 14 KB for a tile of 24 columns. As PNG or lossless WebP photographs of that size take 54 and 45 % of that, and longer to
/// unpack than everything else that a tile needs from here on.
enum DerivedEntry {
    static func make(of picture: ReducedPicture) -> DiskCache.Entry {
        let size = picture.pixels.size
        let dominant = picture.dominant
        return DiskCache.Entry(
            metadata: [
                ("pixels", "\(size.width) \(size.height) \(picture.pixels.isOpaque ? 3 : 4)"),
                ("source", "\(picture.sourceSize.width) \(picture.sourceSize.height)"),
                ("format", picture.format.rawValue),
                ("bytes", "\(picture.byteCount)"),
                ("dominant", "\(dominant.red) \(dominant.green) \(dominant.blue)"),
                ("frames", "\(picture.frameCount)"),
            ], body: packed(picture.pixels))
    }

    /// Nil if `entry` is not of this form: files can be changed by anybody who can write the folder.
    static func picture(
        _ entry: DiskCache.Entry, isEmbedded: Bool, edition: CacheGeneration,
        timings: PictureTimings
    ) -> ReducedPicture? {
        func numbers(_ name: String, _ count: Int) -> [Int]? {
            let value = entry.metadata.first { $0.name == name }?.value
            let numbers = value?.split(separator: " ").compactMap { Int($0) }
            return numbers?.count == count && numbers?.allSatisfy { $0 >= 0 } == true
                ? numbers : nil
        }
        guard let pixels = numbers("pixels", 3), let source = numbers("source", 2),
            let byteCount = numbers("bytes", 1)?[0], let frameCount = numbers("frames", 1)?[0],
            let dominant = numbers("dominant", 3)?.map({ UInt8(clamping: $0) }),
            let format = entry.metadata.first(where: { $0.name == "format" })
                .flatMap({ ImageFormat(rawValue: $0.value) }),
            let buffer = unpacked(
                entry.body, PixelSize(width: pixels[0], height: pixels[1]), channels: pixels[2])
        else { return nil }
        return ReducedPicture(
            pixels: buffer, sourceSize: PixelSize(width: source[0], height: source[1]),
            format: format, byteCount: byteCount,
            dominant: RGB(red: dominant[0], green: dominant[1], blue: dominant[2]),
            isEmbedded: isEmbedded, frameCount: frameCount, edition: edition, timings: timings)
    }

    // MARK: Pixels

    private static func packed(_ pixels: PixelBuffer) -> [UInt8] {
        guard pixels.isOpaque else { return pixels.bytes }
        let count = pixels.size.width * pixels.size.height
        return [UInt8](unsafeUninitializedCapacity: count * 3) { packed, packedCount in
            for pixel in 0..<count {
                for channel in 0..<3 {
                    packed[pixel * 3 + channel] = pixels.bytes[pixel * 4 + channel]
                }
            }
            packedCount = count * 3
        }
    }

    private static func unpacked(
        _ bytes: [UInt8], _ size: PixelSize, channels: Int
    ) -> PixelBuffer? {
        // As numbers that cannot overflow: they are compared with what is there.
        let count = size.width.multipliedReportingOverflow(by: size.height)
        guard !count.overflow, count.partialValue > 0, channels == 3 || channels == 4,
            count.partialValue == bytes.count / channels, bytes.count % channels == 0
        else { return nil }
        guard channels == 3 else {
            return PixelBuffer(size: size, bytes: bytes, isOpaque: false)
        }
        let unpacked = [UInt8](
            unsafeUninitializedCapacity: count.partialValue * 4
        ) { unpacked, unpackedCount in
            for pixel in 0..<count.partialValue {
                for channel in 0..<3 {
                    unpacked[pixel * 4 + channel] = bytes[pixel * 3 + channel]
                }
                unpacked[pixel * 4 + 3] = 255
            }
            unpackedCount = count.partialValue * 4
        }
        return PixelBuffer(size: size, bytes: unpacked, isOpaque: true)
    }
}

extension ReducedPicture {
    /// One that was made in an earlier run.
    ///
    /// What only the pixels tell is found anew from them, as it was then.
    init(
        pixels: PixelBuffer, sourceSize: PixelSize, format: ImageFormat, byteCount: Int,
        dominant: RGB, isEmbedded: Bool, frameCount: Int, edition: CacheGeneration,
        timings: PictureTimings
    ) {
        self.pixels = pixels
        self.sourceSize = sourceSize
        self.format = format
        self.byteCount = byteCount
        self.dominant = dominant
        silhouette = Silhouette(pixels)
        isPartial = false
        self.isEmbedded = isEmbedded
        self.frameCount = frameCount
        self.timings = timings
        self.edition = edition
    }
}
