import Browser
import Glibc
import ImageEncoders
import Raster
import TestSupport
import Testing

/// The program on a screen, and its galleries.
struct CommandStage {
    let screen: ProgramScreen
    let gallery: ProgramGallery
    let other: ProgramGallery
    let folder: ScratchFolder

    /// Shows `gallery`, with a second gallery as another section if `hasOther`; or `source` in its place.
    init(
        in folder: ScratchFolder, _ gallery: ProgramGallery, hasOther: Bool = false,
        source: String? = nil, size: CellSize = EndToEnd.sizes[0]
    ) throws {
        self.folder = folder
        self.gallery = gallery
        let second = try ProgramGallery(title: "Second", first: 40, count: 6)
        other = second
        // A browser that ends at once, whatever is installed.
        try folder.write(#"{"browser-program": ["false"]}"#, to: "config/halftone/config.json")
        screen = try ProgramScreen(
            ["--output", folder.path, source ?? gallery.address]
                + (hasOther ? [second.address] : []),
            in: folder, environment: ["BROWSER": "/bin/true"], size: size)
    }

    func types(_ keys: String, until condition: (ProgramScreen) -> Bool) -> Bool {
        screen.type(keys)
        return screen.wait(condition)
    }
}

/// A command given by its keys, and its expected effect.
struct CommandStep: Sendable {
    let command: Command
    let context: KeyContext
    /// Gives the command and waits; returns false if the effect does not appear.
    let holds: @Sendable (CommandStage) -> Bool

    init(
        _ command: Command, _ context: KeyContext = .gallery,
        holds: @escaping @Sendable (CommandStage) -> Bool
    ) {
        (self.command, self.context, self.holds) = (command, context, holds)
    }

    /// Creates a step in which typing `keys` must make `condition` true.
    init(
        _ command: Command, _ context: KeyContext = .gallery, _ keys: String,
        until condition: @escaping @Sendable (ProgramScreen) -> Bool
    ) {
        self.init(command, context) { $0.types(keys, until: condition) }
    }

    /// Creates a step in which typing `keys` must bring `text` to the screen.
    init(_ command: Command, _ context: KeyContext = .gallery, _ keys: String, says text: String) {
        self.init(command, context, keys) { $0.screen.shows(text) }
    }

    /// Creates a step in which typing `keys` must select picture `number` in the grid or list.
    init(_ command: Command, _ keys: String, selects number: Int) {
        self.init(command, .gallery, keys) { $0.selectedTitle == ProgramGallery.title(number) }
    }

    /// Creates a step in which typing `keys` in the viewer must show the picture at `position`.
    init(_ command: Command, _ keys: String, turnsTo position: String) {
        self.init(command, .viewer, keys) { $0.position == position }
    }

    /// Returns the steps for commands that a terminal may need at any time.
    static func terminal(_ context: KeyContext) -> [CommandStep] {
        [
            CommandStep(.redraw, context) { stage in
                let count = stage.screen.screen.clearCount
                return stage.types(Keys.redraw) { $0.screen.clearCount > count }
            },
            CommandStep(.suspend, context) { stage in
                // No shell waits for the program.
                let count = stage.screen.screen.clearCount
                return stage.types(Keys.suspend) {
                    $0.screen.clearCount > count && $0.screen.isAlternate
                        && $0.screen.modes.contains(1000)
                }
            },
        ]
    }

