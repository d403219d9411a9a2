import ArtMetrics
import Basics
import Dispatch
import Network
import Pipeline
import Raster
import Terminal
import Thumbnails
import Trace

/// Halftone: the product's own pipeline from file to cells, then the writer of `--print`.
///
/// Runs in this process, since `--print` draws a sheet with titles instead of one picture in a given box; every stage is the product's.
struct HalftoneArtist: ArtProgram {
    let name: String
    private let pipeline: ThumbnailPipeline
    /// The pictures by path, to bypass the pipeline's reduced copies; nil to use the pipeline.
    private let originals: [String: PixelBuffer]?

    /// Creates an artist that draws through the pipeline.
    init() {
        self.init(name: "halftone", originals: nil)
    }

    /// Creates an artist that shrinks the whole picture in one step, to show what drawing alone can achieve.
    init(drawing collection: PictureCollection) {
        let pairs = zip(collection.paths, collection.pictures.map(\.pixels))
        self.init(name: "direct", originals: Dictionary(uniqueKeysWithValues: pairs))
    }

    private init(name: String, originals: [String: PixelBuffer]?) {
        self.name = name
        self.originals = originals
        pipeline = ThumbnailPipeline(
            fetcher: FetchStage(options: NetworkOptions()))
    }

    func settings(for task: ArtTask) -> [DrawingSettings] {
        let palettes: [TerminalPalette] =
            switch task.depth {
            // As if the terminal had reported (OSC 4) the colours that chafa assumes.
            case .palette16, .palette8: [.xterm, .chafa]
            case .truecolor, .palette256, .mono: [.xterm]
            }
        // The default; then the most accurate cell by cell, and the most accurate from afar.
        let dithers: [Dither] = task.depth == .truecolor ? [.auto] : [.auto, .none]
        let ways = dithers.flatMap { dither in palettes.map { (dither, $0) } }
        return ways.map { dither, palette in
            let style = Self.style(task, palette, dither)
            return DrawingSettings(name: dither.rawValue, palette: palette) { paths in
                try paths.map { path in
                    let cells = try drawing(of: path, in: task.size, style: style)
                    return Canvas(cells).lines(depth: task.depth)
                }
            }
        }
    }

    /// Returns a style without tint, so that transparent pictures are on black as in the other programs.
    static func style(
        _ task: ArtTask, _ palette: TerminalPalette = .xterm, _ dither: Dither = .auto
    ) -> RenderStyle {
        RenderStyle(
            blocks: task.blocks, depth: task.depth, isTinted: false, systemColors: palette.system,
            dither: dither)
    }

    /// Draws a picture, waiting for the pipeline's result.
    func drawing(of path: String, in box: CellSize, style: RenderStyle) throws -> CellGrid {
        if let original = originals?[path] {
            let fit = Fit(original.size, into: box, style: style)
            let pixels = original.resampled(to: fit.pixels)
                .composited(over: style.ground(for: style.background))
            return BlockArt(style: style).cells(from: pixels)
        }
        let answer = Locked<Result<Thumbnail, ThumbnailError>?>(nil)
        let arrived = DispatchSemaphore(value: 0)
        let request = ThumbnailRequest(address: Address(path: path), box: box, style: style)
        _ = pipeline.load(request, priority: .visible, flow: .none) { result in
            answer.withLock { $0 = result }
            arrived.signal()
        }
        arrived.wait()
        guard let result = answer.withLock({ $0 }) else {
            throw ArtFailure(text: "\(path): no answer")
        }
        return try result.get().cells
    }
}

/// The reason why a drawing cannot be measured.
struct ArtFailure: Error, CustomStringConvertible {
    let text: String

    var description: String { text }
}
