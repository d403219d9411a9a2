/// Questions that are under way, and when their answers are to be used.
///
/// Times are seconds of a steady clock. Answers come together as a rule, so they are used together: at the fence, or when
/// patience ends, so that pictures are not drawn anew for each. Whatever comes later is used at once.
struct Inquiry {
    /// What is known.
    private(set) var report: TerminalReport
    private let patience: Double
    /// When what has come is used without the fence; nil while nothing is waited for.
    private(set) var deadline: Double?
    private var askedAt: Double?
    private var hasNews = false

    /// For so many seconds after a question the Escape key is held for a moment.
    ///
    /// An answer cut off after its first byte looks like that key; every terminal still in use answers sooner.
    private static let longestAnswer = 2.0

    /// Makes an inquiry in which nothing is asked yet.
    init(report: TerminalReport, patience: Double) {
        self.report = report
        self.patience = patience
    }

    /// The questions have been written.
    mutating func begin(at now: Double) {
        askedAt = now
        deadline = now + patience
    }

    /// An answer has come.
    mutating func note(_ reply: TerminalReply) {
        let before = report
        report.note(reply)
        hasNews = hasNews || report != before
        if reply == .attributes {
            deadline = nil
            askedAt = nil
        }
    }

    /// Whether answers are still to be expected.
    func isOpen(at now: Double) -> Bool {
        askedAt.map { now - $0 < Self.longestAnswer } ?? false
    }

    /// Whether what is known has changed and is to be used now; true once for each change.
    mutating func hasSettled(at now: Double) -> Bool {
        if let due = deadline, now >= due {
            deadline = nil
        }
        guard hasNews, deadline == nil else { return false }
        hasNews = false
        return true
    }
}
