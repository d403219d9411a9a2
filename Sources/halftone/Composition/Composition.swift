import Basics
import Browser
import Collector
import Dispatch
import Gallery
import ImageCodecs
import Network
import Pipeline
import Raster
import Rendering
import State
import Thumbnails
import Trace

/// The components of the program, wired together: the only place that names concrete types.
struct Composition {
    let pages: PlacePages
    /// The same, reduced to what is new in followed galleries.
    let news: PlacePages
    private let galleries: GalleryLoader
    let thumbnails: ThumbnailPipeline
    let saver: PictureSaver
    let files: FileChanger
    /// The tmux server around the program; nil outside tmux.
    let tmux: TmuxServer?
    let indexer: PictureIndexer
    /// What the view models use of them.
    let services: BrowserServices
    let fetcher: FetchStage
    let tracer: Tracer
    private let shippedRecipes: ShippedRecipes
    /// Where pictures are decoded.
    let decoders: Decoders
    /// What keeps the answers of the web, if requested.
    let recorder: WebRecorder?
    /// Explanations of how pages were read, if requested.
    let explanations = Locked<[String]>([])

    /// - Parameter state: what is kept from one run to the next; nil if nothing may be, or without a home.
    /// - Parameter stream: what standard input lists, if that is one of `sources`.
    init(
        options: Options, sources: [Source], environment: Environment, recipes own: [Recipe],
        decoders: Decoders, state: StateStore?, stream: PictureStream? = nil
    ) throws(UsageError) {
        self.decoders = decoders
        let variables = environment.variables
        let resources = environment.resources()
        tracer = try blaming("--trace") {
            try options.traceFile.map { try Tracer(path: $0) } ?? .disabled
        }
        var network = options.network
        network.adopt(variables: variables)
        network.sources = sources.map(\.address)
        network.pictureTypes = ImageFormat.readableMediaTypes
        // What is kept as a file need not be written twice.
        network.cachesPictures = !options.savesAll
        recorder = try blaming("--record") {
            try options.recording.map { try WebRecorder(path: $0) }
        }
        network.record = recorder?.record
        network.isReadInPlace = { ImageFormat(sniffing: $0)?.isReadInPlace == true }
        // The look of a file is kept, so its pixels need not be.
        if options.usesCache, options.mode != .index {
            network.cacheFolder =
                options.cacheFolder ?? environment.folder("XDG_CACHE_HOME", fallback: ".cache")
        }
        network.paceOfPage = { page in own.first { $0.matches(page) }?.pace ?? PaceOptions() }
        for (host, settings) in options.sites {
            var site = options
            site.network = network
            site.network.headers = []
            site.network.cookieFile = nil
            // What is wrong with them has been told.
            for (spec, value) in settings { try? spec.apply(&site, value, as: host) }
            network.sites[host] = site.network
            // What is no secret is for all of the host.
            site.network.headers = []
            site.network.cookieFile = nil
            let bare = Address("http://" + host.replacing("http://", with: ""))?.host ?? host
            network.sites[bare] = network.sites[bare] ?? site.network
            let (user, program) = site.login
            if !program.isEmpty {
                network.sites[host]?.login = ProgramOutput.login(of: user, by: program)
            }
        }
        let pictureDecoders = ThumbnailPipeline.makeDecoders()
        fetcher = FetchStage(options: network, yieldingTo: pictureDecoders, tracer: tracer)
        let shipped = ShippedRecipes(folder: resources.map { "\($0)/Recipes" })
        shippedRecipes = shipped
        var drawing = ThumbnailOptions()
        drawing.decodeLimits.maxPixels = options.maxPixels
        drawing.sandbox = decoders.sandbox
        thumbnails = ThumbnailPipeline(
            fetcher: fetcher, store: fetcher.store, decoders: pictureDecoders, options: drawing,
            tracer: tracer)
        let watch = FolderWatch()
        let teaching = RecipeTeaching(folder: environment.recipes)
        galleries = GalleryLoader(
            fetcher: fetcher,
            reader: PageReader(
                recipes: own + shipped.recipes, teaching: teaching,
                folders: FolderReader(
                    sources: sources,
                    isRecursive: options.isRecursive || options.browser.goesToNewest,
                    ignored: Set(options.ignored), archives: fetcher.archives, watch: watch),
                tracer: tracer,
                explain: [.explain, .makeRecipe].contains(options.mode) ? explanations.add : nil,
                makesRecipe: options.mode == .makeRecipe,
                countPages: thumbnails.pageCount),
            tracer: tracer)
        var services = BrowserServices()
        let rendered = RenderedPages(
            galleries: galleries,
            renderer: PageRenderer(
                options.browserProgram.isEmpty ? Self.browsers : [options.browserProgram],
                script: resources.map { "\($0)/Rendering/page.js" } ?? "",
                in: variables.firstFilled("XDG_RUNTIME_DIR") ?? temporaryFolder,
                limit: network.maxBytes, fetcher: fetcher), network: network)
        services.toggleRendering = rendered.toggle
        let programs = ProgramPages(
            galleries: galleries, pages: rendered, rules: network.isOffline ? [] : options.programs,
            limit: network.maxBytes)
        network.sources.forEach(programs.note)
        pages = PlacePages(
            galleries: programs, fetcher: fetcher, state: state, folder: environment.stateFolder,
            watch: watch, stream: stream)
        var news = pages
        news.hasOnlyNew = true
        self.news = news
        var saving = options.saving
        saving.workingFolder = environment.workingFolder
        saver = PictureSaver(fetcher: fetcher, options: saving, state: state)
        files = FileChanger(
            homeTrash: environment.folder(
                "XDG_DATA_HOME", fallback: ".local/share", name: "/Trash"))
        tmux = TmuxServer(variables: variables)
        services.saving = saver
        services.files = files
        services.state = state
        indexer = PictureIndexer(thumbnails, state: state)
        services.traffic = network.traffic
        services.index = indexer
        services.readFacts = indexer.facts(of:compares:isCancelled:)
        services.followed = pages.followed
        services.news = news
        services.details = galleries
        services.home = pages.home
        services.watch = watch
        services.teaching = teaching
        services.learn = galleries.learn
        services.shown = pages.shown
        services.opening = WebBrowser(variables: variables)
        services.clipboard = tmux
        services.pictureClipboard = PictureClipboard(
            fetcher: fetcher, variables: variables)
        services.sources = SourceFinder(
            workingFolder: environment.workingFolder, home: environment.home,
            fileServers: network.fileServers, note: programs.note)
        self.services = services
    }

