import ArtMetrics
import Raster

/// chafa, with the characters of one family only.
struct ChafaArtist: ArtProgram {
    let name = "chafa"
    /// Where output may be put.
    let folder: String
    /// Whether ASCII leaves the background alone, as the program it is compared with does.
    let isForegroundOnly: Bool

    func manners(for task: ArtTask) -> [Manner] {
        guard let arguments = arguments(for: task) else { return [] }
        // As it comes, and with the most work; below truecolor without the contrast that it adds, dithered, in its perceptual colours.
        var options = [[], ["-w", "9"]]
        if task.depth != .truecolor {
            options = [
                [], ["-p", "off", "-w", "9"], ["-p", "off", "--dither", "diffusion"],
                ["-p", "off", "--dither", "ordered"],
            ]
        }
        if task.depth == .palette256 || task.depth == .palette16 || task.depth == .palette8 {
            options.append(["-p", "off", "--color-space", "din99d"])
        }
        return options.map { extra in
            .command(
                arguments + extra, name: extra.joined(separator: " "), palette: .chafa,
                rows: task.size.rows, gap: 1, folder: folder)
        }
    }

    /// The command without files, for one thread; nil for octants, which it does not know.
    func arguments(for task: ArtTask) -> [String]? {
        guard let symbols = Self.symbols(task.blocks) else { return nil }
        let colors =
            switch task.depth {
            case .truecolor: "full"
            case .palette256: "256"
            case .palette16: "16"
            case .palette8: "8"
            case .mono: "none"
            }
        var arguments = [
            "chafa", "--format=symbols", "--symbols=\(symbols)", "--colors=\(colors)",
            "--bg=black", "--fg=white", "--size=\(task.size.columns)x\(task.size.rows)",
            "--stretch", "--font-ratio=1/2", "--threads=1", "--animate=off",
        ]
        if task.blocks == .ascii, isForegroundOnly { arguments.append("--fg-only") }
        return arguments
    }

    /// The family's characters and no others; sextants without ▀, which lies between their rows.
    private static func symbols(_ blocks: BlockSet) -> String? {
        switch blocks {
        case .half: "vhalf+space+solid"
        case .quadrant: "quad+half+space+solid"
        case .sextant: "sextant+space+solid"
        case .octant: nil
        case .braille: "braille"
        case .ascii: "ascii"
        }
    }
}
