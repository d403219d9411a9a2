import Gallery
import Raster

/// A command as it was given.
@MainActor struct CommandCall: ContextSharing {
    let model: BrowserModel
    /// The number typed before the key.
    var count: Int?
    /// What was typed after the command's name; empty if it was given by its key.
    var argument = ""
    /// Whether its name was typed with `!` at its end.
    var isForced = false

    var steps: Int { count ?? 1 }
    var gallery: GalleryModel { model.gallery }
    var level: GalleryLevel { model.level }
    var viewer: ViewerModel { model.viewer }
    var prompt: PromptModel { model.prompt }
    var dialogs: DialogsModel { model.dialogs }
    var context: BrowserContext { model.context }

    func goToMarked(step: Int) {
        if !level.goToMarked(step: step) { show("nothing is marked") }
    }
}

/// Carries out a command; throws if it may not be run.
typealias CommandHandler = @MainActor @Sendable (CommandCall) throws -> Void

/// What a command does in each context that it applies in.
typealias CommandHandlers = [KeyContext: CommandHandler]

extension Command {
    /// The command's rows in the one table of commands, from which keys, help, manual and the `:` line are made.
    ///
    /// Without a default, a new command compiles only with its keys, its description and its handlers. Its place among the commands tells
    /// its group.
    var bindings: [KeyMap.Binding] {
        switch self {
        case .left:
            row(
                "left (viewer: previous, or pan)", "h", .left,
                do: [
                    .gallery: { $0.level.move(by: -$0.steps) },
                    .viewer: { $0.viewer.moveSideways(by: -$0.steps) },
                ])
        case .down:
            row("down (viewer: scroll, then next)", "j", .down, do: Self.lines(1))
        case .up:
            row("up (viewer: scroll, then previous)", "k", .up, do: Self.lines(-1))
        case .right:
            row(
                "right (viewer: next, or pan)", "l", .right,
                do: [
                    .gallery: { try $0.model.moveRight($0) },
                    .viewer: { $0.viewer.moveSideways(by: $0.steps) },
                ])
        case .pageDown:
            row(
                "a page down (viewer: then next)", " ", .pageDown, .control("f"),
                do: Self.pages(1, parts: 1))
        case .pageUp:
            row(
                "a page up (viewer: then previous)", "b", .pageUp, .control("b"),
                do: Self.pages(-1, parts: 1))
        case .halfPageDown:
            row("half a page down", .control("d"), do: Self.pages(1, parts: 2))
        case .halfPageUp:
            row("half a page up", .control("u"), do: Self.pages(-1, parts: 2))
        case .first:
            row(
                "first picture; with a count, that picture", "g", .home,
                do: [
                    .gallery: { $0.gallery.go(to: $0.steps) },
                    .viewer: { $0.viewer.go(to: $0.steps) },
                    .help: { $0.dialogs.scrollHelp(to: 0) },
                ])
        case .last:
            row(
                "last loaded (load more); with a count, that picture", "G", .end,
                do: [
                    .gallery: { $0.gallery.goToLast($0.count) },
                    .viewer: { $0.viewer.go(to: $0.count) },
                    .help: { $0.dialogs.scrollHelp(to: .max) },
                ])
        case .all:
            row("load the section to its end; Esc stops it", "A") { $0.gallery.loadAll() }
        case .newest:
            row(
                "newest picture, and newer ones as they appear", in: .gallery, .viewer
            ) { $0.gallery.go(to: .newest) }
        case .firstNew:
            row(
                "first picture that is new in a followed gallery", "^"
            ) { $0.gallery.goToFirstNew() }
        case .rowStart:
            row("first picture of the row", "0") { $0.level.moveInRow(toEnd: false) }
        case .rowEnd:
            row("last picture of the row", "$") { $0.level.moveInRow(toEnd: true) }
        case .screenTop:
            row("first picture on the screen", "H") { $0.level.moveOnScreen(toEnd: false) }
        case .screenBottom:
            row("last picture on the screen", "L") { $0.level.moveOnScreen(toEnd: true) }
        case .center:
            row("centre the row on the screen", "z") { $0.level.center() }
        case .previousSection:
            row("previous section", "[") { $0.level.moveToSection(-$0.steps) }
        case .nextSection:
            row("next section", "]") { $0.level.moveToSection($0.steps) }

        case .nextPicture:
            row("next picture", "n") { $0.viewer.turnPage(by: $0.steps) }
        case .previousPicture:
            row("previous picture", "p", .backspace) { $0.viewer.turnPage(by: -$0.steps) }
        case .zoomIn:
            row("zoom in", "+") { $0.viewer.zoomIn(by: $0.steps) }
        case .zoomOut:
            row("zoom out", "-") { $0.viewer.zoomIn(by: -$0.steps) }
        case .zoomFit:
            row("fit the screen", "=") { $0.viewer.setFit(.screen) }
        case .fitWidth:
            row(
                "fit the width, from the top: Space reads on", "w"
            ) { $0.viewer.setFit(.width) }
        case .fitHeight:
            row("fit the height", "W") { $0.viewer.setFit(.height) }
        case .actualSize:
            row(
                "100 %: a pixel of the picture is one of the blocks", "z"
            ) { $0.viewer.setFit(.actualSize) }
        case .keepView:
            row(
                "keep zoom and place from picture to picture", "Z"
            ) { $0.viewer.toggleKeepingView() }
        case .rotateRight:
            row("rotate right", ")") { $0.viewer.rotate(by: $0.steps) }
        case .rotateLeft:
            row("rotate left", "(") { $0.viewer.rotate(by: -$0.steps) }
        case .flip:
            row("flip horizontally", "|") { $0.viewer.flip(isVertical: false) }
        case .flipVertical:
            row("flip vertically", "_") { $0.viewer.flip(isVertical: true) }
        case .play:
            row("play or pause an animation", "a") { $0.viewer.togglePlaying() }
        case .nextFrame:
            row("pause, and show the next frame", ".") { $0.viewer.showNextFrame() }
        case .filmstrip:
            row(
                "filmstrip of the neighbouring pictures", "T"
            ) { $0.viewer.toggleFilmstrip() }
        case .spread:
            row(
                "two pages side by side, or one again", "D", takes: "ltr|rtl|off"
            ) { $0.viewer.showSpreads($0.argument) }
        case .strip:
            row("all pages as one strip, or one by one again") { $0.viewer.toggleStrip() }
        case .compare:
            row(
                "the marked pictures side by side, with one zoom: } goes on", in: .gallery,
                .viewer
            ) { $0.viewer.compareMarked() }
        case .blink:
            row("one of two compared pictures, then the other in its place", "x", in: .viewer) {
                $0.viewer.blink()
            }
        case .difference:
            row("what differs between them, or both again", "d", in: .viewer) {
                $0.viewer.showDifference()
            }

        case .open:
            row(
                "open the picture or album, or the one given", .enter,
                takes: "ADDRESS|PATH", names: "e", isRisky: true
            ) { try $0.model.open($0) }
        case .show:
            row("show a picture before those that other programs have had shown", takes: "SOURCE") {
                $0.model.showPicture($0.argument)
            }
        case .view:
            row(
                "look at the picture large, without choosing it", "p", isRisky: true,
                in: .gallery
            ) { $0.model.viewSelection() }
        case .cd:
            row(
                "open a folder, or your home folder", takes: "FOLDER", isRisky: true
            ) { $0.model.open(place: $0.argument.isEmpty ? "~" : $0.argument) }
        case .back:
            row(
                "go back", .escape, "<", .alt(.left), in: .gallery
            ) { $0.model.goBack() }
                + row("go back", .escape, "<", .alt(.left), under: .viewer) { $0.model.goBack() }
                + row(
                    "go back", .escape, .enter, .backspace, under: .program, in: .help
                ) { $0.dialogs.closeHelp() }
        case .parent:
            row(
                "go back, or to the folder above", .backspace, in: .gallery
            ) {
                if !$0.model.goBack(), !$0.gallery.openParent() {
                    $0.show("there is nothing to go back to")
                }
            }
        case .forward:
            row("go forward again", ">", .alt(.right)) {
                if !$0.gallery.reopenAlbum() { $0.show("nothing to go forward to") }
            }
        case .setBookmark:
            row(
                "set the bookmark of the letter that follows", "\"", takes: "LETTER"
            ) { $0.model.setBookmark($0.argument) }
        case .goToBookmark:
            row(
                "go to the bookmark of the letter that follows", "'", takes: "LETTER",
                isRisky: true
            ) { $0.model.goToBookmark($0.argument) }
        case .home:
            row(
                "what is new in followed galleries, and the places where you were",
                isRisky: true
            ) { $0.model.openHome() }
        case .follow:
            row(
                "follow this gallery, or no longer: what is new in it is marked"
            ) { $0.model.follow() }
        case .toggleLayout:
            row(
                "list, or grid or rows as before", "v", .tab,
                takes: Layout.words,
                names: "layout", in: .gallery
            ) { $0.gallery.changeLayout($0.argument) }
        case .larger:
            row(
                "larger thumbnails", "+", in: .gallery
            ) { $0.gallery.resizeTiles(by: $0.steps) }
        case .smaller:
            row(
                "smaller thumbnails", "-", in: .gallery
            ) { $0.gallery.resizeTiles(by: -$0.steps) }
        case .defaultSize:
            row(
                "thumbnails of the default size, or this wide", "=", takes: "CELLS",
                names: "tile", in: .gallery
            ) { $0.gallery.resizeTiles(to: $0.argument) }
        case .find:
            row(
                "search as you type: titles, names, captions; this help", "/",
                takes: "TEXT",
                do: [
                    .help: {
                        $0.dialogs.beginFindingInHelp()
                        $0.prompt.open(.findInHelp)
                    }
                ]
            ) { $0.prompt.find($0.argument) }
        case .findNext:
            row(
                "next match", "n",
                do: Self.matches(1))
        case .findPrevious:
            row(
                "previous match", "N",
                do: Self.matches(-1))
        case .filter:
            row(
                "filter as you type; Esc shows all again", "f", takes: "TEXT",
                in: .gallery
            ) { $0.prompt.filter($0.argument) }
        case .hideSeen:
            row(
                "only what is new in a followed gallery, or all again", in: .gallery
            ) { $0.gallery.hideSeen() }
        case .showAll:
            row(
                "everything on the page, what is left out with the reason, or not",
                in: .gallery
            ) { $0.model.showAll() }
        case .render:
            row(
                "pages as a browser draws them by their scripts, or not", in: .gallery
            ) { try $0.model.toggleRendering() }
        case .learn:
            row(
                "make a recipe that finds the marked pictures, not the selected one",
                in: .gallery
            ) { $0.model.learn() }
        case .nextOrder:
            row(
                "next order: \(Self.orders.replacing("|", with: ", "))", "S", in: .gallery
            ) { $0.gallery.sortByNextKey() }
        case .sort:
            row(
                "sort by the order given", takes: Self.orders
            ) { $0.gallery.sort(by: $0.argument) }
        case .reverse:
            row(
                "reverse the order", .control("r"), in: .gallery
            ) { $0.gallery.reverse() }
        case .group:
            row(
                "headings: [ and ] go from one to the next",
                takes: PictureOrder.Grouping.words
            ) { $0.gallery.group(by: $0.argument) }
        case .duplicates:
            row(
                "pictures of the folder that look the same; Esc shows all again",
                in: .gallery
            ) { $0.gallery.showDuplicates() }
        case .retry:
            row("retry what failed", "r") { $0.model.retryFailed() }
        case .reload:
            row("reload the section", "R") { $0.gallery.reload() }
        case .info:
            row("details of the picture", "i") { $0.display.isInfoShown.toggle() }
        case .position:
            row("details, and where it was taken", "I") { $0.dialogs.togglePosition() }
        case .nextBlocks:
            row(
                "next set of block characters", "B", takes: BlockSet.words,
                names: "blocks"
            ) {
                $0.display.changeBlocks(
                    $0.argument, among: $0.options.availableBlocks)
            }
        case .nextColors:
            row(
                "next colour depth", "C", takes: ColorDepth.words,
                names: "colors"
            ) {
                $0.display.changeColors($0.argument)
                // Without colours the list has one line per picture.
                $0.gallery.relayout()
            }
        case .nextGraphics:
            row(
                "next kind of pixels, or blocks", "X",
                takes: Graphics.words, names: "graphics"
            ) { $0.display.changeGraphics($0.argument) }
        case .toggleTint:
            row("tint behind thumbnails", "t") {
                $0.display.toggle(&$0.display.style.isTinted, "tint on", "tint off")
            }
        case .toggleBars:
            row("hide the top and bottom lines", "F") {
                $0.display.hidesBars.toggle()
                $0.gallery.relayout()
            }
        case .crop:
            row(
                "tiles filled with cropped pictures, or whole ones", "c", in: .gallery
            ) { $0.gallery.toggleCropping() }
                + row(
                    "crop borders of one colour, as pages have", "c", under: .viewer
                ) { $0.viewer.toggleCropping() }

        case .invert:
            row("dark for light and light for dark, as at night", in: .viewer) {
                $0.viewer.invert()
            }
        case .brightness:
            row(
                "lighter or darker by so many percent; without a number as it was",
                takes: "±PERCENT", in: .viewer
            ) { $0.viewer.setBrightness($0.argument) }
        case .gamma:
            row(
                "lighter dark tones above 1, darker ones below; without a number as it was",
                takes: "NUMBER", in: .viewer
            ) { $0.viewer.setGamma($0.argument) }

        case .mark:
            row(
                "mark or unmark", "m",
                do: [
                    .dialog: {
                        try $0.model.checkHaste()
                        $0.dialogs.answer(.mark)
                    }
                ]
            ) { $0.level.toggleMark() }
        case .clearMarks:
            row("clear all marks", "u") {
                $0.show($0.level.clearMarks())
            }
        case .invertMarks:
            row("invert the marks", "M") {
                $0.show($0.level.invertMarks())
            }
        case .markRange:
            row(
                "mark a range: V, move, V", "V", in: .gallery
            ) {
                $0.show($0.level.markRange())
            }
        case .nextMarked:
            row("next marked picture", "}") { $0.goToMarked(step: 1) }
        case .previousMarked:
            row("previous marked picture", "{") { $0.goToMarked(step: -1) }
        case .index:
            row(
                "learn how a folder's pictures look, to know them elsewhere",
                takes: "FOLDER"
            ) { $0.model.learnLooks(inFolder: $0.argument) }
        case .save:
            row(
                "save the marked pictures or albums, or this one", "s",
                takes: "FOLDER", names: "w", isRisky: true
            ) { call in
                call.model.choose {
                    call.model.saving.save($0, to: call.gallery.path(call.argument))
                }
            }
        case .saveAll:
            row(
                "save the whole section; Esc stops it", takes: "FOLDER", isRisky: true
            ) { call in
                call.level.currentSection.map {
                    call.model.saveAll([$0], to: call.gallery.path(call.argument))
                }
            }
        case .pause:
            row("pause saving, or go on") { $0.model.saving.pause() }
        case .copyAddress:
            row("copy its address to the clipboard", "y") { $0.model.copyAddress() }
        case .copyPicture:
            row("copy the picture itself to the clipboard", "Y", isRisky: true) {
                $0.model.copyPicture()
            }
        case .openElsewhere:
            row(
                "open it in the web browser", "o", isRisky: true
            ) { try $0.model.openElsewhere() }
        case .run:
            row(
                "run a command on the marked pictures, or this one", "!",
                takes: "COMMAND"
            ) {
                guard !$0.argument.isEmpty else { return $0.prompt.open(.run) }
                try $0.model.runProgram(ExternalCommand($0.argument), asks: true)
            }
        case .slideshow:
            row(
                "slideshow of all or the marked, 5 or the count's seconds each", "P"
            ) { $0.viewer.startSlideshow(seconds: $0.count) }

        case .trash:
            row(
                "move its file to the trash", .delete, isRisky: true
            ) { try $0.model.changeFiles("trashed") { _ in .trash } }
        case .copy:
            row(
                "copy its file into a folder; :copy! makes it", takes: "FOLDER", isRisky: true
            ) { try $0.model.changeFiles("copied", self, $0, FileChange.copy) }
        case .move:
            row(
                "move its file into a folder; :move! makes it", takes: "FOLDER", isRisky: true
            ) { try $0.model.changeFiles("moved", self, $0, FileChange.move) }
        case .rename:
            row("give its file another name", takes: "NAME", isRisky: true) {
                try $0.model.changeFiles("renamed", self, $0, FileChange.rename)
            }
        case .rotateFile:
            row(
                "turn its JPEG for good, or as it is turned in the viewer",
                takes: Self.turns.joined(separator: "|"), isRisky: true
            ) { try $0.model.turnFiles($0.argument) }
        case .undo:
            row(
                "undo the last of these changes of files", "U", isRisky: true
            ) { try $0.model.undoFiles() }

        case .accept:
            row(
                "accept, or retry", .enter, "r", isRisky: true
            ) { $0.dialogs.answer(.accept) }
        case .dismiss:
            row("dismiss", .escape) { $0.dialogs.answer(.dismiss) }

        case .commandLine:
            row(
                "type a command by its name; Tab completes", ":"
            ) { $0.prompt.open(.command) }
        case .help:
            row(
                "all keys", "?", .function(1), names: "h",
                do: [
                    .gallery: { $0.dialogs.openHelp() },
                    .viewer: {
                        $0.dialogs.openHelp(at: CommandGroup.viewer.rawValue)
                    }, .help: { $0.dialogs.closeHelp() },
                ])
        case .messages:
            row("the messages so far") { $0.dialogs.openMessages() }
        case .redraw:
            row(
                "redraw the screen", .control("l"), in: .gallery, .viewer, .prompt,
                .dialog, .help
            ) { $0.model.effects.append(.redraw) }
        case .suspend:
            row(
                "suspend the program", .control("z"), in: .gallery, .viewer, .prompt,
                .dialog, .help
            ) { $0.model.effects.append(.suspend) }
        case .quit:
            row(
                "go back, then quit", "q", names: "q",
                do: [
                    .dialog: { $0.dialogs.answer(.dismiss) },
                    .help: { $0.dialogs.closeHelp() },
                ]
            ) { try $0.model.goBackOrQuit() }
        case .quitUnasked:
            row(
                "quit at once, whatever is marked or being saved", names: "q!",
                isRisky: true
            ) { $0.model.leave() }
        case .saveAndQuit:
            row(
                "save what is marked, then quit", names: "x", "wq", isRisky: true
            ) { try $0.model.saveAndQuit() }
        case .printAndQuit:
            row(
                "quit and print the marked paths or addresses", "Q", isRisky: true
            ) { try $0.model.quit(printing: $0.gallery.marked) }
        }
    }

