import Basics
import Browser
import Dispatch
import Glibc
import Pipeline

/// The clipboard inside tmux, which by default does not pass on text copied by the programs inside it.
struct TmuxClipboard: TextCopying {
    /// Creates the clipboard; nil outside tmux.
    init?(variables: [String: String]) {
        guard variables["TMUX"]?.isEmpty == false else { return nil }
    }

    func copy(
        _ text: String, completion: @escaping @Sendable (_ failure: String?) -> Void
    ) -> Subscription {
        DispatchQueue.global(qos: .userInitiated).asyncGuarded { completion(Self.load(text)) }
        return .ended
    }

    /// Loads `text` into tmux's buffer and its terminal's clipboard (tmux 3.2 and later); returns a one-line reason on failure.
    private static func load(_ text: String) -> String? {
        guard let (reader, writer) = ChildProcess.channel() else {
            return systemReason(errno)
        }
        let (process, error) = ChildProcess.start(
            ["tmux", "load-buffer", "-w", "-"], descriptors: [reader, nil, nil], isDetached: true)
        close(reader)
        // The text fits into the socket's buffer, so this never blocks.
        _ = writeAll(Array(text.utf8), to: writer)
        close(writer)
        guard let process else { return "tmux: \(systemReason(error))" }
        let status = ChildProcess.wait(for: process)
        return status == 0 ? nil : "tmux load-buffer -w ended with \(status)"
    }
}
