public import Raster

extension TerminalSession {
    /// The depth that `--colors auto` means for output that need not be a terminal: what `environment` says of the one it will be read on.
    public nonisolated static func colorDepth(environment: [String: String]) -> ColorDepth {
        guard let name = environment["TERM"], !name.isEmpty, name != "dumb" else { return .mono }
        let entry = TermInfoDatabase(environment: environment).entry(named: name)
        return ColorDetection(environment: environment, entry: entry).depth
    }
}
