/// Queries in flight, and when to use their replies.
///
/// Times are in seconds of a steady clock. Replies usually arrive together and are used together, at the fence or when
/// `timeout` ends, so that pictures are not redrawn for each one. Later replies are used at once.
struct Inquiry {
    /// A terminal that queries are sent to: the one that the program runs in, or the one around tmux.
    enum Recipient { case own, outer }

    private(set) var report: TerminalReport
    private let timeout: Double
    /// When to use what has arrived without waiting for the fence; nil if nothing is awaited.
    private(set) var deadline: Double?
    private var askedAt: Double?
    /// The terminals whose fences are still to come.
    private var awaited: [Recipient] = []
    /// The terminals that are known to reply, however late.
    private var responsive: Set<Recipient>
    /// Whether any reply came since the last query.
    private var hasReplied = false
    private var used: TerminalReport

    /// The longest that a terminal takes to reply, in seconds: until then, programs after this one would receive its replies, and the
    /// Escape key is held back for a moment, which a reply cut off after its first byte looks like.
    static let maxReplyTime = 2.0
    /// After how many seconds of waiting for replies to say so.
    static let noticeDelay = 0.4
    static let notice = "waiting for the terminal to answer ..."

    /// Creates an inquiry; `isResponsive` means that the terminal is known to reply, however late.
    init(report: TerminalReport, timeout: Double, isResponsive: Bool = true) {
        self.report = report
        used = report
        self.timeout = timeout
        responsive = isResponsive ? [.own] : []
    }

    /// Records that `recipients` were queried.
    ///
    /// Forgets what the terminal around tmux reported before, as it may be another one by now. A terminal whose last query is
    /// still without any reply is mute.
    mutating func begin(at now: Double, asking recipients: [Recipient] = [.own]) {
        if !hasReplied, askedAt != nil { responsive.subtract(awaited) }
        hasReplied = false
        askedAt = now
        deadline = now + timeout
        awaited = recipients
        report.forgetOuter()
    }

    mutating func note(_ reply: TerminalReply) {
        report.note(reply)
        hasReplied = true
        responsive.formUnion(report.hasOuter ? [.own, .outer] : [.own])
        // The fence.
        guard case .attributes = reply else { return }
        deadline = nil
        awaited = Array(awaited.dropFirst())
        if awaited.isEmpty { askedAt = nil }
    }

    /// Records that a part of a reply has arrived.
    mutating func noteBeginning() { responsive.insert(.own) }

    /// Until when to read replies still in flight before leaving the terminal; nil if there are none.
    ///
    /// A terminal that is not known to reply gets no more time than before the first frame; the one around tmux need not receive
    /// queries at all.
    var lastCall: Double? {
        askedAt.map { $0 + (responsive.isDisjoint(with: awaited) ? timeout : Self.maxReplyTime) }
    }

    /// Returns whether replies are still expected.
    func isOpen(at now: Double) -> Bool { askedAt.map { now - $0 < Self.maxReplyTime } ?? false }

    /// Returns whether the report has changed and should be used now; true once per change.
    mutating func hasSettled(at now: Double) -> Bool {
        if let due = deadline, now >= due { deadline = nil }
        guard report != used, deadline == nil else { return false }
        used = report
        return true
    }
}

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
        let isPaused = now - lastKey > Self.pause && silence < Self.maxSilentQueries
        guard doubt == .raised || isPaused else { return false }
        if doubt == .raised { doubt = .asked }
        silence += 1
        return true
    }
}
