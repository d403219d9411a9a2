import Raster

/// Which colours a terminal shows, from what the environment and its description say.
///
/// No answer is taken from `xterm-256color` alone: too much calls itself that.
struct ColorDetection {
    /// The environment.
    let environment: [String: String]
    /// The terminal's description, if one is installed.
    let entry: TermInfo?

    /// Descriptions that only terminals with 24-bit colour use.
    private static let trueColorNames: Set<String> = [
        "xterm-kitty", "alacritty", "alacritty-direct", "foot", "foot-extra", "foot-direct",
        "wezterm", "xterm-ghostty", "contour", "rio",
    ]

    /// The depth for `--colors auto`.
    var depth: ColorDepth {
        if let word = environment["NO_COLOR"], !word.isEmpty {
            return .mono
        }
        return isTrueColor ? .truecolor : palette
    }

    private var name: String { environment["TERM"] ?? "" }

    private var isTrueColor: Bool {
        if name.hasSuffix("-direct") || Self.trueColorNames.contains(name) {
            return true
        }
        if let entry, entry.hasExtended("RGB") || entry.hasExtended("Tc") {
            return true
        }
        // GNU screen 4 hands the variable on but takes 38;2 apart as five attributes; tmux uses the same name.
        let isScreen = name.hasPrefix("screen") && environment["TMUX"] == nil
        return !isScreen && ["truecolor", "24bit"].contains(environment["COLORTERM"])
    }

    private var palette: ColorDepth {
        // Without a description, the name is all there is; with one that lists no colours, there are none.
        let guess = name.contains("256color") ? 256 : 8
        let count = entry.map { $0[.colors] ?? 0 } ?? guess
        switch count {
        case 256...: return .palette256
        case 16...: return .palette16
        // The console's description counts the bright ones as bold.
        case 8...: return name.hasPrefix("linux") ? .palette16 : .palette8
        default: return .mono
        }
    }
}
