import Raster

/// The colours that a theme would have if every terminal showed them, for dark grounds or light ones.
struct Hues {
    /// A colour, and the entries that stand for it where there are only 16 or 8.
    struct Hue {
        var color: RGB
        var of16: UInt8
        var of8: UInt8

        init(_ packed: UInt32, _ of16: UInt8, _ of8: UInt8) {
            color = RGB(packed)
            self.of16 = of16
            self.of8 = of8
        }
    }

    /// Text on bars and panels.
    var text: Hue
    /// The same, where it stands out.
    var strongText: Hue
    /// What matters less.
    var muted: Hue
    /// A title under a picture.
    var onTint: Hue
    /// What is selected, and what else stands out.
    var accent: Hue
    /// Text on the accent.
    var onAccent: Hue
    /// What went wrong.
    var failure: Hue
    /// The ground of the top and the bottom line.
    var bar: Hue
    /// The ground of dialogs, help and facts.
    var panel: Hue
    /// The ground of a section's header.
    var header: Hue
    /// The ground of the list's selected row.
    var selectedRow: Hue
    /// Placeholder art: box, sun, mountain behind, mountain in front.
    var art: [Hue]

    /// For dark terminals: grounds a little lighter than black, an amber accent.
    static let dark = Hues(
        text: Hue(0xD0D5DE, 15, 7), strongText: Hue(0xE8EAED, 15, 7), muted: Hue(0x9096A1, 7, 7),
        onTint: Hue(0xB4BAC5, 7, 7), accent: Hue(0xFFB454, 11, 3), onAccent: Hue(0x14161B, 0, 0),
        failure: Hue(0xFF6B68, 9, 1), bar: Hue(0x20242D, 4, 4), panel: Hue(0x262B36, 4, 4),
        header: Hue(0x191C22, 0, 0), selectedRow: Hue(0x2B303B, 0, 0),
        art: [Hue(0x15171C, 0, 0), Hue(0x3A3F4B, 8, 0), Hue(0x20242C, 0, 0), Hue(0x2A2F39, 8, 0)])

    /// For light terminals: grounds a little darker than paper, a burnt amber that white text stands on.
    static let light = Hues(
        text: Hue(0x23272F, 0, 0), strongText: Hue(0x14161B, 0, 0), muted: Hue(0x5A606B, 8, 0),
        onTint: Hue(0x454B55, 0, 0), accent: Hue(0xA85000, 4, 4), onAccent: Hue(0xFFFFFF, 15, 7),
        failure: Hue(0xB3261E, 1, 1), bar: Hue(0xDDE1E8, 7, 7), panel: Hue(0xE8EBF0, 7, 7),
        header: Hue(0xEEF0F4, 7, 7), selectedRow: Hue(0xE2E6ED, 7, 7),
        art: [Hue(0xF0F2F5, 7, 7), Hue(0xD3D8E0, 8, 7), Hue(0xE3E7EC, 7, 7), Hue(0xD9DEE5, 8, 7)])
}
