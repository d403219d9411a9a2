public import Network

/// How one page was read: every candidate with its score and the rule that decided, for "why is this picture missing".
public struct Explanation: Sendable {
    /// What became of a candidate.
    enum Verdict: String {
        case taken = "taken"
        case rejected = "rejected"
    }

    /// One candidate picture.
    struct Line {
        /// Its place on the page.
        var order: Int
        /// The largest address found for it.
        var address: Address?
        /// The element and what is around it.
        var element: String
        var verdict: Verdict
        /// The rule that took or rejected it.
        var rule: String
        var score: Int?
        /// What the score is made of.
        var reasons: [Score.Reason]
        var group: Int?
    }

    /// Candidates that stand in the same structure.
    struct Group {
        var number: Int
        var path: String
        var count: Int
    }

    /// An address considered as the next page.
    struct Next {
        var reference: String
        var rule: String
        var outcome: String
    }

    /// The page.
    public let address: Address
    /// What kind of page it was taken for.
    var way = "unread"
    var notes: [String] = []
    var candidates: [Line] = []
    /// Candidates beyond those that are listed.
    var omitted = 0
    var groups: [Group] = []
    var nexts: [Next] = []
    /// How it ended: the pictures found, or why there are none.
    var result = ""

    init(address: Address) {
        self.address = address
    }
}
