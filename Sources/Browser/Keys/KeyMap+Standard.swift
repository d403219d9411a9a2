import Gallery

extension KeyMap {
    /// The default bindings, as documented in the README.
    public static let standard = KeyMap(
        bindings: moving + looking + viewing + collecting + asking + program)

    /// Keys and mouse actions not bound to a command, for the help and manual.
    public static let notes: [(group: String, keys: String, text: String)] = [
        ("Counts and mouse", "12j", "a number before a key repeats it, or names a picture"),
        ("Counts and mouse", "wheel", "scroll; in the viewer next or previous, or pan"),
        ("Counts and mouse", "Ctrl-wheel", "zoom at the pointer"),
        ("Counts and mouse", "click", "select; go to a section, answer, open the help"),
        ("Counts and mouse", "double click", "open; in the viewer go back"),
        ("Counts and mouse", "drag", "pan the zoomed picture"),
        ("While typing", "← → ^a ^e", "move the cursor"),
        ("While typing", "^w ^u ^k", "delete a word, to the start, to the end"),
        ("While typing", "↑ ↓", "earlier lines"),
        ("While typing", "Enter, Esc", "accept, cancel"),
    ]

    private static let moving = group(
        "Moving",
        bind(.left, "left (viewer: previous, or pan)", "h", .left, in: .gallery, .viewer),
        bind(.down, "down (viewer: next, or pan)", "j", .down, in: .gallery, .viewer, .help),
        bind(.up, "up (viewer: previous, or pan)", "k", .up, in: .gallery, .viewer, .help),
        bind(.right, "right (viewer: next, or pan)", "l", .right, in: .gallery, .viewer),
        bind(.pageDown, "a page down", " ", .pageDown, .control("f"), in: .gallery, .help),
        bind(.pageUp, "a page up", "b", .pageUp, .control("b"), in: .gallery, .help),
        bind(.halfPageDown, "half a page down", .control("d"), in: .gallery, .help),
        bind(.halfPageUp, "half a page up", .control("u"), in: .gallery, .help),
        bind(
            .first, "first picture; with a count, that picture", "g", .home, in: .gallery, .viewer,
            .help),
        bind(
            .last, "last loaded (load more); with a count, that picture", "G", .end, in: .gallery,
            .viewer,
            .help),
        bind(.all, "load the section to its end; Esc stops it", "A", in: .gallery),
        bind(.rowStart, "first picture of the row", "0", in: .gallery),
        bind(.rowEnd, "last picture of the row", "$", in: .gallery),
        bind(.screenTop, "first picture on the screen", "H", in: .gallery),
        bind(.screenBottom, "last picture on the screen", "L", in: .gallery),
        bind(.center, "centre the row on the screen", "z", in: .gallery),
        bind(.previousSection, "previous section", "[", in: .gallery),
        bind(.nextSection, "next section", "]", in: .gallery))

    private static let looking = group(
        "Gallery",
        bind(
            .open, "open the picture or album, or the one given", .enter, takes: "ADDRESS|PATH",
            in: .gallery, .viewer),
        bind(.back, "go back", .escape, .backspace, "<", .altLeft, in: .gallery),
        bind(
            .forward, "go forward again", ">", .altRight, in: .gallery, .viewer),
        bind(.toggleLayout, "list or grid", "v", .tab, in: .gallery),
        bind(.larger, "larger thumbnails", "+", in: .gallery),
        bind(.smaller, "smaller thumbnails", "-", in: .gallery),
        bind(.defaultSize, "thumbnails of the default size", "=", in: .gallery),
        bind(
            .find, "search as you type: titles, names, captions; this help", "/",
            takes: "TEXT", in: .gallery, .help),
        bind(.findNext, "next match", "n", in: .gallery, .help),
        bind(.findPrevious, "previous match", "N", in: .gallery, .help),
        bind(
            .filter, "filter as you type; Esc shows all again", "f", takes: "TEXT",
            in: .gallery),
        bind(.nextOrder, "next order: \(orders.replacing("|", with: ", "))", "S", in: .gallery),
        bind(.sort, "sort by the order given", takes: orders, in: .gallery, .viewer),
        bind(.reverse, "reverse the order", .control("r"), in: .gallery),
        bind(.retry, "retry what failed", "r", in: .gallery, .viewer),
        bind(.reload, "reload the section", "R", in: .gallery, .viewer),
        bind(.info, "details of the picture", "i", in: .gallery, .viewer),
        bind(.position, "details, and where it was taken", "I", in: .gallery, .viewer),
        bind(.nextBlocks, "next set of block characters", "B", in: .gallery, .viewer),
        bind(.nextColors, "next colour depth", "C", in: .gallery, .viewer),
        bind(.nextGraphics, "next kind of pixels, or blocks", "X", in: .gallery, .viewer),
        bind(.toggleTint, "tint behind thumbnails", "t", in: .gallery, .viewer))

