import Basics
import Browser
import Collector
import Dispatch
import Gallery
import Glibc

/// Saves the pictures of a walk, and tells what became of them.
struct SaveRun {
    let saver: any PictureSaving
    let target: String
    /// The number of pictures saved at a time.
    let width: Int
    /// Whether a record is printed of each file.
    let printsRecords: Bool

    /// What the threads that save have to tell the one that prints.
    private struct State {
        var plan: SavePlan
        var records: [String] = []
        /// What the progress line showed last, and when, in seconds of `SteadyClock`.
        var shown = ""
        var shownAt = 0.0
    }

    /// Blocks until all is saved; returns whether it is.
    func save(_ walk: SectionWalk, to output: inout StandardOutput) throws(OutputError) -> Bool {
        let state = Locked(State(plan: SavePlan(width: width)))
        state.withLock { $0.plan.hasMore = true }
        let done = DispatchSemaphore(value: 0)
        var first: SaveOrder?
        var (title, hasLoadedAll) = ("", true)
        let hasLoaded = try walk.forEachGroup { group throws(OutputError) in
            title = group.title ?? title
            let orders = group.pictures.enumerated().map { index, picture in
                var order = SaveOrder(picture)
                (order.section, order.index) = (group.section, group.firstIndex + index)
                order.gallery = title
                return order
            }
            first = first ?? orders.first
            _ = state.withLock { $0.plan.add(orders.filter { $0.picture.kind == .picture }) }
            begin(state, done)
            // A page ahead, as pages are read.
            try wait(for: 2 * width, state, done, &output)
        } failed: { hasLoadedAll = false }
        try wait(for: 0, state, done, &output)
        let tally = state.withLock(\.plan.tally)
        var isWell = hasLoaded && hasLoadedAll && tally.failed == 0
        if let first, tally.isComplete, hasLoadedAll || tally.saved == 0 {
            let failure = Locked<SaveError?>(nil)
            _ = saver.pack("", title: first.gallery, from: first.picture.page) { error in
                failure.withLock { $0 = error }
                done.signal()
            }
            done.wait()
            if let failure = failure.withLock(\.self) {
                isWell = false
                complain("\(target): \(failure)")
            }
        }
        showProgress("", state)
        if !printsRecords { try output.write(line: "\(tally)") }
        return isWell
    }

    private func begin(_ state: Locked<State>, _ done: DispatchSemaphore) {
        while let order = state.withLock({ $0.plan.next() }) {
            _ = saver.save(order) { result in
                let line = state.withLock { state in
                    state.plan.finish(order, result)
                    if printsRecords, case .success(let path?) = result {
                        let record = PictureRecord(
                            order.picture, section: order.section, index: order.index,
                            others: [("file", path)])
                        state.records.append(record.line)
                    }
                    return "\(state.plan.tally) of \(state.plan.tally.total)"
                }
                if case .failure(let error) = result {
                    showProgress("", state)
                    complain("\(order.picture.largest): \(error)")
                }
                showProgress(line, state)
                begin(state, done)
                done.signal()
            }
        }
    }

    /// Waits until no more than so many pictures are open, and prints what has been saved.
    private func wait(
        for count: Int, _ state: Locked<State>, _ done: DispatchSemaphore,
        _ output: inout StandardOutput
    ) throws(OutputError) {
        while true {
            let (isEnough, records) = state.withLock { state in
                defer { state.records = [] }
                return (state.plan.openCount <= count, state.records)
            }
            for record in records { try output.write(line: record) }
            if !records.isEmpty { try output.flush() }
            if isEnough { return }
            done.wait()
        }
    }

    /// Writes over the progress line of a terminal, at most ten times a second; an empty text removes it.
    private func showProgress(_ text: String, _ state: Locked<State>) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        state.withLock { state in
            let now = SteadyClock.now
            guard text.isEmpty ? !state.shown.isEmpty : now - state.shownAt > 0.1 else { return }
            (state.shown, state.shownAt) = (text, now)
            _ = writeAll(Array("\r\u{1B}[K\(text)".utf8), to: STDERR_FILENO)
        }
    }
}
