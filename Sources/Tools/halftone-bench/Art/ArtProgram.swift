import ArtMetrics

/// Somebody who draws pictures with characters.
protocol ArtProgram: Sendable {
    /// The name in tables.
    var name: String { get }

    /// The ways to fulfil `task` that are worth a try, the program's own choice first; none if it cannot.
    func manners(for task: ArtTask) -> [Manner]
}

/// One way of a program to draw: a set of options.
struct Manner: Sendable {
    /// What is special about it, for messages.
    let name: String
    /// The palette that it counts on; nil if the terminal's colours do not matter.
    let palette: TerminalPalette?
    /// Draws the pictures in files: for each what would go to the terminal.
    let draw: @Sendable ([String]) throws -> [[UInt8]]

    /// A manner of another program, which draws all files in one run: starting it takes longer than a small drawing.
    ///
    /// `gap` is how many empty lines it puts between two pictures.
    static func command(
        _ arguments: [String], name: String, palette: TerminalPalette, rows: Int, gap: Int,
        folder: String
    ) -> Manner {
        Manner(name: name, palette: palette) { paths in
            let output = "\(folder)/\(scratchName())"
            defer { unlinkFile(output) }
            _ = try Run.of(arguments + paths, output: output)
            let drawings = Self.cut(readBytes(output), every: rows, gap: gap)
            guard drawings.count == paths.count else {
                throw ArtFailure(
                    text: "\(drawings.count) drawings of \(rows) rows from \(paths.count) files")
            }
            return drawings
        }
    }

    /// Cuts a text after every so many line feeds, `gap` more of which stand between the parts.
    static func cut(_ bytes: [UInt8], every rows: Int, gap: Int) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var start = 0
        var count = 0
        for (index, byte) in bytes.enumerated() where byte == 0x0A {
            count += 1
            if count == rows {
                parts.append(Array(bytes[start...index]))
            } else if count > rows, index > start, bytes[index - 1] != 0x0A {
                // Something stands in the gap: the picture has more rows than it should.
                return []
            }
            if count == rows + gap { (start, count) = (index + 1, 0) }
        }
        // What follows the last line feed, such as the cursor shown again, is no picture.
        return count == 0 || count == rows ? parts : []
    }
}
