import Raster

/// The colours and symbols of everything except pictures, for one kind of terminal.
///
/// Text without a colour uses the terminal's own; all other text reaches a contrast of 4.5:1 against its background, in the
/// colours that the terminal actually shows. Where there are no colours, bold, underline or reverse take their place.
struct Theme {
    let depth: ColorDepth
    let symbols: Symbols
    private let paint: Paint
    private let colors: ThemeColors

    let text = Ink()
    let muted: Ink
    let strong = Ink(style: .bold)
    let failure: Ink
    /// Text on the selection.
    let selection: Ink
    let edge: Ink
    /// The area and text beside a selected thumbnail in the list.
    let selectedRow: Ink
    let selectedRowMuted: Ink
    let bar: Ink
    let barStrong: Ink
    let barMuted: Ink
    let header: Ink
    let headerMuted: Ink
    let headerMark: Ink
    let panel: Ink
    /// Secondary text in panels, and their borders.
    let panelMuted: Ink
    let panelHeading: Ink
    /// Keys and other emphasized text in panels.
    let panelStrong: Ink
    /// Error messages in panels.
    let panelFailure: Ink
    /// The shade of placeholders; the terminal's default where none is distinct enough to be seen.
    let shade: CellColor
    let shadeSpinner: Ink
    let shadeFailure: Ink

    init(
        depth: ColorDepth, symbols: Symbols, background: RGB = RGB(0),
        systemColors: SystemColors = .xterm, colors: ThemeColors = ThemeColors()
    ) {
        self.depth = depth
        self.colors = colors
        self.symbols = symbols
        let paint = Paint(depth: depth, background: background, systemColors: systemColors)
        self.paint = paint
        let hues = background.isDark ? colors.dark : colors.light
        let isMono = depth == .mono
        let isCoarse = paint.isCoarse
        let isShaded = !isMono && !isCoarse
        // What replaces colours where there are none, and backgrounds where there are few.
        let strongInMono: CellStyle = isMono ? .bold : []
        let lined: CellStyle = isShaded ? [] : .underline
        func quietGround(_ hue: Hues.Hue) -> CellColor { isCoarse ? .standard : paint.ground(hue) }

        muted = paint.ink(hues.muted, style: isMono ? .dim : [])
        failure = paint.ink(hues.failure, style: strongInMono)

        // With few colours, terminals show bold black as grey, which is unreadable on the accent.
        let selected: CellStyle = isMono ? [.reverse, .bold] : isCoarse ? [] : .bold
        selection = paint.ink(hues.onAccent, on: paint.ground(hues.accent), style: selected)
        edge = paint.ink(hues.accent, style: strongInMono)
        let row = quietGround(hues.selectedRow)
        selectedRow = paint.ink(hues.text, on: row)
        selectedRowMuted = paint.ink(hues.muted, on: row)

        let bar = paint.ground(hues.bar)
        let barStyle: CellStyle = isMono ? .reverse : []
        self.bar = paint.ink(hues.text, on: bar, style: barStyle)
        barStrong = paint.boldInk(hues.accent, on: bar, style: barStyle)
        barMuted = paint.ink(hues.muted, on: bar, style: barStyle)

        let raised = quietGround(hues.header)
        header =
            isCoarse
            ? Ink(style: lined.union(.bold))
            : paint.ink(hues.strongText, on: raised, style: lined.union(.bold))
        headerMuted = paint.ink(hues.muted, on: raised, style: lined)
        headerMark = paint.ink(hues.accent, on: raised, style: strongInMono)

        let panel = paint.ground(hues.panel)
        self.panel = paint.ink(hues.text, on: panel)
        panelMuted = paint.ink(hues.muted, on: panel)
        panelHeading = paint.boldInk(hues.text, on: panel, style: .underline)
        panelStrong = paint.boldInk(hues.accent, on: panel)
        panelFailure = paint.ink(hues.failure, on: panel, style: strongInMono)

        shade = isShaded ? depth.nearest(to: RGB(hues.art)) : .standard
        shadeSpinner = paint.ink(hues.accent, on: shade, style: strongInMono)
        shadeFailure = paint.ink(hues.failure, on: shade, style: strongInMono)
    }

    /// Returns the ink for the title below a thumbnail on its tint, and for the background around it.
    func title(onTint tint: RGB) -> Ink {
        let ground = depth.nearest(to: tint)
        guard depth != .mono, paint.carriesText(ground) else { return muted }
        let hues = paint.shown(ground).isDark ? colors.dark : colors.light
        return paint.ink(hues.onTint, on: ground)
    }
}

/// The colours and style of text.
struct Ink: Hashable {
    var foreground = CellColor.standard
    var background = CellColor.standard
    var style: CellStyle = []

    func cell(_ glyph: Unicode.Scalar) -> Cell {
        Cell(glyph: glyph.value, foreground: foreground, background: background, style: style)
    }

    func on(_ background: CellColor) -> Ink {
        Ink(foreground: foreground, background: background, style: style)
    }
}
