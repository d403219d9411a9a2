extension KeyMap {
    /// The keys as CONTRACT promises them.
    public static let standard = KeyMap(moving + looking + collecting + viewing + program)

    private static let moving = [
        bind("Moving", .left, "h", .left, in: .gallery, .viewer),
        bind("Moving", .down, "j", .down, in: .gallery, .viewer, .help),
        bind("Moving", .up, "k", .up, in: .gallery, .viewer, .help),
        bind("Moving", .right, "l", .right, in: .gallery, .viewer),
        bind("Moving", .pageDown, " ", .pageDown, in: .gallery, .help),
        bind("Moving", .pageUp, "b", .pageUp, in: .gallery, .help),
        bind("Moving", .halfPageDown, .control("d"), in: .gallery, .help),
        bind("Moving", .halfPageUp, .control("u"), in: .gallery, .help),
        bind("Moving", .first, "g", .home, in: .gallery, .viewer, .help),
        bind("Moving", .last, "G", .end, in: .gallery, .viewer, .help),
        bind("Moving", .previousSection, "[", in: .gallery),
        bind("Moving", .nextSection, "]", in: .gallery),
    ]

    private static let looking = [
        bind("Gallery", .open, .enter, in: .gallery, .viewer),
        bind("Gallery", .back, .escape, .backspace, in: .gallery),
        bind("Gallery", .toggleLayout, "v", .tab, in: .gallery),
        bind("Gallery", .larger, "+", in: .gallery),
        bind("Gallery", .smaller, "-", in: .gallery),
        bind("Gallery", .defaultSize, "=", in: .gallery),
        bind("Gallery", .find, "/", in: .gallery),
        bind("Gallery", .findNext, "n", in: .gallery),
        bind("Gallery", .findPrevious, "N", in: .gallery),
        bind("Gallery", .filter, "f", in: .gallery),
        bind("Gallery", .nextOrder, "S", in: .gallery),
        bind("Gallery", .retry, "r", in: .gallery, .viewer),
        bind("Gallery", .reload, "R", in: .gallery, .viewer),
        bind("Gallery", .info, "i", in: .gallery, .viewer),
        bind("Gallery", .nextBlocks, "B", in: .gallery, .viewer),
        bind("Gallery", .nextColors, "C", in: .gallery, .viewer),
        bind("Gallery", .toggleTint, "t", in: .gallery, .viewer),
    ]

    private static let collecting = [
        bind("Pictures", .mark, "m", in: .gallery, .viewer),
        bind("Pictures", .clearMarks, "u", in: .gallery, .viewer),
        bind("Pictures", .invertMarks, "M", in: .gallery, .viewer),
        bind("Pictures", .save, "s", in: .gallery, .viewer),
        bind("Pictures", .copyAddress, "y", in: .gallery, .viewer),
        bind("Pictures", .openElsewhere, "o", in: .gallery, .viewer),
        bind("Pictures", .slideshow, "P", in: .gallery, .viewer),
    ]

    private static let viewing = [
        bind("Viewer", .nextPicture, "n", " ", .pageDown, in: .viewer),
        bind("Viewer", .previousPicture, "p", .backspace, .pageUp, in: .viewer),
        bind("Viewer", .zoomIn, "+", in: .viewer),
        bind("Viewer", .zoomOut, "-", in: .viewer),
        bind("Viewer", .zoomFit, "=", in: .viewer),
        bind("Viewer", .back, .escape, in: .viewer),
    ]

    private static let program = [
        bind("Failed page", .retryPage, .enter, "r", in: .dialog),
        bind("Failed page", .dismiss, .escape, in: .dialog),
        bind("Program", .help, .function(1), "?", in: .gallery, .viewer, .help),
        bind("Program", .back, .escape, .enter, .backspace, in: .help),
        bind("Program", .redraw, .control("l"), in: .gallery, .viewer, .dialog, .help),
        bind("Program", .suspend, .control("z"), in: .gallery, .viewer, .dialog, .help),
        bind("Program", .quit, "q", in: .gallery, .viewer, .dialog, .help),
    ]

    private static func bind(
        _ group: String, _ command: Command, _ keys: Key..., in contexts: KeyContext...
    ) -> Binding {
        Binding(group: group, command: command, keys: keys, contexts: contexts)
    }
}

extension Key: ExpressibleByUnicodeScalarLiteral {
    /// The key of a printable character.
    public init(unicodeScalarLiteral scalar: Unicode.Scalar) {
        self = .character(scalar)
    }
}
