import Raster

/// The characters that are no text, by what the terminal can place.
struct Signs {
    let ellipsis: String
    let spinner: [Unicode.Scalar]
    let failure: Unicode.Scalar
    let album: String
    let animation: String
    let mark: String
    let separator: String
    let download: String
    let headerMark: Unicode.Scalar
    /// The lines of a panel: horizontal, vertical, and the corners clockwise from the left top.
    let border: Border
    let edge: Border
    /// The vertical edges of the selection, left and right.
    let edgeSides: (left: Unicode.Scalar, right: Unicode.Scalar)
    /// The horizontal edges, above and below.
    let edgeRows: (above: Unicode.Scalar, below: Unicode.Scalar)
    let hasBlocks: Bool

    struct Border {
        var horizontal: Unicode.Scalar
        var vertical: Unicode.Scalar
        /// From the left top clockwise.
        var corners: [Unicode.Scalar]
    }

    /// What a character set has room for.
    enum Repertoire {
        case ascii
        /// Code page 437 in Unicode: the Linux console's font.
        case console
        /// All of Unicode's box drawing, blocks and braille.
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
        mark = isFull ? "✓ " : "* "
        separator = isFull ? " › " : " > "
        download = isFull ? "↓" : "v"
        headerMark = isFull ? "▍" : hasBlocks ? "▌" : "#"
        let ascii = Border(horizontal: "-", vertical: "|", corners: ["+", "+", "+", "+"])
        switch repertoire {
        case .ascii:
            border = ascii
            edge = ascii
        case .console:
            border = Border(horizontal: "─", vertical: "│", corners: ["┌", "┐", "┘", "└"])
            edge = Border(horizontal: "▄", vertical: "▐", corners: ["▄", "▄", "▀", "▀"])
        case .full:
            border = Border(horizontal: "─", vertical: "│", corners: ["╭", "╮", "╯", "╰"])
            edge = Border(horizontal: "▄", vertical: "▐", corners: ["▗", "▖", "▘", "▝"])
        }
        edgeSides = hasBlocks ? ("▐", "▌") : ("|", "|")
        edgeRows = hasBlocks ? ("▄", "▀") : ("-", "-")
    }

    func spinner(at phase: Int) -> Unicode.Scalar {
        let count = spinner.count
        return spinner[((phase % count) + count) % count]
    }
}

extension Signs {
    /// What `device` can place in the locale at this moment.
    static func repertoire(of device: TerminalDevice) -> Repertoire {
        let blocks = BlockDetection.blockSets(terminal: device.name)
        if blocks.contains(.braille) { return .full }
        return blocks.contains(.half) ? .console : .ascii
    }
}
