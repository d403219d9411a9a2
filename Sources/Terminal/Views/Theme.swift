import Raster

/// The colours and signs of everything but pictures, for one kind of terminal.
///
/// Text without a colour of its own stands on the terminal's background, which fits; every other text is made to reach
/// 4.5:1 against what it stands on, in the colours that the terminal really shows. What colour says in one depth, bold,
/// underline or reverse say where there is none.
struct Theme {
    let depth: ColorDepth
    let signs: Signs
    private let paint: Paint

    let text = Ink()
    let muted: Ink
    let strong = Ink(style: .bold)
    let failure: Ink
    /// What is selected: text on it, unmistakable.
    let selection: Ink
    /// The edge around what is selected.
    let edge: Ink
    /// The area beside a selected thumbnail of the list, and the texts in it.
    let selectedRow: Ink
    let selectedRowMuted: Ink
    let bar: Ink
    let barStrong: Ink
    let barMuted: Ink
    let header: Ink
    let headerMuted: Ink
    let headerMark: Ink
    let panel: Ink
    /// What matters less in them, and their border.
    let panelMuted: Ink
    let panelHeading: Ink
    /// Keys and what else stands out in them.
    let panelStrong: Ink
    /// What went wrong, on the ground of a panel.
    let panelFailure: Ink
    let art: Art

    /// The shades of placeholder art, and the signs on it.
    struct Art {
        var ground: CellColor
        var sun: CellColor
        var far: CellColor
        var near: CellColor
        /// Whether the shades differ enough for a picture.
        var isShaded: Bool
        var spinner: Ink
        var failure: Ink
    }

    /// Makes the theme for a terminal of `depth` that shows `systemColors` on `background`.
    init(
        depth: ColorDepth, signs: Signs, background: RGB = RGB(0),
        systemColors: SystemColors = .xterm
    ) {
        self.depth = depth
        self.signs = signs
        let paint = Paint(depth: depth, background: background, systemColors: systemColors)
        self.paint = paint
        let hues = background.isDark ? Hues.dark : Hues.light
        let isMono = depth == .mono
        let isCoarse = depth == .palette16 || depth == .palette8
        let standard = CellColor.standard
        muted = Ink(foreground: paint.text(hues.muted, on: standard), style: isMono ? .dim : [])
        failure = Ink(
            foreground: paint.text(hues.failure, on: standard), style: isMono ? .bold : [])
        let accent = paint.ground(hues.accent)
        // With few colours terminals show bold black as grey, which is lost on the accent.
        selection = Ink(
            foreground: paint.text(hues.onAccent, on: accent), background: accent,
            style: isMono ? [.reverse, .bold] : isCoarse ? [] : .bold)
        edge = Ink(foreground: paint.text(hues.accent, on: standard), style: isMono ? .bold : [])
        let row = isCoarse ? standard : paint.ground(hues.selectedRow)
        selectedRow = Ink(foreground: paint.text(hues.text, on: row), background: row)
        selectedRowMuted = Ink(foreground: paint.text(hues.muted, on: row), background: row)
        let barGround = paint.ground(hues.bar)
        let barStyle: CellStyle = isMono ? .reverse : []
        bar = Ink(
            foreground: paint.text(hues.text, on: barGround), background: barGround, style: barStyle
        )
        let onBar = paint.text(hues.accent, on: barGround)
        barStrong = Ink(
            foreground: onBar, background: barGround,
            style: barStyle.union(paint.bold(onBar, on: barGround)))
        barMuted = Ink(
            foreground: paint.text(hues.muted, on: barGround), background: barGround,
            style: barStyle)
        let raised = isCoarse ? standard : paint.ground(hues.header)
        let underlined: CellStyle = isMono || isCoarse ? [.bold, .underline] : .bold
        header = Ink(
            foreground: isCoarse ? standard : paint.text(hues.strongText, on: raised),
            background: raised, style: underlined)
        headerMuted = Ink(
            foreground: paint.text(hues.muted, on: raised), background: raised,
            style: underlined.subtracting(.bold))
        headerMark = Ink(
            foreground: paint.text(hues.accent, on: raised), background: raised,
            style: isMono ? .bold : [])
        let panel = paint.ground(hues.panel)
        self.panel = Ink(foreground: paint.text(hues.text, on: panel), background: panel)
        panelMuted = Ink(foreground: paint.text(hues.muted, on: panel), background: panel)
        panelHeading = Ink(
            foreground: self.panel.foreground, background: panel,
            style: paint.bold(self.panel.foreground, on: panel).union(.underline))
        let onPanel = paint.text(hues.accent, on: panel)
        panelStrong = Ink(
            foreground: onPanel, background: panel, style: paint.bold(onPanel, on: panel))
        panelFailure = Ink(
            foreground: paint.text(hues.failure, on: panel), background: panel,
            style: isMono ? .bold : [])
        let isShaded = depth == .truecolor || depth == .palette256
        let behind = isShaded ? paint.ground(hues.art[0]) : standard
        art = Art(
            ground: paint.ground(hues.art[0]), sun: paint.ground(hues.art[1]),
            far: paint.ground(hues.art[2]), near: paint.ground(hues.art[3]), isShaded: isShaded,
            spinner: Ink(
                foreground: paint.text(hues.accent, on: behind), background: behind,
                style: edge.style),
            failure: Ink(
                foreground: paint.text(hues.failure, on: behind), background: behind,
                style: failure.style))
    }

    /// The ink for the title under a thumbnail on its tint, and for the ground around it.
    func title(onTint tint: RGB) -> Ink {
        let ground = paint.nearest(to: tint)
        guard depth != .mono, paint.carriesText(ground) else { return muted }
        let hues = paint.shown(ground).isDark ? Hues.dark : Hues.light
        return Ink(foreground: paint.text(hues.onTint, on: ground), background: ground)
    }

    /// The cell colour that shows a thumbnail's tint, or a swatch.
    func nearest(to color: RGB) -> CellColor { paint.nearest(to: color) }
}

/// How text is set: its colours and style.
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
