/// Decides when to query the terminal around tmux again for its name and pictures; nothing else reveals that tmux has been
/// attached to another one.
///
/// Queries follow the first key after a pause: the reply then goes to this pane rather than another, and the next key is
/// unlikely to be tmux's prefix, which a reply would disturb.
struct RollCall {
    private enum Doubt { case none, raised, asked }

    private var doubt = Doubt.none
    private var lastKey = -Double.infinity

    /// The time, in seconds, in which tmux is hardly attached to another terminal.
    private static let pause = 2.0

    /// Whether to show no pictures, since the terminal may be another one.
    var isDoubtful: Bool { doubt != .none }

    /// Records that the size has changed, perhaps because the terminal is another one.
    mutating func doubtTerminal() { doubt = .raised }

    /// Records that the terminal has replied.
    mutating func trustTerminal() { doubt = .none }

    /// Returns whether to query after this key press; `showsPictures` if the last reply was that the terminal shows them.
    mutating func isDue(afterKeyAt now: Double, showsPictures: Bool) -> Bool {
        defer { lastKey = now }
        guard doubt == .raised || showsPictures && now - lastKey > Self.pause else { return false }
        if doubt == .raised { doubt = .asked }
        return true
    }
}
