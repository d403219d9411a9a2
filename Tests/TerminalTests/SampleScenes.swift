import ImageCodecs
import Raster
import Thumbnails

@testable import Browser

/// Handmade scenes with gradients as pictures.
enum SampleScenes {
    static let titles = [
        "Chequered flag at dusk", "The hairpin, lap 1", "Pit stop in 2.1 seconds, seen from above",
        "写真 — Suzuka 1989", "Rain", "Portrait of a driver", "Start", "Grandstand", "Safety car",
        "Trophy", "Engine", "Wheel",
    ]

    static func gallery(
        size: CellSize, depth: ColorDepth, layout: Layout = .grid, overlay: Scene.Overlay? = nil
    ) -> Scene {
        let elements =
            layout == .grid ? tiles(size: size, depth: depth) : rows(size: size, depth: depth)
        let header = HeaderScene(
            title: "Monaco Grand Prix", detail: "48+ pictures", isLoading: true)
        let first = GalleryScene.Element.header(
            header, CellRect(x: 0, y: 1, columns: size.columns, rows: 1))
        return scene(
            size: size,
            body: .gallery(
                GalleryScene(scrollRow: 0, elements: [first] + elements)),
            overlay: overlay)
    }

    static func scene(size: CellSize, body: Scene.Body, overlay: Scene.Overlay? = nil) -> Scene {
        Scene(
            size: size,
            top: TopLine(path: ["Motor racing", "Monaco Grand Prix"], count: "48+ pictures"),
            bottom: BottomLine(
                position: "2/48", label: "The hairpin, lap 1", isLoading: true, transfers: 3,
                message: "",
                hint: "? help"),
            body: body, overlay: overlay, spinnerPhase: 2)
    }

    static func tiles(size: CellSize, depth: ColorDepth) -> [GalleryScene.Element] {
        let columns = min(24, size.columns)
        let box = CellSize(columns: columns, rows: max(1, columns * 3 / 8))
        let perRow = max(1, (size.columns + 1) / (columns + 1))
        let spare = size.columns - perRow * columns
        return (0..<12).map { index in
            let frame = CellRect(
                x: index % perRow * columns + spare * (index % perRow + 1) / (perRow + 1),
                y: 2 + index / perRow * (box.rows + 2), columns: columns, rows: box.rows + 1)
            return .tile(
                TileScene(
                    picture: picture(index, box: box, depth: depth), lines: [titles[index]],
                    isSelected: index == 1, isAlbum: index == 6), frame)
        }
    }

    static func rows(size: CellSize, depth: ColorDepth) -> [GalleryScene.Element] {
        let box = CellSize(columns: min(12, size.columns / 2), rows: 4)
        return (0..<8).map { index in
            .row(
                TileScene(
                    picture: picture(index, box: box, depth: depth),
                    lines: [
                        titles[index], "1989-05-07 · 1200 × 800 · 182 KB",
                        "https://example.org/gallery/monaco/pictures/large/00\(index).jpg",
                    ], isSelected: index == 1, isAlbum: index == 6), thumbnailColumns: box.columns,
                CellRect(x: 0, y: 2 + index * 5, columns: size.columns, rows: 4))
        }
    }

    static func picture(_ index: Int, box: CellSize, depth: ColorDepth) -> PictureScene {
        switch index {
        case 2: .placeholder(isLoading: true)
        case 4: .failed
        case 7...: .placeholder(isLoading: index % 2 == 1)
        default: .ready(thumbnail(index, box: box, depth: depth))
        }
    }

