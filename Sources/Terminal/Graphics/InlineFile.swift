import Raster

/// Shows an inline file like iTerm2 (OSC 1337): whole, stretched over a number of cells.
enum InlineFile {
    static func bytes(_ file: [UInt8], cells: CellSize) -> [UInt8] {
        let head =
            "\u{1B}]1337;File=inline=1;size=\(file.count);width=\(cells.columns)"
            + ";height=\(cells.rows);preserveAspectRatio=0;doNotMoveCursor=1:"
        return Array(head.utf8) + Base64.bytes(file) + [0x07]
    }
}
