import Raster

/// The ideal colours of a theme, for dark or light backgrounds.
struct Hues {
    /// A colour of the theme, and what stands for it where colours are few.
    struct Hue {
        let color: RGB
        /// The one of 16 colours that stands for it, and without its brightness the one of 8; nil for the nearest.
        var coarse: CellColor?
        /// What the terminal has by a name: an entry of its palette, or its default.
        var own: CellColor?

        init(_ packed: UInt32, _ index: UInt8) {
            color = RGB(packed)
            coarse = CellColor(palette: index)
        }

        /// Creates a colour from what a user calls it: one of the terminal's sixteen, its `default`, or `#RRGGBB`; nil for anything else.
        init?(name: String) {
            if let index = Self.names.firstIndex(of: name) {
                color = SystemColors.xterm.colors[index]
                own = CellColor(palette: UInt8(index))
            } else if name == "default" {
                color = RGB(0x808080)
                own = .standard
            } else {
                guard let color = ColorSpecification.color(name) else { return nil }
                self.color = color
            }
        }

        private static let names = ["", "bright-"].flatMap { kind in
            ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"].map {
                kind + $0
            }
        }
    }

    var text: Hue
    /// Emphasized text.
    var strongText: Hue
    var muted: Hue
    var onTint: Hue
    /// The selection, and other emphasized elements.
    var accent: Hue
    var onAccent: Hue
    var failure: Hue
    var bar: Hue
    var panel: Hue
    var header: Hue
    var selectedRow: Hue
    /// Placeholders, which only many colours can shade.
    var art: UInt32

    /// For dark terminals: backgrounds slightly lighter than black, with an amber accent.
    static let dark = Hues(
        text: Hue(0xD0D5DE, 15), strongText: Hue(0xE8EAED, 15), muted: Hue(0x9096A1, 7),
        onTint: Hue(0xB4BAC5, 7), accent: Hue(0xFFB454, 11), onAccent: Hue(0x14161B, 0),
        failure: Hue(0xFF6B68, 9), bar: Hue(0x20242D, 0), panel: Hue(0x262B36, 0),
        header: Hue(0x191C22, 0), selectedRow: Hue(0x2B303B, 0),
        art: 0x20242C)

    /// For light terminals: backgrounds slightly darker than paper, with a burnt amber that carries white text.
    static let light = Hues(
        text: Hue(0x23272F, 0), strongText: Hue(0x14161B, 0), muted: Hue(0x5A606B, 8),
        onTint: Hue(0x454B55, 0), accent: Hue(0xA85000, 4), onAccent: Hue(0xFFFFFF, 15),
        failure: Hue(0xB3261E, 1), bar: Hue(0xDDE1E8, 7), panel: Hue(0xE8EBF0, 7),
        header: Hue(0xEEF0F4, 7), selectedRow: Hue(0xE2E6ED, 7),
        art: 0xE3E7EC)
}

/// The colours of everything but pictures, as the user has changed them: one set for dark terminals, one for light ones.
public struct ThemeColors: Sendable {
    var dark = Hues.dark
    var light = Hues.light

    /// Creates the default colours.
    public init() {}

    /// The names of what has a colour.
    public static var roles: [String] { table.map(\.role) }

    private static let table:
        [(role: String, path: any WritableKeyPath<Hues, Hues.Hue> & Sendable)] = [
            ("text", \.text), ("title", \.strongText), ("caption", \.onTint), ("muted", \.muted),
            ("accent", \.accent), ("on-accent", \.onAccent), ("failure", \.failure), ("bar", \.bar),
            ("panel", \.panel), ("header", \.header), ("row", \.selectedRow),
        ]

    /// Gives a role a colour on `dark` or `light` terminals, or on both if that is nil; returns false if there is no such role or colour.
    ///
    /// A text keeps that colour as long as it is readable on its background.
    public mutating func set(_ role: String, to name: String, on ground: String? = nil) -> Bool {
        guard let path = Self.table.first(where: { $0.role == role })?.path,
            let hue = Hues.Hue(name: name)
        else { return false }
        if ground != "light" { dark[keyPath: path] = hue }
        if ground != "dark" { light[keyPath: path] = hue }
        return true
    }
}