    /// Returns the steps shared by gallery and viewer that leave the selection in place; the first of many pictures is selected.
    static func common(_ context: KeyContext, saved name: String) -> [CommandStep] {
        [
            CommandStep(.mark, context, "m", says: " · 1 marked"),
            CommandStep(.invertMarks, context, "M") { screen in
                !screen.screen.shows(" · 1 marked") && screen.bottom.contains(" marked")
            },
            CommandStep(.clearMarks, context, "u", says: "marks cleared"),
            CommandStep(.save, context, "s", says: "saved \(name)"),
            CommandStep(.saveAll, context, ":save-all ~/all\r") {
                $0.bottom.contains(" known") && !$0.bottom.contains("…")
                    && !$0.bottom.contains("saving")
            },
            CommandStep(.pause, context, ":pause\r", says: "nothing is being saved"),
            CommandStep(.copyAddress, context) { stage in
                stage.types("y") { !$0.screen.clipboard.isEmpty && $0.bottom.contains("copied ") }
            },
            CommandStep(
                .show, context, ":show /none.png\r", says: "/none.png: no such file or folder"),
            CommandStep(
                .copyPicture, context, "Y",
                says: "could not copy: this needs a display, kitty or Ghostty"),
            CommandStep(.openElsewhere, context, "o", says: "opened in /bin/true"),
            CommandStep(.run, context) { stage in
                stage.types("!true\r") { $0.screen.shows("Run this?") }
                    && stage.types("\r") { $0.screen.shows("true has ended; Enter goes back") }
                    && stage.types("\r") { $0.screen.isAlternate }
            },
            CommandStep(.slideshow, context) { stage in
                stage.types("3P") { $0.bottom.contains("slideshow, 3 s each") }
                    && stage.types("P") { $0.bottom.contains("slideshow paused") }
                    && (context == .viewer
                        || stage.types(Keys.escape) { $0.selectedTitle != nil })
            },
            CommandStep(.commandLine, context) { stage in
                stage.types(":zz") { $0.bottom.contains(":zz") }
                    && stage.types(Keys.escape) { !$0.bottom.contains(":zz") }
            },
            CommandStep(.help, context) { stage in
                stage.types("?") { $0.screen.shows(" Keys ") }
                    && stage.types(Keys.escape) { !$0.screen.shows(" Keys ") }
            },
            CommandStep(.messages, context) { stage in
                stage.types(":messages\r") { $0.screen.shows(" Messages ") }
                    && stage.types(Keys.escape) { !$0.screen.shows(" Messages ") }
            },
            CommandStep(.setBookmark, context, "\"x", says: "'x comes back here"),
            CommandStep(.goToBookmark, context, "'x", says: "where you were"),
            CommandStep(.compare, context, ":compare\r", says: "mark two pictures"),
            CommandStep(.group, context, ":group\r", says: "grouped by none"),
            CommandStep(.index, context, ":index ~\r", says: "pictures indexed"),
            CommandStep(.newest, context, ":newest\r", says: "there is no picture with a date"),
            CommandStep(.follow, context, ":follow\r", says: "following 127.0.0.1:"),
            CommandStep(.follow, context, ":follow\r", says: "no longer followed"),
            CommandStep(.toggleBars, context) { stage in
                stage.types("F") { !$0.top.contains("Paddock") }
                    && stage.types("F") { $0.top.contains("Paddock") }
            },
            CommandStep(.sort, context, ":sort -page\r", says: "sorted by page, reversed"),
            CommandStep(.sort, context, ":sort page\r") { $0.position.hasPrefix("1/") },
        ] + terminal(context)
    }

    /// Returns the steps that change the looks, to come last: other colours hide the selection from the tests.
    static func looks(_ context: KeyContext) -> [CommandStep] {
        [
            CommandStep(.toggleTint, context, "t", says: "tint off"),
            CommandStep(
                .crop, context, "c",
                says: context == .viewer ? "borders are cropped" : "cropped pictures fill"),
            CommandStep(.nextGraphics, context, "X", says: "graphics: none"),
            CommandStep(.nextBlocks, context, "B", says: "blocks: "),
            CommandStep(.nextColors, context, "C", says: "colours: 256"),
        ]
    }
}

/// A sequence of commands in one run of the program; together, the walks use every command in all its contexts.
struct CommandWalk: Sendable, CustomTestStringConvertible {
    let name: String
    let begin: @Sendable (ScratchFolder) throws -> CommandStage
    let steps: [CommandStep]

    var testDescription: String { name }

    static let all =
        [moving, looking, collecting, turning, viewing, asking, helping, folders]
        + [leaving, leavingViewer, growing, changingFiles(.gallery), changingFiles(.viewer)]
        + [KeyContext.gallery, .viewer].flatMap { [quittingUnasked($0), savingAndQuitting($0)] }

