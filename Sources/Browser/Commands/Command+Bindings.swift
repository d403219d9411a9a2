import Gallery
import Raster

/// A command as it was given.
@MainActor struct CommandCall {
    let model: BrowserModel
    /// The number typed before the key.
    var count: Int?
    /// What was typed after the command's name; empty if it was given by its key.
    var argument = ""

    var steps: Int { count ?? 1 }
    var gallery: GalleryModel { model.gallery }
    var level: GalleryLevel { model.gallery.level }
    var viewer: ViewerModel { model.viewer }
    var prompt: PromptModel { model.prompt }
    var dialogs: DialogsModel { model.dialogs }
    var display: DisplayState { model.display }

    func goToMarked(step: Int) {
        if !level.goToMarked(step: step) { display.show("nothing is marked") }
    }
}

/// Carries out a command; throws if it may not be run.
typealias CommandHandler = @MainActor @Sendable (CommandCall) throws -> Void

/// What a command does in each context that it applies in.
typealias CommandHandlers = [KeyContext: CommandHandler]

extension Command {
    /// The command's rows in the one table of commands, from which keys, help, manual and the `:` line are made.
    ///
    /// Without a default, a new command compiles only with its keys, its description and its handlers.
    var bindings: [KeyMap.Binding] {
        switch self {
        case .left:
            row(
                .moving, "left (viewer: previous, or pan)", "h", .left,
                do: [
                    .gallery: { $0.level.move(by: -$0.steps) },
                    .viewer: { $0.viewer.moveSideways(by: -$0.steps) },
                ])
        case .down:
            row(
                .moving, "down (viewer: scroll, then next)", "j", .down, do: Self.lines(1))
        case .up:
            row(
                .moving, "up (viewer: scroll, then previous)", "k", .up, do: Self.lines(-1))
        case .right:
            row(
                .moving, "right (viewer: next, or pan)", "l", .right,
                do: [
                    .gallery: { try $0.model.moveRight($0) },
                    .viewer: { $0.viewer.moveSideways(by: $0.steps) },
                ])
        case .pageDown:
            row(
                .moving, "a page down (viewer: then next)", " ", .pageDown, .control("f"),
                do: Self.pages(1, parts: 1))
        case .pageUp:
            row(
                .moving, "a page up (viewer: then previous)", "b", .pageUp, .control("b"),
                do: Self.pages(-1, parts: 1))
        case .halfPageDown:
            row(
                .moving, "half a page down", .control("d"), do: Self.pages(1, parts: 2))
        case .halfPageUp:
            row(
                .moving, "half a page up", .control("u"), do: Self.pages(-1, parts: 2))
        case .first:
            row(
                .moving, "first picture; with a count, that picture", "g", .home,
                do: [
                    .gallery: { $0.gallery.go(to: $0.count ?? 1) },
                    .viewer: { $0.viewer.go(to: $0.count ?? 1) },
                    .help: { $0.dialogs.scrollHelp(to: 0) },
                ])
        case .last:
            row(
                .moving, "last loaded (load more); with a count, that picture", "G", .end,
                do: [
                    .gallery: { $0.gallery.goToLast($0.count) },
                    .viewer: { $0.viewer.go(to: $0.count) },
                    .help: { $0.dialogs.scrollHelp(to: .max) },
                ])
        case .all:
            row(.moving, "load the section to its end; Esc stops it", "A") { $0.gallery.loadAll() }
        case .newest:
            row(
                .moving, "newest picture, and newer ones as they appear", in: .gallery, .viewer
            ) { $0.gallery.go(to: .newest) }
        case .firstNew:
            row(
                .moving, "first picture that is new in a followed gallery", "^"
            ) { $0.gallery.goToFirstNew() }
        case .rowStart:
            row(.moving, "first picture of the row", "0") { $0.level.moveInRow(toEnd: false) }
        case .rowEnd:
            row(.moving, "last picture of the row", "$") { $0.level.moveInRow(toEnd: true) }
        case .screenTop:
            row(.moving, "first picture on the screen", "H") { $0.level.moveOnScreen(toEnd: false) }
        case .screenBottom:
            row(.moving, "last picture on the screen", "L") { $0.level.moveOnScreen(toEnd: true) }
        case .center:
            row(.moving, "centre the row on the screen", "z") { $0.level.center() }
        case .previousSection:
            row(.moving, "previous section", "[") { $0.level.moveToSection(-$0.steps) }
        case .nextSection:
            row(.moving, "next section", "]") { $0.level.moveToSection($0.steps) }

        case .nextPicture:
            row(.viewer, "next picture", "n") { $0.viewer.turnPage(by: $0.steps) }
        case .previousPicture:
            row(.viewer, "previous picture", "p", .backspace) { $0.viewer.turnPage(by: -$0.steps) }
        case .zoomIn:
            row(.viewer, "zoom in", "+") { $0.viewer.zoomIn(by: $0.steps) }
        case .zoomOut:
            row(.viewer, "zoom out", "-") { $0.viewer.zoomIn(by: -$0.steps) }
        case .zoomFit:
            row(.viewer, "fit the screen", "=") { $0.viewer.setFit(.screen) }
        case .fitWidth:
            row(
                .viewer, "fit the width, from the top: Space reads on", "w"
            ) { $0.viewer.setFit(.width) }
        case .fitHeight:
            row(.viewer, "fit the height", "W") { $0.viewer.setFit(.height) }
        case .actualSize:
            row(
                .viewer, "100 %: a pixel of the picture is one of the blocks", "z"
            ) { $0.viewer.setFit(.actualSize) }
        case .keepView:
            row(
                .viewer, "keep zoom and place from picture to picture", "Z"
            ) { $0.viewer.toggleKeepingView() }
        case .rotateRight:
            row(.viewer, "rotate right", ")") { $0.viewer.rotate(by: $0.steps) }
        case .rotateLeft:
            row(.viewer, "rotate left", "(") { $0.viewer.rotate(by: -$0.steps) }
        case .flip:
            row(.viewer, "flip horizontally", "|") { $0.viewer.flip(isVertical: false) }
        case .flipVertical:
            row(.viewer, "flip vertically", "_") { $0.viewer.flip(isVertical: true) }
        case .play:
            row(.viewer, "play or pause an animation", "a") { $0.viewer.togglePlaying() }
        case .nextFrame:
            row(.viewer, "pause, and show the next frame", ".") { $0.viewer.showNextFrame() }
        case .filmstrip:
            row(
                .viewer, "filmstrip of the neighbouring pictures", "T"
            ) { $0.viewer.toggleFilmstrip() }
        case .spread:
            row(
                .viewer, "two pages side by side, or one again", "D", takes: "ltr|rtl|off"
            ) { $0.viewer.showSpreads($0.argument) }
        case .strip:
            row(.viewer, "all pages as one strip, or one by one again") { $0.viewer.toggleStrip() }
        case .compare:
            row(
                .viewer, "the marked pictures side by side, with one zoom: } goes on", in: .gallery,
                .viewer
            ) { $0.viewer.compareMarked() }

        case .open:
            row(
                .gallery, "open the picture or album, or the one given", .enter,
                takes: "ADDRESS|PATH", names: "e", isRisky: true
            ) { try $0.model.open($0) }
        case .view:
            row(
                .gallery, "look at the picture large, without choosing it", "p", isRisky: true,
                in: .gallery
            ) { $0.model.viewSelection() }
        case .cd:
            row(
                .gallery, "open a folder, or your home folder", takes: "FOLDER", isRisky: true
            ) { $0.model.open(place: $0.argument.isEmpty ? "~" : $0.argument) }
        case .back:
            row(
                .gallery, "go back", .escape, "<", .alt(.left), in: .gallery
            ) { $0.model.goBack() }
                + row(.viewer, "go back", .escape, "<", .alt(.left)) { $0.model.goBack() }
                + row(
                    .program, "go back", .escape, .enter, .backspace, in: .help
                ) { $0.dialogs.closeHelp() }
        case .parent:
            row(
                .gallery, "go back, or to the folder above", .backspace, in: .gallery
            ) {
                if !$0.model.goBack(), !$0.gallery.openParent() {
                    $0.display.show("there is nothing to go back to")
                }
            }
        case .forward:
            row(.gallery, "go forward again", ">", .alt(.right)) {
                if !$0.gallery.reopenAlbum() { $0.display.show("nothing to go forward to") }
            }
        case .setBookmark:
            row(
                .gallery, "set the bookmark of the letter that follows", "\"", takes: "LETTER"
            ) { $0.model.setBookmark($0.argument) }
        case .goToBookmark:
            row(
                .gallery, "go to the bookmark of the letter that follows", "'", takes: "LETTER",
                isRisky: true
            ) { $0.model.goToBookmark($0.argument) }
        case .home:
            row(
                .gallery, "what is new in followed galleries, and the places where you were",
                isRisky: true
            ) { $0.model.openHome() }
        case .follow:
            row(
                .gallery, "follow this gallery, or no longer: what is new in it is marked"
            ) { $0.model.follow() }
        case .toggleLayout:
            row(
                .gallery, "list, or grid or rows as before", "v", .tab,
                takes: Self.words(of: Layout.self),
                names: "layout", in: .gallery
            ) { $0.gallery.changeLayout($0.argument) }
        case .larger:
            row(
                .gallery, "larger thumbnails", "+", in: .gallery
            ) { $0.gallery.resizeTiles(by: $0.steps) }
        case .smaller:
            row(
                .gallery, "smaller thumbnails", "-", in: .gallery
            ) { $0.gallery.resizeTiles(by: -$0.steps) }
        case .defaultSize:
            row(
                .gallery, "thumbnails of the default size, or this wide", "=", takes: "CELLS",
                names: "tile", in: .gallery
            ) { $0.gallery.resizeTiles(to: Int($0.argument)) }
        case .find:
            row(
                .gallery, "search as you type: titles, names, captions; this help", "/",
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
                .gallery, "next match", "n",
                do: [
                    .gallery: { $0.prompt.findNext($0.steps) },
                    .help: { $0.dialogs.findNextInHelp($0.steps) },
                ])
        case .findPrevious:
            row(
                .gallery, "previous match", "N",
                do: [
                    .gallery: { $0.prompt.findNext(-$0.steps) },
                    .help: { $0.dialogs.findNextInHelp(-$0.steps) },
                ])
        case .filter:
            row(
                .gallery, "filter as you type; Esc shows all again", "f", takes: "TEXT",
                in: .gallery
            ) { $0.prompt.filter($0.argument) }
        case .hideSeen:
            row(
                .gallery, "only what is new in a followed gallery, or all again", in: .gallery
            ) { $0.gallery.hideSeen() }
        case .showAll:
            row(
                .gallery, "everything on the page, what is left out with the reason, or not",
                in: .gallery
            ) { $0.model.showAll() }
        case .learn:
            row(
                .gallery, "make a recipe that finds the marked pictures, not the selected one",
                in: .gallery
            ) { $0.model.learn() }
        case .nextOrder:
            row(
                .gallery, "next order: \(Self.orders.replacing("|", with: ", "))", "S", in: .gallery
            ) { $0.gallery.sortByNextKey() }
        case .sort:
            row(
                .gallery, "sort by the order given", takes: Self.orders
            ) { $0.gallery.sort(by: $0.argument) }
        case .reverse:
            row(
                .gallery, "reverse the order", .control("r"), in: .gallery
            ) { $0.gallery.reverse() }
        case .group:
            row(
                .gallery, "headings: [ and ] go from one to the next",
                takes: Self.words(of: PictureOrder.Grouping.self)
            ) { $0.gallery.group(by: $0.argument) }
        case .duplicates:
            row(
                .gallery, "pictures of the folder that look the same; Esc shows all again",
                in: .gallery
            ) { $0.gallery.showDuplicates() }
        case .retry:
            row(.gallery, "retry what failed", "r") { $0.model.retryFailed() }
        case .reload:
            row(.gallery, "reload the section", "R") { $0.gallery.reload() }
        case .info:
            row(.gallery, "details of the picture", "i") { $0.display.isInfoShown.toggle() }
        case .position:
            row(.gallery, "details, and where it was taken", "I") { $0.dialogs.togglePosition() }
        case .nextBlocks:
            row(
                .gallery, "next set of block characters", "B", takes: Self.words(of: BlockSet.self),
                names: "blocks"
            ) {
                $0.display.changeBlocks(
                    $0.argument, among: $0.model.context.options.availableBlocks)
            }
        case .nextColors:
            row(
                .gallery, "next colour depth", "C", takes: Self.words(of: ColorDepth.self),
                names: "colors"
            ) {
                $0.display.changeColors($0.argument)
                // Without colours the list has one line per picture.
                $0.gallery.relayout()
            }
        case .nextGraphics:
            row(
                .gallery, "next kind of pixels, or blocks", "X",
                takes: Self.words(of: Graphics.self), names: "graphics"
            ) { $0.display.changeGraphics($0.argument) }
        case .toggleTint:
            row(.gallery, "tint behind thumbnails", "t") {
                $0.display.toggle(&$0.display.style.isTinted, "tint on", "tint off")
            }
        case .toggleBars:
            row(.gallery, "hide the top and bottom lines", "F") {
                $0.display.hidesBars.toggle()
                $0.gallery.relayout()
            }
        case .crop:
            row(
                .gallery, "tiles filled with cropped pictures, or whole ones", "c", in: .gallery
            ) { $0.gallery.toggleCropping() }
                + row(
                    .viewer, "crop borders of one colour, as pages have", "c"
                ) { $0.viewer.toggleCropping() }

        case .mark:
            row(.pictures, "mark or unmark", "m") { $0.level.toggleMark() }
        case .clearMarks:
            row(.pictures, "clear all marks", "u") {
                $0.display.show($0.level.clearMarks())
            }
        case .invertMarks:
            row(.pictures, "invert the marks", "M") {
                $0.display.show($0.level.invertMarks())
            }
        case .markRange:
            row(
                .pictures, "mark a range: V, move, V", "V", in: .gallery
            ) {
                $0.display.show($0.level.markRange())
            }
        case .nextMarked:
            row(.pictures, "next marked picture", "}") { $0.goToMarked(step: 1) }
        case .previousMarked:
            row(.pictures, "previous marked picture", "{") { $0.goToMarked(step: -1) }
        case .index:
            row(
                .pictures, "learn how a folder's pictures look, to know them elsewhere",
                takes: "FOLDER"
            ) { $0.model.learnLooks(inFolder: $0.argument) }
        case .save:
            row(
                .pictures, "save the marked pictures or albums, or this one", "s",
                takes: "FOLDER", names: "w", isRisky: true
            ) { $0.model.saving.save($0.level.chosenOrders, to: $0.argument) }
        case .saveAll:
            row(
                .pictures, "save the whole section; Esc stops it", takes: "FOLDER", isRisky: true
            ) { call in
                call.level.currentSection.map {
                    call.model.saveAll([$0], to: call.argument)
                }
            }
        case .pause:
            row(.pictures, "pause saving, or go on") { $0.model.saving.pause() }
        case .copyAddress:
            row(.pictures, "copy its address to the clipboard", "y") { $0.model.copyAddress() }
        case .openElsewhere:
            row(
                .pictures, "open it in the web browser", "o", isRisky: true
            ) { try $0.model.openElsewhere() }
        case .run:
            row(
                .pictures, "run a command on the marked pictures, or this one", "!",
                takes: "COMMAND"
            ) {
                guard !$0.argument.isEmpty else { return $0.prompt.open(.run) }
                try $0.model.runProgram(ExternalCommand($0.argument), asks: true)
            }
        case .slideshow:
            row(
                .pictures, "slideshow of all or the marked, 5 or the count's seconds each", "P"
            ) { $0.viewer.startSlideshow(seconds: $0.count) }

        case .trash:
            row(
                .pictures, "move its file to the trash", .delete, isRisky: true
            ) { try $0.model.changeFiles("trashed") { _ in .trash } }
        case .copy:
            row(.pictures, "copy its file into a folder", takes: "FOLDER", isRisky: true) {
                try $0.model.changeFiles("copied", to: $0.argument, FileChange.copy)
            }
        case .move:
            row(.pictures, "move its file into a folder", takes: "FOLDER", isRisky: true) {
                try $0.model.changeFiles("moved", to: $0.argument, FileChange.move)
            }
        case .rename:
            row(.pictures, "give its file another name", takes: "NAME", isRisky: true) {
                try $0.model.changeFiles("renamed", to: $0.argument, FileChange.rename)
            }
        case .rotateFile:
            row(
                .pictures, "turn its JPEG for good, or as it is turned in the viewer",
                takes: Self.turns.joined(separator: "|"), isRisky: true
            ) { try $0.model.turnFiles($0.argument) }
        case .undo:
            row(
                .pictures, "undo the last of these changes of files", "U", isRisky: true
            ) { try $0.model.undoFiles() }

        case .accept:
            row(
                .questions, "accept, or retry", .enter, "r", isRisky: true
            ) { $0.dialogs.answer(isAccepted: true) }
        case .dismiss:
            row(.questions, "dismiss", .escape) { $0.dialogs.answer(isAccepted: false) }

        case .commandLine:
            row(
                .program, "type a command by its name; Tab completes", ":"
            ) { $0.prompt.open(.command) }
        case .help:
            row(
                .program, "all keys", "?", .function(1), names: "h",
                do: [
                    .gallery: { $0.dialogs.openHelp() },
                    .viewer: {
                        $0.dialogs.openHelp(at: CommandGroup.viewer.rawValue)
                    }, .help: { $0.dialogs.closeHelp() },
                ])
        case .messages:
            row(.program, "the messages so far") { $0.dialogs.openMessages() }
        case .redraw:
            row(
                .program, "redraw the screen", .control("l"), in: .gallery, .viewer, .prompt,
                .dialog, .help
            ) { $0.model.effects.append(.redraw) }
        case .suspend:
            row(
                .program, "suspend the program", .control("z"), in: .gallery, .viewer, .prompt,
                .dialog, .help
            ) { $0.model.effects.append(.suspend) }
        case .quit:
            row(
                .program, "go back, then quit", "q", names: "q",
                do: [
                    .dialog: { $0.dialogs.answer(isAccepted: false) },
                    .help: { $0.dialogs.closeHelp() },
                ]
            ) { try $0.model.goBackOrQuit() }
        case .quitUnasked:
            row(
                .program, "quit at once, whatever is marked or being saved", names: "q!",
                isRisky: true
            ) { $0.model.leave() }
        case .saveAndQuit:
            row(
                .program, "save what is marked, then quit", names: "x", "wq", isRisky: true
            ) { try $0.model.saveAndQuit() }
        case .printAndQuit:
            row(
                .program, "quit and print the marked paths or addresses", "Q", isRisky: true
            ) { try $0.model.quit(printing: $0.gallery.marked) }
        }
    }

    /// Returns a row with `handlers`, and with `handler` in `contexts`, if there are none where the group's commands usually apply.
    private func row(
        _ group: CommandGroup, _ summary: String, _ keys: Key..., takes argument: String = "",
        names: String..., isRisky: Bool = false, in contexts: KeyContext...,
        do handlers: CommandHandlers = [:], handler: CommandHandler? = nil
    ) -> [KeyMap.Binding] {
        var handlers = handlers
        for context in contexts.isEmpty ? group.contexts : contexts where handler != nil {
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

    static let orders = words(of: PictureOrder.Key.self)

    static func words<Value: RawRepresentable<String> & CaseIterable>(
        of type: Value.Type
    ) -> String {
        type.allCases.map(\.rawValue).joined(separator: "|")
    }
}

extension Key: ExpressibleByUnicodeScalarLiteral {
    /// Creates the key of a printable character.
    public init(unicodeScalarLiteral scalar: Unicode.Scalar) { self = .character(scalar) }
}