    static func thumbnail(_ index: Int, box: CellSize, depth: ColorDepth) -> Thumbnail {
        let columns = index % 3 == 2 ? max(1, box.columns / 3) : max(1, box.columns - index % 3 * 2)
        var grid = CellGrid(size: CellSize(columns: columns, rows: max(1, box.rows - index % 2)))
        for y in 0..<grid.size.rows {
            for x in 0..<columns {
                let upper = shade(index, x, 2 * y, grid.size)
                let lower = shade(index, x, 2 * y + 1, grid.size)
                grid[x, y] = Cell(
                    glyph: depth == .mono ? [0x20, 0x2591, 0x2592, 0x2593][(x + y) % 4] : 0x2580,
                    foreground: depth.nearest(to: upper), background: depth.nearest(to: lower))
            }
        }
        let dominant = shade(index, columns / 2, grid.size.rows, grid.size)
        let facts = PictureFacts(
            size: PixelSize(width: 1200, height: 800), format: .jpeg, byteCount: 182_000,
            dominant: dominant, tint: dominant.tint(on: RGB(0)))
        return Thumbnail(cells: grid, facts: facts)
    }

    private static func shade(_ index: Int, _ x: Int, _ y: Int, _ size: CellSize) -> RGB {
        let across = x * 255 / max(1, size.columns)
        let down = y * 255 / max(1, 2 * size.rows)
        let hue = [(1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0)][index % 4]
        let parts = [255 - down, (across + down) / 2, across]
        return RGB(
            red: UInt8(clamping: parts[hue.0]), green: UInt8(clamping: parts[hue.1]),
            blue: UInt8(clamping: parts[hue.2]))
    }

    static func viewer(size: CellSize, depth: ColorDepth, failure: String? = nil) -> Scene {
        let box = CellSize(columns: min(size.columns, 60), rows: max(1, size.rows - 2))
        let frame = CellRect(
            x: (size.columns - box.columns) / 2, y: 1, columns: box.columns, rows: box.rows)
        return scene(
            size: size,
            body: .viewer(
                ViewerScene(
                    picture: .ready(thumbnail(0, box: box, depth: depth)), frame: frame,
                    isLoading: failure == nil, failure: failure)))
    }

    static let dialog = DialogScene(
        title: "A page of Monaco Grand Prix did not load",
        message:
            "The server answered 503 Service Unavailable, three times in a row. What was loaded stays.",
        detail:
            "https://example.org/gallery/monaco/a-very-long-path/that-needs/cutting/page-2.html?order=date",
        answers: [.init(title: "Retry", key: "Enter"), .init(title: "Dismiss", key: "Esc")])

    static let help = HelpScene(
        groups: (0..<4).map { group in
            HelpScene.Group(
                title: ["Move", "See", "Load", "Program"][group],
                rows: (0..<6).map {
                    HelpScene.Row(
                        keys: ["h ←", "Space PgDn", "^d"][$0 % 3],
                        text: "does thing number \($0) of this group")
                })
        }, scrollRow: 0)

    static let info = InfoScene(
        title: "The hairpin, lap 1",
        facts: [
            .init(
                label: "URL",
                value:
                    "https://example.org/gallery/monaco/pictures/large/001.jpg?width=1200&token=abc",
                swatch: nil),
            .init(label: "Size", value: "1200 × 800", swatch: nil),
            .init(label: "Colour", value: "#C04020", swatch: RGB(0xC04020)),
            .init(label: "Time", value: "fetched in 120 ms, decoded in 4 ms", swatch: nil),
        ])

    static func all(size: CellSize, depth: ColorDepth) -> [(String, Scene)] {
        [
            ("grid", gallery(size: size, depth: depth)),
            ("list", gallery(size: size, depth: depth, layout: .list)),
            ("viewer", viewer(size: size, depth: depth)),
            ("viewer-failed", viewer(size: size, depth: depth, failure: "the server answered 404")),
            ("dialog", gallery(size: size, depth: depth, overlay: .dialog(dialog))),
            ("help", gallery(size: size, depth: depth, overlay: .help(help))),
            ("info", gallery(size: size, depth: depth, overlay: .info(info))),
            ("small", scene(size: size, body: .tooSmall("too small"))),
        ]
    }
}
