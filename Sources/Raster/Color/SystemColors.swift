/// The sixteen colours that a terminal's user may choose, in the order of their ANSI numbers.
public struct SystemColors: Hashable, Sendable {
    /// Sixteen colours.
    public let colors: [RGB]

    /// Wraps what a terminal told; nil unless it told all sixteen.
    public init?(_ colors: [RGB]) {
        guard colors.count == 16 else { return nil }
        self.colors = colors
    }

    private init(packed: [UInt32]) {
        colors = packed.map { RGB($0) }
    }

    /// xterm's defaults (`XTerm-col.ad`), for terminals that do not tell.
    public static let xterm = SystemColors(packed: [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ])
}
