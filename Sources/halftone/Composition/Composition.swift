import Gallery
import ImageCodecs
import Network
import Pipeline
import Thumbnails
import Trace

/// The parts of the program, wired: the only place that names concrete types.
struct Composition {
    let pages: GalleryLoader
    let thumbnails: ThumbnailPipeline
    let saver: PictureSaver
    let webBrowser: WebBrowser
    let fetcher: Fetcher
    let tracer: Tracer
    /// How pages were read, if that is asked for.
    let explanations: ExplanationList?

    init(options: Options, sources: [Source], environment: Environment) throws(UsageError) {
        tracer = try Self.tracer(options)
        let coordinator = Coordinator()
        var network = options.network
        network.adopt(variables: environment.variables)
        network.sourceHosts = Set(sources.map(\.address.host))
        network.pictureTypes = ImageFormat.readableMediaTypes
        if options.usesCache {
            network.cacheFolder =
                options.cacheFolder
                ?? environment.folder("XDG_CACHE_HOME", fallback: ".cache")
        }
        let fetcher = Fetcher(options: network, coordinator: coordinator, tracer: tracer)
        self.fetcher = fetcher
        let explanations = options.mode == .explain ? ExplanationList() : nil
        self.explanations = explanations
        pages = GalleryLoader(
            fetcher: fetcher, recipes: try Self.recipes(options, environment), tracer: tracer,
            explain: explanations?.add)
        saver = PictureSaver(
            fetcher: fetcher,
            folder: SaveFolder(path: options.outputFolder ?? environment.workingFolder))
        webBrowser = WebBrowser(variables: environment.variables)
        var drawing = ThumbnailOptions()
        drawing.decodeLimits.maxPixels = options.maxPixels
        thumbnails = ThumbnailPipeline(
            fetcher: fetcher, coordinator: coordinator, store: fetcher.store, options: drawing,
            tracer: tracer)
    }

    /// Writes to the disk cache what waits to be written, as far as that does not delay the end of the program noticeably.
    func finishWriting() {
        fetcher.finishWriting(milliseconds: Self.patience)
    }

    /// Milliseconds: some megabytes to a slow disk, and not yet a delay that one would notice.
    private static let patience = 200

    /// The recipes of `--recipe` first, then the user's own, then those that ship.
    ///
    /// A wrong one that was asked for is wrong usage; in the folders it is a line on standard error.
    private static func recipes(
        _ options: Options, _ environment: Environment
    ) throws(UsageError) -> [Recipe] {
        var recipes: [Recipe] = []
        for file in options.recipeFiles {
            do throws(RecipeError) {
                recipes.append(try Recipe(file: file))
            } catch {
                throw UsageError(subject: "--recipe", reason: error.description)
            }
        }
        let folders = [
            environment.folder("XDG_CONFIG_HOME", fallback: ".config"), environment.resources(),
        ]
        for (folder, name) in zip(folders, ["/recipes", "/Recipes"]) {
            guard let folder else { continue }
            let library = Recipe.all(in: folder + name)
            recipes += library.recipes
            library.errors.forEach { complain($0.description) }
        }
        return recipes
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
