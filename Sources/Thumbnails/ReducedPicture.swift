import ImageCodecs
import Network
import Raster
import Trace

/// A whole picture at a size that serves many requests, and what its file told.
struct ReducedPicture: Sendable {
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
    var timings: PictureTimings
    /// The generation it was made for.
    let generation: CacheGeneration

    /// Reduces `image`, which was decoded from a file of `byteCount` bytes.
    init(
        _ image: DecodedImage, _ reduction: Reduction, byteCount: Int, isPartial: Bool = false,
        generation: CacheGeneration = .any
    ) {
        let pixels = image.pixels.reduced(reduction, of: image.sourceSize)
        self.init(
            pixels: pixels, sourceSize: image.sourceSize, format: image.format,
            byteCount: byteCount, dominant: pixels.dominantColor,
            isPartial: isPartial || image.isPartial,
            isEmbedded: image.isEmbedded, frameCount: image.frameCount,
            timings: PictureTimings(), generation: generation)
    }

    /// What only the pixels tell is found from them.
    init(
        pixels: PixelBuffer, sourceSize: PixelSize, format: ImageFormat, byteCount: Int,
        dominant: RGB, isPartial: Bool, isEmbedded: Bool, frameCount: Int,
        timings: PictureTimings, generation: CacheGeneration
    ) {
        self.pixels = pixels
        self.sourceSize = sourceSize
        self.format = format
        self.byteCount = byteCount
        self.dominant = dominant
        silhouette = Silhouette(pixels)
        self.isPartial = isPartial
        self.isEmbedded = isEmbedded
        self.frameCount = frameCount
        self.timings = timings
        self.generation = generation
    }

    /// Draws the part that `request` asks for, at exactly the sub-pixels of its cells; on a worker.
    ///
    /// `standIn` makes, for the source's size and that of what is seen, what lies where there are no pixels yet.
    func drawn(
        for request: ThumbnailRequest, _ tracer: Tracer = .disabled,
        over standIn: (PixelSize, PixelSize) -> PixelBuffer? = { _, _ in nil }
    ) -> Thumbnail {
        let watch = Stopwatch()
        let style = request.style
        let shrinking = tracer.begin("shrink", detail: request.address.text)
        // From the file's size, as the reduced one is rounded.
        let fit = Fit(sourceSize, region: request.region, into: request.box, style: style)
        let seen = pixels.resampled(request.region, to: fit.pixels)
        shrinking.end("ok")
        let drawing = tracer.begin("draw", detail: request.address.text)
        defer { drawing.end("ok") }
        var facts = PictureFacts(
            size: sourceSize, format: format, byteCount: byteCount, dominant: dominant,
            tint: dominant.tint(on: style.background, under: silhouette), isPartial: isPartial,
            frameCount: frameCount, timings: timings)
        let ground =
            standIn(sourceSize, fit.pixels).map { seen.composited(over: $0) }
            ?? seen.composited(over: style.ground(for: facts.tint, under: silhouette))
        let cells = BlockArt(style: style).cells(from: ground)
        facts.timings.draw = watch.microseconds
        return Thumbnail(cells: cells, facts: facts)
    }
}
