import Raster

/// The colours and signs of everything but pictures, for one kind of terminal.
///
/// Text stands on the terminal's own background, so it can be read on light ones, too; bars, panels and the selection
/// bring their own. What colour says in one depth, bold, underline or reverse say where there is none.
struct Theme {
    /// The colours the terminal shows.
    let depth: ColorDepth
    /// The signs it can place.
    let signs: Signs

    /// Ordinary text.
    let text = Ink()
    /// What matters less.
    let muted: Ink
    /// Titles.
    let strong = Ink(style: .bold)
    /// What went wrong.
    let failure: Ink
    /// What is selected: text on it, unmistakable.
    let selection: Ink
    /// The edge around what is selected.
    let edge: Ink
    /// The area beside a selected thumbnail of the list.
    let selectedRow: Ink
    /// The lines at the top and at the bottom.
    let bar: Ink
    /// What stands out in them.
    let barStrong: Ink
    /// What matters less in them.
    let barMuted: Ink
    /// A section's header.
    let header: Ink
    /// What matters less in it.
    let headerMuted: Ink
    /// Dialogs, help and facts.
    let panel: Ink
    /// What matters less in them, and their border.
    let panelMuted: Ink
    /// Keys and what else stands out in them.
    let panelStrong: Ink
    /// Placeholder art from the back to the front.
    let art: Art

    /// The shades of placeholder art.
    struct Art {
        /// The box.
        var ground: CellColor
        /// The sun.
        var sun: CellColor
        /// The mountain behind.
        var far: CellColor
        /// The mountain in front.
        var near: CellColor
        /// Whether the shades differ enough for a picture.
        var isShaded: Bool
    }

    /// Makes the theme for a terminal of `depth`.
    init(depth: ColorDepth, signs: Signs) {
        self.depth = depth
        self.signs = signs
        let paint = Paint(depth: depth)
        let accent = paint(0xFFB454, 11, 3)
        let dark = paint(0x14161B, 0, 0)
        let bar = paint(0x20242D, 4, 4)
        let panel = paint(0x262B36, 4, 4)
        let isMono = depth == .mono
        let isCoarse = depth == .palette16 || depth == .palette8
        muted = Ink(foreground: paint(0x8B919C, 7, 7), style: isMono ? .dim : [])
        failure = Ink(foreground: paint(0xFF6B68, 9, 1), style: isMono ? .bold : [])
        // With few colours terminals show bold black as grey, which is lost on the accent.
        selection = Ink(
            foreground: dark, background: accent,
            style: isMono ? [.reverse, .bold] : isCoarse ? [] : .bold)
        edge = Ink(foreground: accent, style: isMono ? .bold : [])
        selectedRow = Ink(background: isCoarse ? .standard : paint(0x2B303B, 0, 0))
        self.bar = Ink(
            foreground: paint(0xC9CED8, 15, 7), background: bar, style: isMono ? .reverse : [])
        barStrong = Ink(
            foreground: paint(0xFFB454, 11, 3), background: bar,
            style: isMono ? [.reverse, .bold] : .bold)
        barMuted = Ink(
            foreground: paint(0x8B919C, 7, 7), background: bar, style: isMono ? .reverse : [])
        let raised = isCoarse ? CellColor.standard : paint(0x191C22, 0, 0)
        let underlined: CellStyle = isMono || isCoarse ? [.bold, .underline] : .bold
        header = Ink(
            foreground: isCoarse || isMono ? .standard : paint(0xE8EAED, 15, 7), background: raised,
            style: underlined)
        headerMuted = Ink(
            foreground: paint(0x8B919C, 7, 7), background: raised,
            style: underlined.subtracting(.bold))
        self.panel = Ink(foreground: paint(0xD8DCE4, 15, 7), background: panel)
        panelMuted = Ink(foreground: paint(0x9AA1AE, 7, 7), background: panel)
        panelStrong = Ink(foreground: accent, background: panel, style: .bold)
        art = Art(
            ground: paint(0x15171C, 0, 0), sun: paint(0x3A3F4B, 8, 0), far: paint(0x20242C, 0, 0),
            near: paint(0x2A2F39, 8, 0), isShaded: depth == .truecolor || depth == .palette256)
    }
}

/// Picks the colour a depth has: the nearest of many, or the entry named for the terminal's own few.
private struct Paint {
    let depth: ColorDepth

    func callAsFunction(_ rgb: UInt32, _ of16: UInt8, _ of8: UInt8) -> CellColor {
        switch depth {
        case .truecolor, .palette256: depth.nearest(to: RGB(rgb))
        case .palette16: CellColor(palette: of16)
        case .palette8: CellColor(palette: of8)
        case .mono: .standard
        }
    }
}
