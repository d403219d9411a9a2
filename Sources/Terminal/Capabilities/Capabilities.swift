import Basics
import CNcurses
import Glibc
public import Raster

extension TerminalSession {
    /// What the terminal can show and how large it is: what is known before the first frame, and what it tells later.
    public struct Capabilities: Sendable {
        /// Its colours: those asked for, or what is known of them.
        public var depth: ColorDepth { wanted.depth ?? detection.depth }
        /// The blocks to draw with: those asked for or the finest known to look well, as far as they can be placed.
        public var blocks: BlockSet { usable(wanted.blocks ?? detection.blocks) }
        /// The block sets that can be placed.
        public let blockSets: Set<BlockSet>
        /// Its size at the start, in cells.
        public let size: CellSize
        /// Whether a description of it is installed; without, it is taken for one of xterm's family.
        public let isDescribed: Bool

        /// How long its answers are waited for before what has come is used, in seconds.
        let patience: Double
        let device: TerminalDevice
        let entry: TermInfo
        private let wanted: (depth: ColorDepth?, blocks: BlockSet?, graphics: Graphics?)
        private var detection: Detection

        init(
            device: TerminalDevice, environment: [String: String], depth: ColorDepth?,
            blocks: BlockSet?, graphics: Graphics?
        ) {
            let described = TermInfoDatabase(environment: environment).entry(named: device.name)
            entry = described ?? .xterm
            isDescribed = described != nil
            detection = Detection(environment: environment, entry: entry)
            blockSets = BlockDetection.blockSets(terminal: device.name, entry: entry)
            size = device.size
            patience = TerminalQuery.patience(environment: environment)
            wanted = (depth, blocks, graphics)
            self.device = device
        }

        /// What it has told about itself so far.
        public var report: TerminalReport {
            get { detection.report }
            set { detection.report = newValue }
        }

        /// The name that it goes by, made safe for a line.
        public var name: String { device.name.oneLine(limit: 40) }

        /// Whether its colours may turn out to be more than one.
        var mayBeColored: Bool { wanted.depth != .mono && !detection.isUncolored }

        /// Whether it is tmux, whose own terminal may change.
        var isTmux: Bool { report.isTmux }

        /// Why there are no pixels, if that can be helped.
        var graphicsHint: String {
            isTmux ? "in tmux 3.5 with: set -g allow-passthrough on" : ""
        }

        var questions: [UInt8] {
            TerminalQuery.isFit(for: device.name)
                ? TerminalQuery.forScreen(environment: detection.environment) : []
        }

        /// What pixels can be sent as, the best first: what was asked for, and what it has shown that it understands.
        ///
        /// None where pictures cannot be written beside ncurses.
        public var pixelForms: [PixelForm] {
            guard CharacterSet.isUnicode, entry.takesPictures else { return [] }
            return detection.pixelForms(
                asking: wanted.graphics,
                cell: report.cellPixels ?? TerminalDevice.cellPixels(of: device.output))
        }

        /// What of `pixelForms` is to be used; nil for none.
        public var pixels: PixelForm? {
            guard wanted.graphics != Graphics.none, wanted.graphics != nil || depth != .mono else {
                return nil
            }
            return pixelForms.first
        }

        /// Whether cells can be written in the colours that stand for pictures' ids.
        private var canColorIDs: Bool { depth == .truecolor || depth == .palette256 }

        /// How `form` reaches the terminal.
        func method(of form: PixelForm?) -> PixelMethod? {
            switch form?.graphics {
            case nil, Graphics.none?: nil
            case .kitty where isTmux: canColorIDs ? .tmux : nil
            case .kitty: canColorIDs && detection.hasPlaceholders ? .placeholders : .kitty
            case .sixel: .sixel
            case .iterm: .iterm
            }
        }

        /// What is known of it, and what tells each: one line for the trace.
        var findings: String {
            let colors = wanted.depth == nil ? detection.colors.source : "--colors"
            let drawing = wanted.blocks == nil ? detection.blockSource : "--blocks"
            let graphics = (pixels?.graphics ?? .none).rawValue
            let proof =
                wanted.graphics == nil ? detection.proof(of: pixels?.graphics) : "--graphics"
            let isPlaced = method(of: pixels)?.writesPlaceholders ?? false
            let form = isPlaced ? ", placeholders" : ""
            return
                "colours: \(depth.rawValue) (\(colors)); blocks: \(blocks.rawValue) (\(drawing)); "
                + "graphics: \(graphics) (\(proof)\(form))"
        }