    private static let moving = CommandWalk(
        name: "moving in the grid",
        begin: { folder in
            let stage = try CommandStage(in: folder, ProgramGallery(count: 12), hasOther: true)
            // The other gallery may be there first.
            _ = stage.screen.wait { $0.position == "1/12" }
            return stage
        },
        steps: [
            CommandStep(.right, "l", selects: 2), CommandStep(.left, "h", selects: 1),
            CommandStep(.down, "j", selects: 4), CommandStep(.up, "k", selects: 1),
            CommandStep(.pageDown, " ", selects: 7), CommandStep(.pageUp, "b", selects: 1),
            CommandStep(.halfPageDown, "\u{4}", selects: 4),
            CommandStep(.halfPageUp, "\u{15}", selects: 1),
            CommandStep(.rowEnd, "$", selects: 3), CommandStep(.rowStart, "0", selects: 1),
            CommandStep(.screenBottom, "L", selects: 6), CommandStep(.screenTop, "H", selects: 1),
            CommandStep(.last, "G", selects: 45), CommandStep(.first, "g", selects: 1),
            CommandStep(.nextSection, "]", selects: 40),
            CommandStep(.previousSection, "[", selects: 1),
            CommandStep(.center, .gallery, "7Gz") {
                $0.place(of: ProgramGallery.title(7))?.y == 10
            },
            CommandStep(.showAll, .gallery, ":show-all\r", says: "mark two that are wanted"),
            CommandStep(.learn) { stage in
                // It says what has just been said, which the line must have covered before.
                stage.types(":learn") { !$0.screen.shows("wanted, go to one") }
                    && stage.types("\r") { $0.screen.shows("wanted, go to one") }
            },
            CommandStep(.showAll, .gallery, ":show-all\r", says: "the gallery only"),
            CommandStep(.render) { stage in
                stage.types(":render\r") { $0.screen.shows("A page did not load") }
                    && stage.types(Keys.escape + ":render\r") {
                        $0.screen.shows("as the server sends it")
                    }
            },
            CommandStep(.find, "g/e 01\r", selects: 10), CommandStep(.findNext, "n", selects: 11),
            CommandStep(.findPrevious, "N", selects: 10),
            CommandStep(.open, .gallery, "\r") {
                $0.middle == [CellColor(ProgramGallery.fullColor(10))]
            },
            CommandStep(.back, .viewer, Keys.escape) {
                $0.selectedTitle == ProgramGallery.title(10)
            },
            CommandStep(.view) { stage in
                stage.types("p") { $0.middle == [CellColor(ProgramGallery.fullColor(10))] }
                    && stage.types(Keys.escape) { $0.selectedTitle == ProgramGallery.title(10) }
            },
            CommandStep(.redraw, .prompt) { stage in
                let count = stage.screen.screen.clearCount
                return stage.types("/" + Keys.redraw) { $0.screen.clearCount > count }
            },
            CommandStep(.suspend, .prompt) { stage in
                let count = stage.screen.screen.clearCount
                return stage.types(Keys.suspend) {
                    $0.screen.clearCount > count && $0.screen.isAlternate
                        && $0.screen.modes.contains(1000)
                } && stage.types(Keys.escape) { $0.bottom.contains(ProgramGallery.title(10)) }
            },
            CommandStep(.forward) { stage in
                // Where its last picture was selected for long, it opens there again.
                stage.types(":open \(stage.other.address)\r") { $0.position.hasSuffix("/6") }
                    && stage.types("<") { $0.position == "10/12" }
                    && stage.types(">") { $0.position.hasSuffix("/6") }
            },
            CommandStep(.quit, .gallery, "q") { $0.position == "10/12" },
        ])

