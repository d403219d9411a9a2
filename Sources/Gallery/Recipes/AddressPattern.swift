/// A regular expression that an address as a whole must match.
struct AddressPattern: Sendable {
    /// The source; compiled again where it is used, since `Regex` may not cross threads.
    private let source: String

    /// Nil with the reason if it does not compile.
    init(_ source: String) throws(RecipeProblem) {
        do {
            _ = try Regex(source)
        } catch {
            throw RecipeProblem(key: "match", reason: "is no regular expression")
        }
        self.source = source
    }

    /// Whether all of `text` matches.
    func matches(_ text: String) -> Bool {
        guard let regex = try? Regex(source) else { return false }
        return (try? regex.ignoresCase().wholeMatch(in: text)) != nil
    }
}
