import CNcurses
import Glibc
public import Raster

/// What is known of the reader of standard output, whether it is a terminal or not.
extension TerminalSession {
    /// The depth that `--colors auto` means for output that need not be a terminal: what `environment` says of the one it will be read on.
    public nonisolated static func colorDepth(environment: [String: String]) -> ColorDepth {
        guard let name = environment["TERM"], !name.isEmpty, name != "dumb" else { return .mono }
        let entry = TermInfoDatabase(environment: environment).entry(named: name)
        return ColorDetection(environment: environment, entry: entry).depth
    }

    /// The width of standard output, in cells; nil if it is no terminal or does not tell.
    public nonisolated static var outputColumns: Int? {
        var size = winsize()
        guard cn_window_size(STDOUT_FILENO, &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
