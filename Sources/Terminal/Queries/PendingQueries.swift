import Basics

/// Queries in flight, and when to use their replies.
///
/// Times are in seconds of a steady clock. Replies usually arrive together and are used together, at the fence or when
/// `timeout` ends, so that pictures are not redrawn for each one. Later replies are used at once.
struct PendingQueries {
    /// A terminal that queries are sent to: the one that the program runs in, or the one around tmux.
    enum Recipient { case own, outer }

    private(set) var traits: TerminalTraits
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
    private var used: TerminalTraits

    /// The longest that a terminal takes to reply, in seconds: until then, programs after this one would receive its replies.
    static let maxReplyTime = 2.0
    /// After how many seconds of waiting for replies to say so.
    static let noticeDelay = 0.4
    static let notice = "waiting for the terminal to answer ..."

    /// Creates an inquiry; `isResponsive` means that the terminal is known to reply, however late.
    init(traits: TerminalTraits, timeout: Double, isResponsive: Bool = true) {
        self.traits = traits
        used = traits
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
        traits.forgetOuter()
    }

    mutating func note(_ reply: TerminalReply) {
        traits.note(reply)
        hasReplied = true
        responsive.formUnion(traits.hasOuter ? [.own, .outer] : [.own])
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

    /// Returns whether the traits have changed and should be used now; true once per change.
    mutating func hasSettled(at now: Double) -> Bool {
        if let due = deadline, now >= due { deadline = nil }
        guard traits != used, deadline == nil else { return false }
        used = traits
        return true
    }

    /// Waits until the time that `end` returns, in seconds of a steady clock; `read` takes what arrives within some milliseconds, and
    /// returns whether to go on.
    ///
    /// Returns whether `saySo` was called, which it is after a moment.
    @discardableResult
    static func wait(
        until end: () -> Double?, saying saySo: () -> Void, reading read: (Int32) -> Bool
    ) -> Bool {
        var noticeTime = SteadyClock.now + noticeDelay
        while let end = end(), case let now = SteadyClock.now, now < end {
            if now >= noticeTime {
                noticeTime = .infinity
                saySo()
            }
            let seconds = min(end, noticeTime) - now
            guard read(Int32((seconds * 1000).rounded(.up))) else { break }
        }
        return noticeTime == .infinity
    }
}
