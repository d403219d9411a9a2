import ImageCodecs
import Network
import Raster

/// A whole picture at a size that serves many requests, and what its file told.
struct ReducedPicture: Sendable {
    /// What it costs beside its pixels, about: key, facts, the cache's own tables.
    private static let overhead = 400

    let pixels: PixelBuffer
    let sourceSize: PixelSize
    let format: ImageFormat
    let byteCount: Int
    /// Of the whole picture, so that it does not change with the tile's size.
    let dominant: RGB
    /// What a cut-out shows of itself; nil for other pictures.
    let silhouette: Silhouette?
    let isPartial: Bool
    /// Whether it comes from a smaller picture embedded in the file.
    let isEmbedded: Bool
    let frameCount: Int
    let timings: PictureTimings
    /// Which edition of the file it was made from.
    let edition: CacheGeneration

    /// Reduces `image`.
    init(
        _ image: DecodedImage, _ reduction: Reduction, edition: CacheGeneration, file: PictureFile,
        watch: Stopwatch
    ) {
        pixels = image.pixels.reduced(reduction, of: image.sourceSize)
        sourceSize = image.sourceSize
        format = image.format
        byteCount = file.bytes.count
        dominant = pixels.dominantColor
        silhouette = Silhouette(pixels)
        isPartial = image.isPartial
        isEmbedded = image.isEmbedded
        frameCount = image.frameCount
        timings = file.timings(decodedIn: watch)
        self.edition = edition
    }

    /// Bytes.
    var cost: Int { pixels.bytes.count + Self.overhead }

    func facts(on background: RGB) -> PictureFacts {
        PictureFacts(
            size: sourceSize, format: format, byteCount: byteCount, dominant: dominant,
            tint: dominant.tint(on: background, under: silhouette), isPartial: isPartial,
            frameCount: frameCount, timings: timings)
    }
}

extension PictureFile {
    /// Until it was decoded, which `watch` has measured up to now.
    fileprivate func timings(decodedIn watch: Stopwatch) -> PictureTimings {
        var timings = timings
        timings.decode = watch.microseconds
        timings.queue += max(0, arrived.microseconds - timings.decode)
        return timings
    }
}
