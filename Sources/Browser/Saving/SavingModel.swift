import Basics
public import Collector
import Gallery
import Pipeline

/// Starts, shows and stops what is being saved: pictures, and whole galleries page by page.
@MainActor public final class SavingModel: ContextSharing {
    let context: BrowserContext
    private let pages: any PageLoading
    /// What is to be saved, and what became of it.
    public private(set) var plan: SavePlan
    /// The albums to be saved whole; the pages of the first are being read.
    private var albums: [SaveOrder] = []
    private var pager: Pager?
    private var isStoppable = false
    /// Called when a picture is saved, with the path of its file, nil if it was saved before.
    var saved: (_ order: SaveOrder, _ path: String?) -> Void = { _, _ in }
    /// Called when all has been saved, and archives are complete.
    var completed: () -> Void = {}
    /// Called with one line about what could not be saved.
    public var failed: (_ line: String) -> Void = { _ in }
    private var lastFailure = ""
    private var failureLines: [String] = []
    private var failureCount = 0

    init(_ context: BrowserContext, pages: any PageLoading) {
        self.context = context
        self.pages = pages
        plan = SavePlan(width: context.options.savesAtOnce)
    }

    var openCount: Int { plan.openCount + albums.count }

    /// One line for each picture that could not be saved, and one for those still pending.
    var failures: [String] {
        var lines = failureLines
        if failureCount > lines.count {
            lines.append("\(failureCount - lines.count) more pictures were not saved")
        }
        if openCount > 0 {
            let pictures = openCount == 1 ? "1 picture" : "\(openCount) pictures"
            lines.append("\(pictures): not saved yet when the program ended")
        }
        return lines
    }

    /// Saves pictures and whole albums in `folder`, or in the usual one if that is empty.
    func save(_ chosen: [SaveOrder], to folder: String) {
        guard services.saving != nil else {
            return show("there is no folder to save to")
        }
        let orders = chosen.map { order in
            var order = order
            order.target = folder
            return order
        }
        let pictures = orders.filter { $0.picture.kind == .picture }
        let whole = orders.filter { $0.picture.kind == .album && $0.picture.link != nil }
        guard pictures.count + whole.count > 0 else { return show("no picture to save") }
        if plan.add(pictures) == 0, whole.isEmpty { return show("being saved already") }
        albums += whole
        isStoppable = isStoppable || !whole.isEmpty
        goOn()
    }

    /// The progress for the bottom line; empty when nothing is being saved.
    var progress: String {
        if plan.isPaused { return "saving paused" }
        let total = plan.tally.total
        let done = total - plan.openCount
        return plan.isOver
            ? "" : "saving \(min(done + 1, total)) of \(total)\(plan.hasMore ? "+" : "")"
    }

    /// Begins nothing more until called again.
    func pause() {
        guard !plan.isOver else { return show("nothing is being saved") }
        plan.isPaused.toggle()
        goOn()
        if plan.isPaused { show("saving paused: :pause goes on") }
    }

    /// Begins nothing more.
    func end() { plan.isPaused = true }

    /// Gives up what has not been begun if there are whole albums; returns false if there are none.
    func stop() -> Bool {
        guard isStoppable else { return false }
        pager?.cancel()
        pager = nil
        albums = []
        plan.stop()
        goOn()
        show("stopped: \(plan.tally)")
        return true
    }

    private func goOn() {
        guard let saving = services.saving else { return }
        plan.hasMore = !albums.isEmpty
        while let order = plan.next() {
            saving.save(order) { [weak self, main = context.main] result in
                main.post { self?.receive(result, of: order) }
            }
        }
        if pager == nil, let album = albums.first { read(album) }
        if plan.isHungry { pager?.advance() }
        show(line)
        guard plan.isOver else { return }
        isStoppable = false
        plan.isPaused = false
        // Otherwise another run may complete the archive.
        guard plan.tally.isComplete else { return }
        saving.pack(
            completion: onMain { [weak self] error in
                guard let self else { return }
                if let error {
                    note("\(error)")
                    show("\(error)")
                } else if plan.tally.failed == 0 {
                    completed()
                }
            })
    }

    private func receive(_ result: Result<String?, SaveError>, of order: SaveOrder) {
        plan.finish(order, result)
        switch result {
        case .success(let path): saved(order, path)
        case .failure(let error): note("\(order.picture.caption): \(error)")
        }
        goOn()
    }

    private func note(_ failure: String) {
        lastFailure = failure.oneLine()
        failed(lastFailure)
        failureCount += 1
        // More would hardly help.
        if failureLines.count < 20 { failureLines.append(lastFailure) }
    }

    private func read(_ album: SaveOrder) {
        guard let address = album.picture.link else { return }
        let opener = album.picture.page == address ? nil : album.picture.page
        let pager = Pager(
            first: address, opener: opener, limit: options.pageLimit, pages: pages,
            main: context.main)
        self.pager = pager
        var order = album
        order.gallery = ""
        order.index = 0
        pager.takePage = { [weak self, arrangement = options.order] page, _ in
            if order.gallery.isEmpty {
                order.gallery = page.title.isEmpty ? album.picture.caption : page.title
            }
            if let shortfall = page.shortfall { self?.note("\(address): \(shortfall)") }
            let orders = arrangement.applied(to: Array(page.pictures)).map { picture in
                order.index += 1
                order.picture = picture
                return order
            }
            self?.plan.add(orders.filter { $0.picture.kind == .picture })
        }
        pager.stateChanged = { [weak self, weak pager] in
            guard let self, let pager, pager === self.pager else { return }
            switch pager.state {
            case .idle, .loading: return goOn()
            case .failed(let failure):
                plan.tally.failed += 1
                note("\(failure.address): \(failure.reason)")
            case .exhausted: break
            }
            self.pager = nil
            albums.removeFirst()
            goOn()
        }
    }

    /// The status message: "3 saved of 5…", "saved first-light.jpg in ~/picked", "4 saved, 1 failed; Dawn: the server answered 404".
    private var line: String {
        let tally = plan.tally
        guard plan.isOver else {
            return tally.total == 1 ? "saving…" : "\(tally) of \(tally.total)…"
        }
        if tally.failed > 0 { return (tally.total > 1 ? "\(tally); " : "") + lastFailure }
        if tally.total == 1, tally.known == 1 { return "saved before (see --again)" }
        let (folder, name) = tally.lastPath.atLastSlash
        let done = tally.total == 1 ? "saved \(name)" : "\(tally)"
        return folder.isEmpty ? done : "\(done) in \(texts.shortened(String(folder.dropLast())))"
    }
}
