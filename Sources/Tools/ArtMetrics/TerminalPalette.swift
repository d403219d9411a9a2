public import Raster

/// The 256 colours of a terminal: sixteen of the user's choice, a cube and greys.
public struct TerminalPalette: Hashable, Sendable {
    /// By index.
    public let colors: [RGB]
    /// The first sixteen.
    public let system: SystemColors

    /// Makes a palette of sixteen colours and xterm's other 240.
    public init(system: SystemColors) {
        self.system = system
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        let cube = (0..<216).map { (index: Int) in
            RGB(red: levels[index / 36], green: levels[index / 6 % 6], blue: levels[index % 6])
        }
        let greys = (0..<24).map { (index: Int) in
            let level = UInt8(8 + 10 * index)
            return RGB(red: level, green: level, blue: level)
        }
        colors = system.colors + cube + greys
    }

    /// xterm's defaults.
    public static let xterm = TerminalPalette(system: .xterm)

    /// The sixteen that chafa 1.12 counts on, whatever the terminal.
    public static let chafa = TerminalPalette(
        system: SystemColors(
            [
                0x000000, 0x800000, 0x007000, 0x707000, 0x000070, 0x700070, 0x007070, 0xC0C0C0,
                0x404040, 0xFF0000, 0x00FF00, 0xFFFF00, 0x0000FF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
            ].map { RGB($0) }) ?? .xterm)
}
