import ArtMetrics
import Raster

/// A program that draws pictures as characters.
protocol ArtProgram: Sendable {
    /// The name in tables.
    var name: String { get }

    /// Returns the options worth trying for `task`, the program's defaults first; empty if it cannot do the task.
    func settings(for task: ArtTask) -> [DrawingSettings]
}

/// A set of options of a drawing program.
struct DrawingSettings: Sendable {
    /// A description of the options, for messages.
    let name: String
    /// The palette that the program assumes; nil if the terminal's colours do not matter.
    let palette: TerminalPalette?
    /// Draws the pictures in the given files; returns the terminal output for each.
    let draw: @Sendable ([String]) throws -> [[UInt8]]

    /// Creates settings for another program, which draws all files in one run, as starting it takes longer than a small drawing.
    ///
    /// `gap` is the number of empty lines it writes between two pictures.
    static func command(
        _ arguments: [String], name: String, palette: TerminalPalette, rows: Int, gap: Int,
        folder: String
    ) -> DrawingSettings {
        DrawingSettings(name: name, palette: palette) { paths in
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

    /// Splits the output after every `rows` line feeds, with `gap` more of them between the parts.
    static func cut(_ bytes: [UInt8], every rows: Int, gap: Int) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var start = 0
        var count = 0
        for (index, byte) in bytes.enumerated() where byte == 0x0A {
            count += 1
            if count == rows {
                parts.append(Array(bytes[start...index]))
            } else if count > rows, index > start, bytes[index - 1] != 0x0A {
                // The gap is not empty: the picture has more rows than it should.
                return []
            }
            if count == rows + gap { (start, count) = (index + 1, 0) }
        }
        // Anything after the last line feed, such as showing the cursor again, is not a picture.
        return count == 0 || count == rows ? parts : []
    }
}

/// chafa, restricted to the characters of one block set.
struct ChafaArtist: ArtProgram {
    let name = "chafa"
    /// The folder for temporary output.
    let folder: String
    /// Whether ASCII leaves the background alone, as the program compared with does.
    let isForegroundOnly: Bool
    /// Whether the installed version supports octants, which 1.16 introduced.
    let drawsOctants: Bool

    init(folder: String, isForegroundOnly: Bool = false) {
        self.folder = folder
        self.isForegroundOnly = isForegroundOnly
        drawsOctants = (try? Run.of(["chafa", "--symbols=octant", "--version"])) != nil
    }

    func settings(for task: ArtTask) -> [DrawingSettings] {
        guard let arguments = arguments(for: task) else { return [] }
        // The defaults, and the highest effort; below truecolor also without added contrast, dithered, and in the perceptual colour space.
        var options = [[], ["-w", "9"]]
        if task.depth != .truecolor {
            options = [
                [], ["-p", "off", "-w", "9"], ["-p", "off", "-w", "9", "--dither", "diffusion"],
                ["-p", "off", "--dither", "ordered"],
            ]
        }
        // Prevents any cell from counting as transparent.
        if task.depth == .mono { options.append(["-p", "off", "-t", "1"]) }
        if task.depth == .palette256 || task.depth == .palette16 || task.depth == .palette8 {
            options.append(["-p", "off", "--color-space", "din99d"])
        }
        return options.map { extra in
            .command(
                arguments + extra, name: extra.joined(separator: " "), palette: .chafa,
                rows: task.size.rows, gap: 1, folder: folder)
        }
    }

    /// Returns the command without files, for one thread; nil for octants if they are not supported.
    func arguments(for task: ArtTask) -> [String]? {
        guard let symbols = symbols(task) else { return nil }
        let colors =
            switch task.depth {
            case .truecolor: "full"
            case .palette256: "256"
            case .palette16: "16"
            case .palette8: "8"
            case .mono: "none"
            }
        var arguments = [
            "chafa", "--format=symbols", "--colors=\(colors)",
            "--bg=black", "--fg=white", "--size=\(task.size.columns)x\(task.size.rows)",
            "--stretch", "--font-ratio=1/2", "--threads=1", "--animate=off",
        ]
        if !task.isDefault { arguments.append("--symbols=\(symbols)") }
        if task.blocks == .ascii, isForegroundOnly { arguments.append("--fg-only") }
        return arguments
    }

    /// Returns exactly the set's characters, with eighth blocks where Halftone uses some; without them sextants also without ▀, which does
    /// not match their rows.
    private func symbols(_ task: ArtTask) -> String? {
        let eighths = task.parts == task.blocks.measuredParts ? "" : "+block"
        return switch task.blocks {
        case .half: "vhalf+space+solid"
        case .quadrant: "quad+half+space+solid" + eighths
        case .sextant: "sextant+space+solid" + eighths
        case .octant: drawsOctants ? "octant+space+solid" + eighths : nil
        case .braille: "braille"
        case .ascii: "ascii"
        }
    }
}

/// timg, which supports half and quarter blocks in 24-bit and 256 colours.
struct TimgArtist: ArtProgram {
    let name = "timg"
    /// The folder for temporary output.
    let folder: String

    func settings(for task: ArtTask) -> [DrawingSettings] {
        guard let arguments = arguments(for: task) else { return [] }
        return [
            .command(
                arguments, name: "", palette: .xterm, rows: task.size.rows, gap: 0, folder: folder)
        ]
    }

    /// Returns the command without files, for one thread; nil for unsupported tasks.
    func arguments(for task: ArtTask) -> [String]? {
        guard task.blocks == .half || task.blocks == .quadrant,
            task.depth == .truecolor || task.depth == .palette256
        else { return nil }
        let arguments = [
            "timg", task.blocks == .half ? "-ph" : "-pq",
            "-g\(task.size.columns)x\(task.size.rows)", "--upscale", "-b#000000", "--threads=1",
            "-I",
        ]
        return arguments + (task.depth == .palette256 ? ["--color8"] : [])
    }
}
