import Basics
import Glibc
public import Raster

extension TerminalSession {
    /// The terminal's size and what it can show: what is known before the first frame, and what it reports later.
    public struct Capabilities: Sendable {
        /// The colour depth: as requested, or as detected.
        public var depth: ColorDepth { wanted.depth ?? detection.colors.depth }
        /// The block set for drawing: as requested, or the finest one known to look good, limited to those that can be placed.
        public var blocks: BlockSet {
            let finest = wanted.blocks ?? detection.blocks.set
            let simpler = [BlockSet.octant, .sextant, .quadrant, .half].drop { $0 != finest }
            return ([finest] + simpler).first(where: blockSets.contains) ?? .ascii
        }
        /// The block sets whose characters can be placed.
        public let blockSets: Set<BlockSet>
        /// Whether a terminfo description is installed; otherwise the terminal is treated as one of xterm's family.
        public let isDescribed: Bool

        let device: TerminalDevice
        private let wanted: (depth: ColorDepth?, blocks: BlockSet?, graphics: Graphics?)
        var detection: Detection

        /// Detects the terminal on standard output without writing a byte, so it is fast and safe.
        ///
        /// Sets the process's character set to the environment's: UTF-8, or else ASCII. Nil `colors`, `blocks` and `graphics` mean `auto`.
        public init(
            environment: EnvironmentVariables, colors: ColorDepth?, blocks: BlockSet? = nil,
            graphics: Graphics? = nil
        ) throws(TerminalError) {
            device = try TerminalDevice(environment: environment)
            CharacterSet.adopt(environment: environment)
            let described = TermInfo(environment: environment)
            isDescribed = described != nil
            detection = Detection(
                environment: environment, entry: described ?? .xterm,
                traits: TerminalTraits(environment: environment))
            blockSets = detection.blockSets
            wanted = (colors, blocks, graphics)
        }

        /// The terminal's replies so far.
        public var traits: TerminalTraits { detection.traits }

        /// The value of `TERM`, sanitized for a line of text.
        public var name: String { device.name.oneLine(limit: 40) }

        /// Whether the terminal may turn out to have colours.
        var mayBeColored: Bool { wanted.depth != .mono && !detection.isUncolored }

        /// Whether the terminal is tmux, which may move to another outer terminal.
        var isTmux: Bool { traits.isTmux }

        /// How to enable pixels if there are none; may be empty.
        var graphicsHint: String {
            if isTmux { return "in tmux 3.5 with: set -g allow-passthrough on" }
            return canPlacePictures ? "--graphics HOW insists" : ""
        }

        var questions: [UInt8] {
            TerminalQuery.isFit(for: device.name)
                ? TerminalQuery.forScreen(environment: detection.environment) : []
        }

        /// The forms in which pixels can be sent, best first: the requested one and those the terminal is known to support.
        ///
        /// Empty if pictures cannot be written without ncurses.
        var pixelForms: [PixelForm] {
            canPlacePictures ? detection.pixelForms(asking: wanted.graphics, on: device.output) : []
        }

        /// Whether pictures can be written without ncurses.
        var canPlacePictures: Bool { CharacterSet.isUnicode && detection.entry.takesPictures }

        /// The form to use from `pixelForms`; nil for none.
        public var pixels: PixelForm? {
            guard wanted.graphics != Graphics.none, wanted.graphics != nil || depth != .mono else {
                return nil
            }
            return pixelForms.first
        }

        /// Whether the colours that encode picture IDs can be shown.
        private var canColorIDs: Bool { depth == .truecolor || depth == .palette256 }

        /// Returns the method by which `form` is sent to the terminal.
        func method(of form: PixelForm?) -> PixelMethod? {
            switch form?.graphics {
            case nil, Graphics.none?: nil
            case .kitty where isTmux: canColorIDs ? .tmux : nil
            case .kitty: canColorIDs && detection.hasPlaceholders ? .placeholders : .kitty
            case .sixel where isTmux: .tmuxSixels(detection.tmuxSixels)
            case .sixel: .sixel
            case .iterm: .iterm
            }
        }

