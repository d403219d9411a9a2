public import Browser
public import Pipeline
public import Raster
public import Trace

/// The terminal while the program has it: from the first escape sequence to the last.
///
/// Stub: to be written. Main thread only.
@MainActor public final class TerminalSession {
    /// What the terminal can show and how large its cells are, found out before the first frame.
    public struct Capabilities: Sendable {
        /// Its colours, as `--colors auto` reads them.
        public var depth: ColorDepth
        /// A cell's height divided by its width.
        public var cellAspect: Double
        /// The block sets that the C library and locale can place.
        public var blockSets: Set<BlockSet>
        /// Its size.
        public var size: CellSize
    }
}
