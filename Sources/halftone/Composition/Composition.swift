import Gallery
import ImageCodecs
import Network
import Pipeline
import Thumbnails
import Trace

/// The parts of the program, wired: the only place that names concrete types.
struct Composition {
    /// Loads pages.
    let pages: GalleryLoader
    /// Draws pictures.
    let thumbnails: ThumbnailPipeline
    /// Writes the trace, if one is asked for.
    let tracer: Tracer

    /// Builds the parts as `options` say.
    init(options: Options, sources: [Source], environment: Environment) throws(UsageError) {
        tracer = try Self.tracer(options)
        let coordinator = Coordinator()
        var network = options.network
        network.sourceHosts = Set(sources.map(\.address.host))
        if options.usesCache {
            network.cacheFolder =
                options.cacheFolder
                ?? environment.folder("XDG_CACHE_HOME", fallback: ".cache")
        }
        let fetcher = Fetcher(options: network, coordinator: coordinator, tracer: tracer)
        pages = GalleryLoader(
            fetcher: fetcher, recipes: try Self.recipes(options, environment), tracer: tracer)
        var drawing = ThumbnailOptions()
        drawing.decodeLimits.maxPixels = options.maxPixels
        thumbnails = ThumbnailPipeline(
            fetcher: fetcher, coordinator: coordinator, options: drawing, tracer: tracer)
    }

    private static func tracer(_ options: Options) throws(UsageError) -> Tracer {
        guard let path = options.traceFile else { return .disabled }
        do {
            return try Tracer(path: path)
        } catch {
            throw UsageError(subject: "--trace \(path)", reason: "\(error)")
        }
    }
}