    private static let collecting = group(
        "Pictures",
        bind(.mark, "mark or unmark", "m", in: .gallery, .viewer),
        bind(.clearMarks, "clear all marks", "u", in: .gallery, .viewer),
        bind(.invertMarks, "invert the marks", "M", in: .gallery, .viewer),
        bind(.markRange, "mark a range: V, move, V", "V", in: .gallery),
        bind(.nextMarked, "next marked picture", "}", in: .gallery, .viewer),
        bind(.previousMarked, "previous marked picture", "{", in: .gallery, .viewer),
        bind(.save, "save the marked pictures, or this one", "s", in: .gallery, .viewer),
        bind(.copyAddress, "copy its address to the clipboard", "y", in: .gallery, .viewer),
        bind(.openElsewhere, "open it in the web browser", "o", in: .gallery, .viewer),
        bind(
            .run, "run a command on the marked pictures, or this one", "!", takes: "COMMAND",
            in: .gallery, .viewer),
        bind(
            .slideshow, "slideshow, 5 or the count's seconds each; again: pause", "P", in: .gallery,
            .viewer))

    private static let viewing = group(
        "Viewer",
        bind(.nextPicture, "next picture", "n", " ", .pageDown, in: .viewer),
        bind(.previousPicture, "previous picture", "p", .backspace, .pageUp, in: .viewer),
        bind(.zoomIn, "zoom in", "+", in: .viewer),
        bind(.zoomOut, "zoom out", "-", in: .viewer),
        bind(.zoomFit, "fit the screen", "=", in: .viewer),
        bind(.fitWidth, "fit the width", "w", in: .viewer),
        bind(.fitHeight, "fit the height", "W", in: .viewer),
        bind(.actualSize, "100 %: a pixel of the picture is one of the blocks", "z", in: .viewer),
        bind(.rotateRight, "rotate right", ")", in: .viewer),
        bind(.rotateLeft, "rotate left", "(", in: .viewer),
        bind(.flip, "flip horizontally", "|", in: .viewer),
        bind(.flipVertical, "flip vertically", "_", in: .viewer),
        bind(.play, "play or pause an animation", "a", in: .viewer),
        bind(.nextFrame, "pause, and show the next frame", ".", in: .viewer),
        bind(.filmstrip, "filmstrip of the neighbouring pictures", "T", in: .viewer),
        bind(.back, "go back", .escape, "<", .altLeft, in: .viewer))

    private static let asking = group(
        "Questions",
        bind(.accept, "accept, or retry", .enter, "r", in: .dialog),
        bind(.dismiss, "dismiss", .escape, in: .dialog))

    private static let program = group(
        "Program",
        bind(
            .commandLine, "type a command by its name; Tab completes", ":", in: .gallery, .viewer),
        bind(.help, "all keys", "?", .function(1), in: .gallery, .viewer, .help),
        bind(.back, "go back", .escape, .enter, .backspace, in: .help),
        bind(.redraw, "redraw the screen", .control("l"), in: .gallery, .viewer, .dialog, .help),
        bind(.suspend, "suspend the program", .control("z"), in: .gallery, .viewer, .dialog, .help),
        bind(.quit, "go back, then quit", "q", in: .gallery, .viewer, .dialog, .help),
        bind(
            .printAndQuit, "quit and print the marked paths or addresses", "Q",
            in: .gallery, .viewer))

    private static func group(_ title: String, _ bindings: Binding...) -> [Binding] {
        bindings.map { binding in
            var binding = binding
            binding.group = title
            return binding
        }
    }

    private static func bind(
        _ command: Command, _ summary: String, _ keys: Key..., takes argument: String = "",
        in contexts: KeyContext...
    ) -> Binding {
        Binding(
            command: command, summary: summary, keys: keys, argument: argument, contexts: contexts)
    }

    private static let orders = PictureOrder.Key.allCases.map(\.rawValue).joined(separator: "|")
}

extension Key: ExpressibleByUnicodeScalarLiteral {
    /// Creates the key of a printable character.
    public init(unicodeScalarLiteral scalar: Unicode.Scalar) { self = .character(scalar) }
}