    private static let looking = CommandWalk(
        name: "looking at the gallery",
        begin: { folder in
            let gallery = try ProgramGallery(count: 12)
            gallery.server.route(gallery.thumbnailPath(5)) { _ in .status(404) }
            let camera = ProgramPictures.jpeg(ProgramGallery.color(1))
            let tagged = camera[..<2] + ExifBlock.segment(ExifBlock.camera) + camera[2...]
            gallery.server.route(gallery.thumbnailPath(1)) { _ in
                .bytes(Array(tagged), type: "image/jpeg")
            }
            return try CommandStage(in: folder, gallery)
        },
        steps: [
            CommandStep(.toggleLayout) { stage in
                stage.types("v") { $0.screen.shows(stage.gallery.server.url("/full/1.png")) }
                    && stage.types("v") { $0.showsThumbnail(2) }
            },
            CommandStep(.larger, .gallery, "+") {
                ($0.place(of: ProgramGallery.title(2))?.x ?? 0) > 40
            },
            CommandStep(.smaller, .gallery, "----") { screen in
                let rows = [1, 4].map { screen.place(of: ProgramGallery.title($0))?.y }
                return rows[0] != nil && rows[0] == rows[1]
            },
            CommandStep(.defaultSize, .gallery, "=") { $0.showsThumbnail(2) },
            CommandStep(.filter, .gallery, "fe 01\r", says: "e 01: 4 of 12 pictures"),
            CommandStep(.back, .gallery, Keys.escape, says: "all shown"),
            CommandStep(.duplicates) { stage in
                stage.types(":duplicates\r") { $0.screen.shows("have:yes: 0 of 12 pictures") }
                    && stage.types(Keys.escape) { $0.bottom.contains("all shown") }
                    && stage.types(":group none\r") { $0.showsThumbnail(2) }
            },
            CommandStep(.firstNew, .gallery, "^", says: "nothing here is new"),
            CommandStep(.hideSeen, .gallery, ":hide-seen\r", says: "is:new: 0 of 12 pictures"),
            CommandStep(.hideSeen, .gallery, ":hide-seen\r") { $0.position == "1/12" },
            CommandStep(.nextOrder, .gallery, "S", says: "sorted by title"),
            CommandStep(.reverse, .gallery, "\u{12}", says: "sorted by title, reversed"),
            CommandStep(.sort, .gallery, ":sort page\r") { $0.bottom.contains("sorted by page") },
            CommandStep(.retry) { stage in
                stage.gallery.server.route(stage.gallery.thumbnailPath(5)) { _ in
                    .picture(ProgramGallery.color(5))
                }
                return stage.types("g4lr") { $0.showsThumbnail(5) }
            },
            CommandStep(.reload) { stage in
                stage.types("R") { _ in stage.gallery.pageRequests == [2] }
            },
            CommandStep(.info, .gallery, "gi", says: "FUJIFILM X-T5"),
            CommandStep(.position, .gallery, "I", says: "60.50000, -5.26000"),
        ] + CommandStep.looks(.gallery))

    private static let collecting = CommandWalk(
        name: "marking and handing on",
        begin: { folder in
            try CommandStage(in: folder, ProgramGallery(count: 12))
        },
        steps: [
            CommandStep(.markRange, .gallery, "V2lV", says: "3/12 · 3 marked"),
            CommandStep(.nextMarked, "}", selects: 1),
            CommandStep(.previousMarked, "{", selects: 3),
            CommandStep(.clearMarks, .gallery, "ug") { $0.position == "1/12" },
        ] + CommandStep.common(.gallery, saved: "Picture 001.png"))

