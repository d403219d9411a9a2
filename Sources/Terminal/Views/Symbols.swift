import Raster

/// Symbols and line-drawing characters, according to what the terminal can place: at first those of one that can place all of them.
struct Symbols {
    var ellipsis = "…"
    /// The spinner's phases.
    var spinner = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".unicodeScalars)
    var failure: Unicode.Scalar = "✗"
    var album = "▤ "
    var animation = "▸ "
    var strip = "↕ "
    var mark = "✓ "
    var larger = "↑ "
    var new = "• "
    var separator = " › "
    var download = "↓"
    var headerMark: Unicode.Scalar = "▍"
    var border = Border(
        left: "│", right: "│", above: "─", below: "─", corners: ["╭", "╮", "╯", "╰"])
    var edge = Border(
        left: "▐", right: "▌", above: "▄", below: "▀", corners: ["▗", "▖", "▘", "▝"])
    var hasBlocks = true

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
        if blocks.contains(.braille) { return }
        ellipsis = "~"
        spinner = Array("|/-\\".unicodeScalars)
        failure = "x"
        album = "+ "
        animation = "► "
        mark = "* "
        separator = " > "
        download = "v"
        headerMark = "▌"
        border.corners = ["┌", "┐", "┘", "└"]
        edge.corners = ["▄", "▄", "▀", "▀"]
        if blocks.contains(.half) { return }
        hasBlocks = false
        animation = "> "
        strip = "| "
        larger = "^ "
        new = "o "
        headerMark = "#"
        border = Border(
            left: "|", right: "|", above: "-", below: "-", corners: ["+", "+", "+", "+"])
        edge = border
    }
}