    /// The group that it belongs to: its first command is the last of such up to this one.
    private var group: CommandGroup {
        let passed = Self.allCases.prefix { $0 != self } + [self]
        return passed.compactMap { command in
            CommandGroup.allCases.first { $0.start.command == command }
        }.last ?? .moving
    }

    /// Returns a row with `handlers`, and with `handler` in `contexts`, if there are none where the group's commands usually apply.
    private func row(
        _ summary: String, _ keys: Key..., under group: CommandGroup? = nil,
        takes argument: String = "",
        names: String..., isRisky: Bool = false, in contexts: KeyContext...,
        do handlers: CommandHandlers = [:], handler: CommandHandler? = nil
    ) -> [KeyMap.Binding] {
        var handlers = handlers
        let group = group ?? self.group
        for context in contexts.isEmpty ? group.start.contexts : contexts where handler != nil {
            handlers[context] = handler
        }
        return [
            KeyMap.Binding(
                group: group.rawValue, command: self, names: [rawValue] + names, summary: summary,
                keys: keys, argument: argument, isRisky: isRisky, handlers: handlers)
        ]
    }

    /// Moves down by lines, or up if the sign is negative.
    private static func lines(_ sign: Int) -> CommandHandlers {
        [
            .gallery: { $0.gallery.go(sign * $0.steps, $0.level.move(byRows:)) },
            .viewer: { $0.viewer.scroll(sign * $0.steps, by: 1 / 8) },
            .help: { $0.dialogs.scrollHelp(by: sign * $0.steps) },
        ]
    }