    private static let turning = CommandWalk(
        name: "turning in the viewer",
        begin: { folder in
            let gallery = try ProgramGallery(count: 4)
            gallery.server.route(gallery.fullPath(4)) { _ in .status(404) }
            return try CommandStage(in: folder, gallery)
        },
        steps: [
            CommandStep(.nextPicture, "\rn", turnsTo: "2/4"),
            CommandStep(.previousPicture, "p", turnsTo: "1/4"),
            CommandStep(.right, "l", turnsTo: "2/4"), CommandStep(.left, "h", turnsTo: "1/4"),
            CommandStep(.down, "j", turnsTo: "2/4"), CommandStep(.up, "k", turnsTo: "1/4"),
            CommandStep(.last, "G", turnsTo: "4/4"),
            CommandStep(.retry, .viewer) { stage in
                guard stage.screen.waitFor("404") else { return false }
                stage.gallery.server.route(stage.gallery.fullPath(4)) { _ in
                    .picture(ProgramGallery.fullColor(4))
                }
                return stage.types("r") { $0.middle == [CellColor(ProgramGallery.fullColor(4))] }
            },
            CommandStep(.first, "g", turnsTo: "1/4"),
            CommandStep(.pageDown, " ", turnsTo: "2/4"), CommandStep(.pageUp, "b", turnsTo: "1/4"),
            CommandStep(.halfPageDown, "\u{4}", turnsTo: "2/4"),
            CommandStep(.halfPageUp, "\u{15}", turnsTo: "1/4"),
            CommandStep(.find, "/e 003\r", turnsTo: "3/4"),
            CommandStep(.first, "g", turnsTo: "1/4"),
            CommandStep(.nextMarked, "mllm}", turnsTo: "1/4"),
            CommandStep(.previousMarked, "{", turnsTo: "3/4"),
            CommandStep(.forward, .viewer, ">", says: "nothing to go forward to"),
            CommandStep(.reload, .viewer) { stage in
                stage.types("R") { _ in stage.gallery.pageRequests == [2] }
            },
            CommandStep(.clearMarks, .viewer, "ug") { $0.position == "1/4" },
            CommandStep(.spread, .viewer, ":spread rtl\r", says: "two pages"),
            CommandStep(.spread, .viewer, "D", says: "single pages"),
            CommandStep(.strip, .viewer, ":strip\r", says: "one strip: Space scrolls"),
            CommandStep(.strip, .viewer, ":strip\r", says: "single pages"),
            CommandStep(.blink, .viewer, "x", says: "nothing is beside this picture"),
            CommandStep(.difference, .viewer, "d", says: "--compare shows differences"),
            CommandStep(.invert, .viewer, ":invert\r", says: "inverted"),
            CommandStep(.invert, .viewer, ":invert\r", says: "as the pictures are"),
            CommandStep(.brightness, .viewer, ":brightness +5\r", says: "brightness 5 %"),
            CommandStep(.brightness, .viewer, ":brightness\r", says: "brightness 0 %"),
            CommandStep(.gamma, .viewer, ":gamma 2\r", says: "gamma 2.0"),
            CommandStep(.gamma, .viewer, ":gamma\r", says: "gamma 1.0"),
            CommandStep(.keepView, .viewer, "Z", says: "zoom and place stay"),
            CommandStep(.keepView, .viewer, "Z", says: "each picture is fitted"),
        ] + CommandStep.common(.viewer, saved: "Picture 001.png") + [
            CommandStep(.open, .viewer, "\r") { $0.selectedTitle == ProgramGallery.title(1) },
            CommandStep(.quit, .viewer, "\rq") { $0.selectedTitle == ProgramGallery.title(1) },
        ])

    /// The colours of the pictures' quarters, row by row from the top left.
    private static let quarters = [RGB(0xFF0000), RGB(0x00FF00), RGB(0x0000FF), RGB(0xFFFF00)]
        .map(CellColor.init)

    private static func quartered(width: Int, height: Int) -> [UInt8] {
        let bytes = (0..<width * height).flatMap { place -> [UInt8] in
            let (x, y) = (place % width, place / width)
            let color = quarters[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)].rgb
            return [color?.red ?? 0, color?.green ?? 0, color?.blue ?? 0, 255]
        }
        let size = PixelSize(width: width, height: height)
        return (try? ImageEncoder.png(PixelBuffer(size: size, bytes: bytes, isOpaque: true))) ?? []
    }

    /// Returns a condition: the quarters appear around the middle of the screen in this order.
    private static func seen(_ order: [Int]) -> @Sendable (ProgramScreen) -> Bool {
        { screen in
            let (x, y) = (screen.screen.size.columns / 2, screen.screen.size.rows / 2)
            let cells = [(-6, -3), (6, -3), (-6, 3), (6, 3)].map { screen.grid[x + $0, y + $1] }
            return cells.map { Set($0.visibleColors) } == order.map { [quarters[$0]] }
        }
    }

