extension Section {
    /// A line in the section where pictures are missing, with whether it tells of a failure; nil if nothing is missing.
    ///
    /// It stays while more pages may come, so that nothing moves when a load starts or ends.
    var note: (text: String, isFailure: Bool)? {
        guard let pager else { return nil }
        switch pager.state {
        case .loading: return ("loading…", false)
        case .idle: return ("more", false)
        case .failed(let failure): return ("\(OneLine.text(failure.reason)): r tries again", true)
        case .exhausted where pictures.isEmpty: return ("no pictures on this page", false)
        case .exhausted: return nil
        }
    }

    /// What the header says beside the title.
    var detail: String {
        if pictures.isEmpty {
            if failure != nil { return "failed" }
            return mayGrow ? "loading" : "no pictures"
        }
        return countText
    }

    /// How many pictures, with `+` while there may be more.
    var countText: String {
        let count = "\(pictures.count)\(mayGrow ? "+" : "")"
        return pictures.count == 1 && !mayGrow ? "\(count) picture" : "\(count) pictures"
    }
}
