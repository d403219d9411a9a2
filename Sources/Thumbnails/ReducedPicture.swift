import Basics
import ImageCodecs
import Network
import Raster
import Trace

/// A whole picture at a size that serves many requests, and the facts of its file.
struct ReducedPicture {
    let pixels: PixelBuffer
    /// The facts of the whole picture; those that depend on the style are added when it is drawn.
    var facts: PictureFacts
    /// Whether the picture is derived from a smaller one embedded in the file.
    let isEmbedded: Bool
    let generation: CacheGeneration
    /// The silhouette of a cut-out; nil for other pictures.
    let silhouette: Silhouette?

    init(
        _ pixels: PixelBuffer, _ facts: PictureFacts, isEmbedded: Bool, generation: CacheGeneration
    ) {
        self.pixels = pixels
        self.facts = facts
        self.isEmbedded = isEmbedded
        self.generation = generation
        silhouette = Silhouette(pixels)
        self.facts.content = pixels.content
        if !facts.isPartial { self.facts.fingerprint = pixels.fingerprint }
    }

    init(
        _ image: DecodedImage, byteCount: Int, isPartial: Bool = false,
        generation: CacheGeneration = .any
    ) {
        var facts = PictureFacts(
            size: image.sourceSize, format: image.format, byteCount: byteCount,
            dominant: image.pixels.dominantColor, frameCount: image.frameCount)
        facts.seconds = image.milliseconds / 1000
        facts.isPartial = isPartial || image.isPartial
        self.init(image.pixels, facts, isEmbedded: image.isEmbedded, generation: generation)
    }

    /// Draws the part requested by `request`, at exactly the sub-pixels of its cells; on a worker.
    ///
    /// `standIn` returns a background for pixels that have not arrived, given the source's size and that of the visible part.
    func drawn(
        for request: ThumbnailRequest, _ tracer: Tracer = .disabled,
        over standIn: (PixelSize, PixelSize) -> PixelBuffer? = { _, _ in nil }
    ) -> Thumbnail {
        let watch = Stopwatch()
        let style = request.style
        // Uses the file's size, as the reduced one is rounded.
        let fit = request.fit(facts.size)
        let drawing = tracer.begin("draw", detail: request.address.text)
        defer { drawing.end("ok") }
        var facts = facts
        facts.tint = facts.dominant.tint(on: style.background, under: silhouette)
        let ground = style.ground(for: facts.tint, under: silhouette)
        var thumbnail = Thumbnail(fitting: fit, style: style, facts: facts) { size in
            let shrinking = tracer.begin("shrink", detail: request.address.text)
            let seen = request.seen(of: pixels, from: facts.size, at: size)
            shrinking.end("ok")
            return standIn(facts.size, size).map { seen.composited(over: $0) }
                ?? seen.composited(over: ground)
        }
        thumbnail.facts.timings.draw = watch.microseconds
        return thumbnail
    }
}