    private static let viewing = CommandWalk(
        name: "looking closely in the viewer",
        begin: { folder in
            let gallery = try ProgramGallery(count: 4)
            let camera = ProgramPictures.jpeg(ProgramGallery.fullColor(4))
            let tagged = camera[..<2] + ExifBlock.segment(ExifBlock.camera) + camera[2...]
            let frames = [4, 5, 6].map { number in
                PixelBuffer(
                    filledWith: ProgramGallery.color(number), size: PixelSize(width: 80, height: 60)
                )
            }
            let moving = try ImageEncoder.gif(animating: frames, GIFOptions(delay: 100, repeats: 0))
            for (number, file, type) in [
                (1, quartered(width: 1200, height: 400), "image/png"),
                (2, quartered(width: 400, height: 400), "image/png"), (3, moving, "image/gif"),
                (4, Array(tagged), "image/jpeg"),
            ] {
                gallery.server.route(gallery.fullPath(number)) { _ in .bytes(file, type: type) }
            }
            return try CommandStage(in: folder, gallery, size: EndToEnd.sizes[1])
        },
        steps: [
            // Three times as wide as high: empty bars above and below.
            CommandStep(.open, .gallery, "\r") {
                $0.bottom.contains("1200 × 400 · ") && $0.bottom.contains(" · 20 %")
            },
            CommandStep(.zoomIn, .viewer, "+", says: "30 %"),
            CommandStep(.zoomOut, .viewer, "-", says: "20 %"),
            CommandStep(.fitHeight, .viewer, "W") {
                $0.grid[10, 1].visibleColors.contains(quarters[0])
            },
            CommandStep(.zoomFit, .viewer, "=") { $0.grid[10, 1].background == .standard },
            CommandStep(.actualSize, .viewer, "z", says: "100 %"),
            CommandStep(.nextPicture, .viewer, "n", until: seen([0, 1, 2, 3])),
            CommandStep(.fitWidth, .viewer, "w") {
                $0.grid[0, 10].visibleColors == [quarters[0], quarters[0]]
            },
            CommandStep(.zoomFit, .viewer, "=") { $0.grid[0, 10].background == .standard },
            CommandStep(.rotateRight, .viewer, ")", until: seen([2, 0, 3, 1])),
            CommandStep(.rotateLeft, .viewer, "((", until: seen([1, 3, 0, 2])),
            CommandStep(.rotateRight, .viewer, ")", until: seen([0, 1, 2, 3])),
            CommandStep(.flip, .viewer, "|", until: seen([1, 0, 3, 2])),
            CommandStep(.flipVertical, .viewer, "_", until: seen([3, 2, 1, 0])),
            CommandStep(.nextPicture, .viewer, "n") {
                $0.middle == [CellColor(ProgramGallery.color(4))]
            },
            CommandStep(.play, .viewer, "a", says: "paused"),
            CommandStep(.nextFrame, .viewer, ".") {
                $0.middle == [CellColor(ProgramGallery.color(5))]
            },
            CommandStep(.nextFrame, .viewer, ".") {
                $0.middle == [CellColor(ProgramGallery.color(6))]
            },
            CommandStep(.filmstrip, .viewer, "T") { screen in
                let strip = screen.colors(in: CellRect(x: 0, y: 30, columns: 120, rows: 9))
                return (1...4).allSatisfy { strip.contains(CellColor(ProgramGallery.color($0))) }
            },
            CommandStep(.info, .viewer, "ni", says: "FUJIFILM X-T5"),
            CommandStep(.position, .viewer, "I", says: "60.50000, -5.26000"),
        ] + CommandStep.looks(.viewer))

    private static let asking = CommandWalk(
        name: "answering a question",
        begin: { folder in
            let gallery = try ProgramGallery(count: 4)
            gallery.server.route(gallery.pagePath(1)) { _ in .status(404) }
            return try CommandStage(in: folder, gallery)
        },
        steps: CommandStep.terminal(.dialog) + [
            CommandStep(.dismiss, .dialog) { stage in
                stage.screen.waitFor("A page did not load")
                    && stage.types(Keys.escape) { !$0.screen.shows("A page did not load") }
            },
            CommandStep(.quit, .dialog) { stage in
                stage.types("r") { $0.screen.shows("A page did not load") }
                    && stage.types("q") { !$0.screen.shows("A page did not load") }
            },
            CommandStep(.accept, .dialog) { stage in
                guard stage.types("r", until: { $0.screen.shows("A page did not load") }) else {
                    return false
                }
                let page = stage.gallery.html(1)
                stage.gallery.server.route(stage.gallery.pagePath(1)) { _ in .html(page) }
                return stage.types("\r") { $0.showsThumbnail(1) }
            },
            CommandStep(.mark, .dialog) { stage in
                stage.types("mf002\r") { $0.bottom.contains(" marked") }
                    && stage.types("s") { $0.screen.shows("1 marked, and not this one") }
                    && stage.types("m") { !$0.screen.shows("and not this one") }
            },
        ])

