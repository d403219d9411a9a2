/// The page failures nobody has answered yet, oldest first; one dialog at a time.
struct FailureQueue {
    /// A failure and whose it is.
    struct Entry: Equatable {
        /// The section's id.
        var section: Int
        /// What failed.
        var failure: PageFailure
    }

    private var entries: [Entry] = []

    /// The one to ask about now.
    var first: Entry? { entries.first }
    /// How many wait.
    var count: Int { entries.count }

    /// Adds a failure; a section asks one question at a time.
    mutating func append(_ entry: Entry) {
        remove(section: entry.section)
        entries.append(entry)
    }

    /// Takes back what a section asked, as when it is loading again.
    mutating func remove(section: Int) {
        entries.removeAll { $0.section == section }
    }
}
