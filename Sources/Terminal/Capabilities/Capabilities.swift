public import Raster

extension TerminalSession {
    /// What the terminal can show and how large it is, found out before the first frame.
    public struct Capabilities: Sendable {
        /// Its colours, as `--colors auto` reads them, or as asked for.
        public var depth: ColorDepth
        /// The block sets that the C library and locale can place.
        public var blockSets: Set<BlockSet>
        /// Its size, in cells.
        public var size: CellSize
        /// What is known of it before it is asked, which the running session does.
        public var report: TerminalReport

        /// How long its answers are waited for before what has come is used, in seconds.
        let patience: Double
        let device: TerminalDevice
        let entry: TermInfo?

        /// `wanted`, or the next simpler set that can be placed.
        public func usable(_ wanted: BlockSet) -> BlockSet {
            let simpler: [BlockSet] = [.octant, .sextant, .quadrant, .half, .ascii]
            if blockSets.contains(wanted) {
                return wanted
            }
            let rest = simpler.drop { $0 != wanted }
            return rest.first { blockSets.contains($0) } ?? .ascii
        }
    }

    /// Looks at the terminal on standard output: no byte is written, so this is quick and safe.
    ///
    /// Takes the environment's character set for the process (UTF-8 if that is none). `colors` of nil means `auto`.
    public static func capabilities(
        environment: [String: String], colors: ColorDepth? = nil
    ) throws(TerminalError) -> Capabilities {
        let device = try TerminalDevice(environment: environment)
        CharacterSet.adopt()
        let entry = TermInfoDatabase(environment: environment).entry(named: device.name)
        let detected = ColorDetection(environment: environment, entry: entry)
        return Capabilities(
            depth: colors ?? detected.depth,
            blockSets: BlockDetection.blockSets(terminal: device.name), size: device.size,
            report: TerminalReport(environment: environment),
            patience: TerminalQuery.patience(environment: environment), device: device, entry: entry
        )
    }
}
