import Gallery

extension Section {
    /// A line in the section where pictures are missing, with whether it tells of a failure; nil if nothing is missing.
    ///
    /// It stays while more pages may come, so that nothing moves when a load starts or ends.
    var note: (text: String, isFailure: Bool)? {
        guard hasNote, let pager else { return nil }
        switch pager.state {
        case .loading: return ("loading…", false)
        case .idle: return (pictures.isEmpty ? "not loaded yet" : "more", false)
        case .failed(let failure): return ("\(OneLine.text(failure.reason)): r tries again", true)
        case .exhausted: return ("no pictures on this page", false)
        }
    }

    /// Whether there is a note; costs nothing, for the layout.
    var hasNote: Bool {
        switch pager?.state {
        case .none: false
        case .exhausted: pictures.isEmpty
        case .idle, .loading, .failed: true
        }
    }

    /// What the header says beside the title.
    var detail: String {
        if pictures.isEmpty {
            if failure != nil { return "failed" }
            if isLoading { return "loading" }
            return mayGrow ? "" : "no pictures"
        }
        return countText
    }

    /// How many pictures, with `+` while there may be more.
    var countText: String {
        let total = "\(pictures.count)\(mayGrow ? "+" : "")"
        let isFiltered = !arrangement.order.filter.isEmpty
        let count = isFiltered ? "\(arrangement.count) of \(total)" : total
        let text = pictures.count == 1 && !mayGrow ? "\(count) picture" : "\(count) pictures"
        guard isArranging else { return text }
        return text + (order.key == arrangement.order.key ? ", filtering" : ", sorting")
    }
}