        /// `wanted`, or the next simpler set that can be placed.
        private func usable(_ wanted: BlockSet) -> BlockSet {
            let simpler = [BlockSet.octant, .sextant, .quadrant, .half].drop { $0 != wanted }
            return ([wanted] + simpler).first(where: blockSets.contains) ?? .ascii
        }
    }

    /// Looks at the terminal on standard output: no byte is written, so this is quick and safe.
    ///
    /// Takes the environment's character set for the process: UTF-8, or else ASCII. `colors`, `blocks` and `graphics` of nil mean `auto`.
    public static func capabilities(
        environment: [String: String], colors: ColorDepth? = nil, blocks: BlockSet? = nil,
        graphics: Graphics? = nil
    ) throws(TerminalError) -> Capabilities {
        let device = try TerminalDevice(environment: environment)
        CharacterSet.adopt(environment: environment)
        return Capabilities(
            device: device, environment: environment, depth: colors, blocks: blocks,
            graphics: graphics)
    }
}

/// What is known of the reader of standard output, whether it is a terminal or not.
extension TerminalSession {
    /// The depth, the blocks and, beside `graphics`, the pixels that `auto` means for output that need not be a terminal: what `report`
    /// and `environment` say of the one that it will be read on.
    public nonisolated static func outputStyle(
        environment: [String: String], report: TerminalReport, graphics: Graphics?
    ) -> (depth: ColorDepth, blocks: BlockSet, pixels: PixelForm?) {
        let name = environment["TERM"] ?? ""
        let entry = TermInfoDatabase(environment: environment).entry(named: name) ?? .xterm
        let detection = Detection(environment: environment, entry: entry, report: report)
        let isBlind = name.isEmpty || name == "dumb"
        let cell = report.cellPixels ?? TerminalDevice.cellPixels(of: STDOUT_FILENO)
        let forms =
            graphics == Graphics.none
            ? [] : detection.pixelForms(asking: graphics, cell: cell)
        // tmux does not hand kitty's protocol on, and output that scrolls cannot be told by cells.
        let pixels = forms.first {
            $0.graphics != .kitty || !TerminalQuery.isMultiplexed(environment)
        }
        return (isBlind ? .mono : detection.depth, detection.blocks, pixels)
    }

    /// Whether more than ASCII may be written where the locale is that of `environment`.
    public nonisolated static func isUnicode(environment: [String: String]) -> Bool {
        CharacterSet.isUnicode(environment: environment)
    }

    /// The size of standard output, in cells; nil if it is not a terminal or does not tell.
    public nonisolated static var outputSize: CellSize? {
        TerminalDevice.windowSize(of: STDOUT_FILENO).map {
            CellSize(columns: Int($0.ws_col), rows: Int($0.ws_row))
        }
    }
}

/// The process's character set, which ncurses writes in.
enum CharacterSet {
    /// Takes UTF-8 if the environment's is that, else ASCII: half blocks exist nowhere else.
    ///
    /// Nothing but the character set: numbers stay as in C.
    static func adopt(environment: [String: String]) {
        if isUnicode(environment: environment) {
            for name in ["", "C.UTF-8", "C.utf8", "en_US.UTF-8"] {
                if setlocale(LC_CTYPE, name) != nil, isUnicode { return }
            }
        }
        setlocale(LC_CTYPE, "C")
    }

    /// Whether it is UTF-8, after `adopt`.
    static var isUnicode: Bool {
        nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
    }

    /// Whether that of `environment` is UTF-8: by its name, since over SSH locales are named that this machine lacks, else by what the
    /// C library knows of it.
    static func isUnicode(environment: [String: String]) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
        guard let name = names.first(where: { !$0.isEmpty }) else { return false }
        if name.lowercased().filter({ $0 != "-" }).hasSuffix(".utf8") { return true }
        guard let locale = newlocale(1 << LC_CTYPE, name, nil) else { return false }
        defer { freelocale(locale) }
        return nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) } == "UTF-8"
    }
}
