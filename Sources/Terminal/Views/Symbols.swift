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

    /// Creates the symbols for a terminal that can place `blocks`: without braille it has code page 437, the font of the Linux console,
    /// and without half blocks ASCII.
    init(blocks: Set<BlockSet>) {
        let isFull = blocks.contains(.braille)
        hasBlocks = blocks.contains(.half)
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
