import Basics
import Browser
import Dispatch
import Glibc
import Pipeline

/// The tmux server in which the program runs: a clipboard, as tmux by default does not pass on text copied by the programs inside it,
/// and what it knows of its terminals.
struct TmuxServer: TextCopying {
    /// The pane of the program.
    private let pane: String

    /// Finds the server; nil outside tmux.
    init?(variables: [String: String]) {
        guard variables["TMUX"]?.isEmpty == false else { return nil }
        pane = variables["TMUX_PANE"] ?? ""
    }

    /// The features of the terminals that show the pane's session, one line each; blocks for some milliseconds.
    @Sendable func terminalFeatures() -> String {
        var text: [UInt8] = []
        let words = ["tmux", "list-clients", "-t", pane, "-F", "#{client_termfeatures}"]
        _ = ProgramOutput().read(words, limit: 1 << 16) { text += $0 }
        return String(utf8: text)
    }

    func copy(_ text: String, completion: @escaping Receiver<String?>) {
        DispatchQueue.userInitiated.asyncGuarded { completion(Self.load(text)) }
    }

    /// Loads `text` into tmux's buffer and its terminal's clipboard (tmux 3.2 and later); returns a one-line reason on failure.
    private static func load(_ text: String) -> String? {
        guard let (reader, writer) = ChildProcess.channel() else {
            return systemReason(errno)
        }
        let run = ChildProcess(["tmux", "load-buffer", "-w", "-"], [reader, nil, nil])
        close(reader)
        // The text fits into the socket's buffer, so this never blocks.
        _ = writeAll(text.bytes, to: writer)
        close(writer)
        return run.failure(saying: nil)
    }
}