    /// The names that a browser may have, the first of which counts.
    private static let browsers = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "brave-browser",
        "microsoft-edge-stable",
    ].map { [$0] }

    /// Returns what a recipe finds on a page of the web or on the disk, and whether that is anything; blocks until it has loaded.
    func result(of recipe: Recipe, on page: Address) -> (text: String, isWell: Bool) {
        guard recipe.matches(page) else { return ("its test does not match", false) }
        let done = DispatchSemaphore(value: 0)
        let found = Locked(Result<Int, PageError>.failure(.noPictures))
        _ = galleries.count(by: recipe, on: page) { result in
            found.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        return switch found.current {
        case .success(let count): ("\(count) pictures", count > 0)
        case .failure(let error): ("\(error)", false)
        }
    }

    /// Starts the threads for what the first page needs: the disk cache, and while one is loading from the network the bundled recipes.
    func begin(with sources: [Source]) {
        fetcher.store.prepare()
        guard !sources.allSatisfy(\.address.isFile) else { return }
        DispatchQueue.userInitiated.asyncGuarded { [shippedRecipes] in
            _ = shippedRecipes.recipes
        }
    }

    /// Returns the recipes of `--recipe`, then those in the user's folder.
    ///
    /// An invalid recipe is a usage error if named by `--recipe`; in the folder it is reported on standard error.
    static func ownRecipes(
        _ options: Options, _ environment: Environment
    ) throws(UsageError) -> [Recipe] {
        let recipes = try blaming("--recipe") {
            try options.recipeFiles.map { try Recipe(file: $0) }
        }
        guard let folder = environment.recipes else { return recipes }
        let (found, errors) = Recipe.all(in: folder)
        errors.forEach { complain($0.description) }
        return recipes + found
    }
}

extension PictureIndexer {
    /// Returns what local pictures' files say in their headers: as kept of files that are still the same, or read anew; if it `compares`
    /// them, also which look the same.
    ///
    /// Blocks on the disk; never call it on the main thread while there is a screen.
    @Sendable func facts(
        of addresses: [Address], compares: Bool, isCancelled: () -> Bool = { false }
    ) -> [FileFacts?] {
        var all = facts(of: addresses, .headers) { path in
            { OpenFile(path).map { Self.facts(of: $0).text } }
        }.map { $0.map(FileFacts.init) }
        for (place, twin) in (compares ? twins(among: addresses, isCancelled) : []).enumerated() {
            all[place]?.twin = twin
        }
        return all
    }

    private static func facts(of file: OpenFile) -> FileFacts {
        let bytes = FileBytes(piecesOf: file)
        let size = ImageHeader(of: bytes)?.size
        let facts = CameraFacts(of: bytes)
        let camera = facts.map {
            Picture.Camera(
                taken: $0.date, model: $0.camera, lens: $0.lens, sensitivity: $0.sensitivity,
                rating: $0.rating)
        }
        return FileFacts(
            width: size.flatMap { Pixels($0.width) }, height: size.flatMap { Pixels($0.height) },
            camera: camera, about: facts?.about)
    }
}

/// The bundled recipes, read when a page first needs them, so that a folder does not wait for them.
private struct ShippedRecipes: Sendable {
    let folder: String?
    private let loaded = Locked<[Recipe]?>(nil)

    /// Blocks on the disk the first time; may be called on any thread.
    var recipes: [Recipe] {
        loaded.withLock { loaded in
            let recipes = loaded ?? folder.map { Recipe.all(in: $0).recipes } ?? []
            loaded = recipes
            return recipes
        }
    }
}
