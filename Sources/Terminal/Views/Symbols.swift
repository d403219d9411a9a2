import Raster

/// Symbols and line-drawing characters, according to what the terminal can place.
struct Symbols {
    let ellipsis: String
    /// The spinner's phases.
    let spinner: [Unicode.Scalar]
    let failure: Unicode.Scalar
    let album: String
    let animation: String
    let strip: String
    let mark: String
    let larger: String
    let new: String
    let separator: String
    let download: String
    let headerMark: Unicode.Scalar
    let border: Border
    let edge: Border
    let hasBlocks: Bool

    struct Border {
        var left: Unicode.Scalar
        var right: Unicode.Scalar
        var above: Unicode.Scalar
        var below: Unicode.Scalar
        /// Clockwise from the top left.
        var corners: [Unicode.Scalar]
    }

    /// The characters available in the character set and font.
    enum Repertoire {
        case ascii
        /// Code page 437 in Unicode, the font of the Linux console.
        case console
        /// All of Unicode's box drawing, block and braille characters.
        case full
    }

    init(_ repertoire: Repertoire) {
        let isFull = repertoire == .full
        hasBlocks = repertoire != .ascii
        ellipsis = isFull ? "…" : "~"
        spinner = Array((isFull ? "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏" : "|/-\\").unicodeScalars)
        failure = isFull ? "✗" : "x"
        album = isFull ? "▤ " : "+ "
        animation = isFull ? "▸ " : hasBlocks ? "► " : "> "
        strip = hasBlocks ? "↕ " : "| "
        larger = hasBlocks ? "↑ " : "^ "
        mark = isFull ? "✓ " : "* "
        new = hasBlocks ? "• " : "o "
        separator = isFull ? " › " : " > "
        download = isFull ? "↓" : "v"
        headerMark = isFull ? "▍" : hasBlocks ? "▌" : "#"
        if hasBlocks {
            border = Border(
                left: "│", right: "│", above: "─", below: "─",
                corners: isFull ? ["╭", "╮", "╯", "╰"] : ["┌", "┐", "┘", "└"])
            edge = Border(
                left: "▐", right: "▌", above: "▄", below: "▀",
                corners: isFull ? ["▗", "▖", "▘", "▝"] : ["▄", "▄", "▀", "▀"])
        } else {
            border = Border(
                left: "|", right: "|", above: "-", below: "-", corners: ["+", "+", "+", "+"])
            edge = border
        }
    }
}

extension Symbols {
    /// Creates the symbols that the terminal can place.
    init(for capabilities: TerminalSession.Capabilities) {
        let blocks = capabilities.blockSets
        self.init(blocks.contains(.braille) ? .full : blocks.contains(.half) ? .console : .ascii)
    }
}