    private static let helping = CommandWalk(
        name: "reading the help",
        begin: { folder in
            try CommandStage(in: folder, ProgramGallery(count: 4))
        },
        steps: [
            CommandStep(.help, .gallery, "?", says: " 1 to 20 of"),
            CommandStep(.down, .help, "j", says: " 2 to 21 of"),
            CommandStep(.up, .help, "k", says: " 1 to 20 of"),
            CommandStep(.pageDown, .help, " ", says: " 21 to 40 of"),
            CommandStep(.pageUp, .help, "b", says: " 1 to 20 of"),
            CommandStep(.halfPageDown, .help, "\u{4}", says: " 11 to 30 of"),
            CommandStep(.halfPageUp, .help, "\u{15}", says: " 1 to 20 of"),
            CommandStep(.last, .help, "G", says: "accept, cancel"),
            CommandStep(.first, .help, "g", says: " 1 to 20 of"),
            CommandStep(.find, .help) { stage in
                stage.types("/zebra") { $0.bottom.contains("/zebra   0 hits") }
                    && stage.types("\u{15}marked pic\r") {
                        $0.screen.shows("marked picture")
                    }
            },
            CommandStep(.findNext, .help, "n") { $0.bottom.contains("2 of ") },
            CommandStep(.findPrevious, .help, "N") { $0.bottom.contains("1 of ") },
        ] + CommandStep.terminal(.help) + [
            CommandStep(.help, .help, "?") { !$0.screen.shows(" Keys ") },
            CommandStep(.back, .help) { stage in
                stage.types("?") { $0.screen.shows(" Keys ") }
                    && stage.types(Keys.escape) { !$0.screen.shows(" Keys ") }
            },
            CommandStep(.quit, .help) { stage in
                stage.types("?") { $0.screen.shows(" Keys ") }
                    && stage.types("q") { !$0.screen.shows(" Keys ") }
            },
        ])

    private static let folders = CommandWalk(
        name: "walking through folders",
        begin: { folder in
            for name in ["tree/sub/one.png", "tree/sub/two.png", "other/three.png"] {
                let size = PixelSize(width: 40, height: 30)
                let color = ProgramGallery.color(1)
                try folder.write(
                    ImageEncoder.png(PixelBuffer(filledWith: color, size: size)), to: name)
            }
            return try CommandStage(
                in: folder, ProgramGallery(count: 1), source: folder.path + "/tree/sub")
        },
        steps: [
            CommandStep(.parent, .gallery, Keys.backspace) {
                $0.position == "1/1" && $0.screen.shows("1 album")
            },
            CommandStep(.forward, .gallery, ">") { $0.position == "1/2" },
            CommandStep(.cd) { stage in
                stage.types(":cd ../../other\r") {
                    $0.position == "1/1" && $0.screen.shows("three")
                }
            },
            CommandStep(.home, .gallery, ":home\r") { $0.screen.shows("Recent places") },
            CommandStep(.home, .viewer) { stage in
                stage.types(Keys.escape) { !$0.screen.shows("Recent places") }
                    && stage.types("\r") { $0.bottom.contains("40 × 30") }
                    && stage.types(":home\r") { $0.screen.shows("Recent places") }
                    && stage.types(Keys.escape) { !$0.screen.shows("Recent places") }
            },
            CommandStep(.cd, .viewer) { stage in
                stage.types("\r") { $0.bottom.contains("40 × 30") }
                    && stage.types(":cd ../tree/sub\r") { $0.position == "1/2" }
            },
        ])

    private static func has(_ name: String) -> @Sendable (CommandStage) -> Bool {
        { access($0.folder.path + "/" + name, F_OK) == 0 }
    }

