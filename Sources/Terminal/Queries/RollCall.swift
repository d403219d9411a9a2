/// When the terminal around tmux is asked anew which it is, and whether it still has the pictures: that tmux was attached to another
/// one, nothing else tells.
///
/// Only after a key, and the first for a while: then the answer comes here and not into another pane, and the next key is hardly
/// tmux's prefix, which an answer would follow.
struct RollCall {
    private enum Doubt { case none, raised, asked }

    private var doubt = Doubt.none
    private var lastKey = -Double.infinity

    /// A tmux is hardly attached to another terminal in less, in seconds.
    private static let pause = 2.0

    /// Whether no picture is to be shown, as it may be another terminal.
    var isDoubtful: Bool { doubt != .none }

    /// The size has changed, perhaps to another terminal's.
    mutating func doubtTerminal() { doubt = .raised }

    /// It has answered.
    mutating func trustTerminal() { doubt = .none }

    /// Whether to ask now that a key was pressed; `showsPictures` if the last answer was that it does.
    mutating func isDue(afterKeyAt now: Double, showsPictures: Bool) -> Bool {
        defer { lastKey = now }
        guard doubt == .raised || showsPictures && now - lastKey > Self.pause else { return false }
        if doubt == .raised { doubt = .asked }
        return true
    }
}