        /// The detected capabilities and their sources, as one line for the trace.
        var findings: String {
            let colors = wanted.depth == nil ? detection.colors.source : "--colors"
            let drawing = wanted.blocks == nil ? detection.blocks.source : "--blocks"
            let graphics = (pixels?.graphics ?? .none).rawValue
            let proof =
                wanted.graphics == nil ? detection.proof(of: pixels?.graphics) : "--graphics"
            let form = method(of: pixels)?.writesPlaceholders == true ? ", placeholders" : ""
            return """
                colours: \(depth.rawValue) (\(colors)); blocks: \(blocks.rawValue) (\(drawing)); \
                graphics: \(graphics) (\(proof)\(form))
                """
        }
    }
}

/// Standard output outside a session, whether it is a terminal or not.
extension TerminalSession {
    /// Returns the depth, blocks and pixels for `auto` and `graphics` on output that need not be a terminal, as `traits` and
    /// `environment` describe the terminal on which it will be read.
    public nonisolated static func outputStyle(
        environment: EnvironmentVariables, traits: TerminalTraits, graphics: Graphics?
    ) -> (depth: ColorDepth, blocks: BlockSet, pixels: PixelForm?) {
        let detection = Detection(
            environment: environment, entry: TermInfo(environment: environment) ?? .xterm,
            traits: traits)
        let isBlind = ["", "dumb"].contains(environment.term)
        let forms =
            graphics == Graphics.none
            ? [] : detection.pixelForms(asking: graphics, on: STDOUT_FILENO)
        // tmux does not pass kitty's protocol on, and its placeholders cannot be used in output that scrolls.
        let pixels = forms.first { $0.graphics != .kitty || !environment.isMultiplexed }
        return (isBlind ? .mono : detection.colors.depth, detection.blocks.set, pixels)
    }

    /// Gives the terminal back after a program on another machine whose connection has been lost.
    public nonisolated static func giveBack(_ environment: EnvironmentVariables) {
        let modes = ScreenModes(entry: TermInfo(environment: environment) ?? .xterm)
        _ = writeAll(modes.restoring, to: STDOUT_FILENO)
    }

    /// The width of the controlling terminal, on which a pager may show the output; nil if there is none.
    public nonisolated static var controllingColumns: Int? {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        return TerminalDevice.size(of: terminal)?.columns
    }

    /// The size of standard output, in cells; nil if it is not a terminal or has no known size.
    public nonisolated static var outputSize: CellSize? {
        TerminalDevice.size(of: STDOUT_FILENO)
    }
}

/// The process's character set, in which ncurses writes.
public enum CharacterSet {
    /// Adopts UTF-8 if the environment uses it, else ASCII: half blocks exist in no other character set.
    ///
    /// Sets only the character set; number formatting stays as in the C locale.
    static func adopt(environment: EnvironmentVariables) {
        let names = isUnicode(environment: environment) ? ["", "C.UTF-8"] : []
        if names.contains(where: { setlocale(LC_CTYPE, $0) != nil && isUnicode }) { return }
        setlocale(LC_CTYPE, "C")
    }

    /// Whether the process uses UTF-8, after `adopt`.
    static var isUnicode: Bool {
        nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
    }

    /// Returns whether `environment` uses UTF-8, so that text beyond ASCII may be written: by the locale's name, since SSH may pass on locales that this machine lacks, or
    /// else according to the C library.
    public static func isUnicode(environment: EnvironmentVariables) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
        guard let name = names.first(where: { !$0.isEmpty }) else { return false }
        if name.lowercased().filter({ $0 != "-" }).hasSuffix(".utf8") { return true }
        guard let locale = newlocale(1 << LC_CTYPE, name, nil) else { return false }
        defer { freelocale(locale) }
        return nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) } == "UTF-8"
    }
}
