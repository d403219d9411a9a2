/// Whether a kept answer may be used without asking its server: RFC 9111, section 4.2.
struct Freshness {
    /// What an answer stays fresh for at most when its server does not say, in seconds.
    ///
    /// Galleries give their pictures new names rather than new contents.
    static let day = 86_400

    /// When this run of the program began, in seconds since 1970: pages of earlier runs are asked for again, or a gallery would never show
    /// what is new.
    var sessionStart: Int

    /// Whether `answer` is still right as far as one can know.
    func isFresh(_ answer: CachedAnswer, for purpose: Request.Purpose, at now: Int) -> Bool {
        let control = CacheControl(answer.headers)
        guard !control.needsValidation else { return false }
        // A clock that was set back must not make everything fresh for ever.
        guard answer.storedAt <= now + Self.day else { return false }
        let ageThen = answer.header("age").flatMap { Int($0) } ?? 0
        let (age, overflows) = max(0, now - answer.storedAt).addingReportingOverflow(
            max(0, ageThen))
        guard !overflows else { return false }
        if let lifetime = statedLifetime(answer, control) {
            return age < lifetime
        }
        switch purpose {
        case .page: return answer.storedAt >= sessionStart
        case .picture: return age < guessedLifetime(answer)
        }
    }

    /// What the server says.
    private func statedLifetime(_ answer: CachedAnswer, _ control: CacheControl) -> Int? {
        if let lifetime = control.lifetime { return lifetime }
        guard let expires = answer.header("expires") else { return nil }
        // `Expires: 0` and other nonsense mean "already expired".
        return secondsSince1970(ofHTTPDate: expires).map { $0 - sentAt(answer) } ?? 0
    }

    /// A tenth of how long it had not changed when it was sent; a day if that is not known.
    private func guessedLifetime(_ answer: CachedAnswer) -> Int {
        let changed = answer.header("last-modified").flatMap(secondsSince1970(ofHTTPDate:))
        return changed.map { min(Self.day, max(0, sentAt(answer) - $0) / 10) } ?? Self.day
    }

    private func sentAt(_ answer: CachedAnswer) -> Int {
        answer.header("date").flatMap(secondsSince1970(ofHTTPDate:)) ?? answer.storedAt
    }
}