    /// Changes the second of three files, and undoes that.
    private static func changingFiles(_ context: KeyContext) -> CommandWalk {
        func step(
            _ command: Command, _ keys: @escaping @Sendable (CommandStage) -> String,
            says text: String, at position: String,
            and holds: @escaping @Sendable (CommandStage) -> Bool
        ) -> CommandStep {
            CommandStep(command, context) { stage in
                stage.types(keys(stage)) { $0.bottom.contains(text) }
                    && stage.screen.wait { $0.position == position } && holds(stage)
            }
        }
        func undo(_ text: String, _ name: String) -> CommandStep {
            step(.undo, { _ in "U" }, says: text, at: "2/3", and: has(name))
        }
        return CommandWalk(
            name: "changing files, in the \(context)",
            begin: { folder in
                for number in 1...3 {
                    let picture = PixelBuffer(
                        filledWith: ProgramGallery.color(number),
                        size: PixelSize(width: 60, height: 40))
                    try folder.write(ImageEncoder.jpeg(picture), to: "pics/\(number).jpg")
                }
                return try CommandStage(
                    in: folder, ProgramGallery(count: 1), source: folder.path + "/pics")
            },
            steps: [
                CommandStep(.right, .gallery, context == .viewer ? "l\r" : "l") {
                    $0.position == "2/3" && ($0.selectedTitle == nil) == (context == .viewer)
                },
                step(.trash, { _ in "\u{1B}[3~" }, says: "trashed 2.jpg: U undoes it", at: "2/2") {
                    has(".local/share/Trash/files/2.jpg")($0) && !has("pics/2.jpg")($0)
                },
                CommandStep(.undo, context) {
                    $0.types("U") { $0.position.hasSuffix("/3") } && has("pics/2.jpg")($0)
                },
                CommandStep(.left, .gallery, context == .viewer ? "2G" : "g/2.jpg\r") {
                    $0.position == "2/3"
                },
                step(
                    .copy, { ":copy! \($0.folder.path)/copies\r" }, says: "copied 2.jpg to ",
                    at: "2/3",
                    and: has("copies/2.jpg")),
                undo("undone: 2", "pics/2.jpg"),
                step(
                    .rename, { _ in ":rename 2b.jpg\r" }, says: "renamed 2.jpg to 2b.jpg",
                    at: "2/3",
                    and: has("pics/2b.jpg")),
                undo("undone: 2", "pics/2.jpg"),
                step(
                    .rotateFile,
                    { stage in
                        // The file that came back is shown anew, which ends the viewer's turn.
                        stage.screen.settle()
                        return context == .viewer ? "):rotate-file\r" : ":rotate-file left\r"
                    },
                    says: "turned 2.jpg: U undoes it", at: "2/3", and: has("pics/2.jpg")),
                undo("undone: 2", "pics/2.jpg"),
                step(
                    .move, { ":move! \($0.folder.path)/moved\r" }, says: "moved 2.jpg to ",
                    at: "2/2"
                ) { has("moved/2.jpg")($0) && !has("pics/2.jpg")($0) },
            ])
    }

    private static func ending(
        _ command: Command, _ context: KeyContext, _ line: String,
        holds: @escaping @Sendable (CommandStage) -> Bool
    ) -> CommandWalk {
        CommandWalk(
            name: "\(command.rawValue) in the \(context)",
            begin: { folder in
                try CommandStage(in: folder, ProgramGallery(count: 4))
            },
            steps: [
                CommandStep(command, context) { stage in
                    let keys = context == .viewer ? "l\rm" : "lm"
                    guard stage.types(keys, until: { $0.bottom.contains("1 marked") }) else {
                        return false
                    }
                    stage.screen.type(line)
                    return stage.screen.waitForExit() == .code(0) && holds(stage)
                }
            ])
    }

    private static func quittingUnasked(_ context: KeyContext) -> CommandWalk {
        ending(.quitUnasked, context, ":q!\r") { _ in true }
    }

    private static func savingAndQuitting(_ context: KeyContext) -> CommandWalk {
        ending(.saveAndQuit, context, ":x\r") {
            access($0.folder.path + "/Picture 002.png", F_OK) == 0
        }
    }

    private static func printing(_ context: KeyContext, _ keys: String) -> CommandWalk {
        CommandWalk(
            name: "quitting with what is marked, in the \(context)",
            begin: { folder in
                try CommandStage(in: folder, ProgramGallery(count: 4))
            },
            steps: [
                CommandStep(.printAndQuit, context) { stage in
                    guard stage.types(keys, until: { $0.bottom.contains("1 marked") }) else {
                        return false
                    }
                    stage.screen.type("Q")
                    let output = stage.gallery.server.url(stage.gallery.fullPath(2)) + "\r\n"
                    return stage.screen.waitForExit() == .code(0)
                        && String(decoding: stage.screen.process.output, as: UTF8.self)
                            .hasSuffix(output)
                }
            ])
    }

    private static let leaving = printing(.gallery, "lm")
    private static let leavingViewer = printing(.viewer, "l\rm")

    private static let growing = CommandWalk(
        name: "loading a section to its end",
        begin: { folder in
            try CommandStage(in: folder, ProgramGallery(count: 60))
        }, steps: [CommandStep(.all, .gallery, "A", says: "all 60 are loaded")])
}
