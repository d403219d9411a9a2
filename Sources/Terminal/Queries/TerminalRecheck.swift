/// Decides when to query the terminal around tmux again for its name and pictures; nothing else reveals that tmux has been
/// attached to another one.
///
/// Queries follow the first key after a pause: the reply then goes to this pane rather than another, and the next key is
/// unlikely to be tmux's prefix, which a reply would disturb.
struct TerminalRecheck {
    private enum Doubt { case none, raised, asked }

    private var doubt = Doubt.none
    private var lastKey = -Double.infinity
    /// The number of queries since the last reply.
    private var silence = 0

    /// The time, in seconds, in which tmux is hardly attached to another terminal.
    private static let pause = 2.0
    /// The number of queries without a reply after which tmux is taken not to pass them on.
    private static let maxSilentQueries = 3

    /// Whether to show no pictures, since the terminal may be another one.
    var isDoubtful: Bool { doubt != .none }

    /// Records that the size has changed, perhaps because the terminal is another one.
    mutating func doubtTerminal() { doubt = .raised }

    /// Records that the terminal has replied that it shows pictures.
    mutating func trustTerminal() { doubt = .none }

    /// Records that the terminal has replied at all.
    mutating func noteReply() { silence = 0 }

    /// Returns whether to query after this key press, even if the last reply was that the terminal shows no pictures.
    mutating func isDue(afterKeyAt now: Double) -> Bool {
        defer { lastKey = now }
        guard
            doubt == .raised
                || now - lastKey > Self.pause && silence < Self.maxSilentQueries
        else { return false }
        if doubt == .raised { doubt = .asked }
        silence += 1
        return true
    }
}