    /// Goes to the next of what is searched for, or to the previous if the sign is negative.
    private static func matches(_ sign: Int) -> CommandHandlers {
        [
            .gallery: { $0.prompt.findNext(sign * $0.steps) },
            .help: { $0.dialogs.findNextInHelp(sign * $0.steps) },
        ]
    }

    /// Moves down by pages or parts of them, or up if the sign is negative; in the viewer a little of a page stays.
    private static func pages(_ sign: Int, parts: Int) -> CommandHandlers {
        [
            .gallery: { $0.gallery.page(sign * $0.steps, parts: parts) },
            .viewer: { $0.viewer.scroll(sign * $0.steps, by: parts == 1 ? 0.9 : 0.5) },
            .help: { $0.dialogs.scrollHelp(by: sign * $0.dialogs.helpPage / parts * $0.steps) },
        ]
    }

    /// The ways to turn a picture: right by one to three quarters, and by none to three once it is mirrored.
    static let turns = [
        "right", "half", "left", "flip", "transverse", "flip-vertical", "transpose",
    ]

    static let orders = PictureOrder.Key.words
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The values as the choices that a command takes.
    fileprivate static var words: String { allCases.map(\.rawValue).joined(separator: "|") }
}

extension Key: ExpressibleByUnicodeScalarLiteral {
    /// Creates the key of a printable character.
    public init(unicodeScalarLiteral scalar: Unicode.Scalar) { self = .character(scalar) }
}
