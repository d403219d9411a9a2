import Basics
import Browser
import Collector
import Dispatch
import Gallery
import Glibc
import Network
import Pipeline

/// Saves whole galleries without a screen, and tells what became of them.
@MainActor struct SaveRun {
    let options: Options
    let sources: [Source]
    let parts: Composition

    /// Blocks until all is saved; returns whether it is.
    func save(to output: inout StandardOutput) throws(OutputError) -> Bool {
        let printsRecords = options.mode == .json
        var browser = options.browser
        browser.pageLimit = browser.pageLimit ?? 1
        browser.savesAtOnce = PictureSaver.atOnce
        let arrived = DispatchSemaphore(value: 0)
        let mailbox = Mailbox(wake: { arrived.signal() })
        var services = BrowserServices()
        services.saving = parts.saver
        let model = BrowserModel(
            sources: sources, options: browser, pages: parts.pages, thumbnails: parts.thumbnails,
            main: mailbox, tracer: parts.tracer, services: services)
        var lines: [String] = []
        if printsRecords {
            model.saved = { order, path in
                lines.append(
                    order.record(others: [("file", path.withoutControls)]).line)
            }
        }
        parts.services.traffic?.withLock { $0.report = showProgress }
        model.saving.failed = { line in
            showProgress("")
            complain(line)
        }
        model.saveAll()
        var shownAt = 0.0
        while !model.saving.plan.isOver {
            arrived.wait()
            mailbox.drain()
            for record in lines { try output.write(line: record) }
            lines = []
            try output.flush()
            // Often enough to be seen to move.
            guard SteadyClock.now > shownAt + 0.1 else { continue }
            shownAt = SteadyClock.now
            showProgress("\(model.saving.plan.tally)")
        }
        // Archives are packed by now, or it is told why not.
        parts.saver.finish()
        mailbox.drain()
        showProgress("")
        if !printsRecords {
            let tally = model.saving.plan.tally
            try output.write(
                line: "\(tally)"
                    + (tally.known > 0 ? ": saved before; --again saves them once more" : ""))
        }
        guard model.saving.plan.tally.total > 0 else {
            if model.saveFailures.isEmpty { complain("\(PageError.noPictures)") }
            return false
        }
        return model.saveFailures.isEmpty
    }
}
