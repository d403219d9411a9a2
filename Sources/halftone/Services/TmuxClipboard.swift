import Basics
import Browser
import Dispatch
import Glibc
import Pipeline

/// The clipboard inside of tmux, which by itself keeps what programs copy from its terminal.
struct TmuxClipboard: TextCopying {
    /// Nil outside of tmux.
    init?(variables: [String: String]) {
        guard variables["TMUX"]?.isEmpty == false else { return nil }
    }

    func copy(
        _ text: String, completion: @escaping @Sendable (_ failure: String?) -> Void
    ) -> Subscription {
        DispatchQueue.global(qos: .userInitiated).asyncGuarded { completion(Self.load(text)) }
        return .ended
    }

    /// Has tmux take `text` into its buffer and hand it on to its terminal (3.2 and later); a line why not, if it did not.
    private static func load(_ text: String) -> String? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return String(cString: strerror(errno)) }
        // tmux must not inherit the write end, or it would never see the end of its input.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (process, error) = ChildProcess.start(
            ["tmux", "load-buffer", "-w", "-"], descriptors: [ends[0], nil, nil], isDetached: true)
        close(ends[0])
        // An address fits into a pipe: this never waits.
        _ = writeAll(Array(text.utf8), to: ends[1])
        close(ends[1])
        guard let process else { return "tmux: \(String(cString: strerror(error)))" }
        let status = ChildProcess.wait(for: process)
        return status == 0 ? nil : "tmux load-buffer -w ended with \(status)"
    }
}
