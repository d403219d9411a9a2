import Basics
import Collector
import Gallery
import Network
import Pipeline

/// Starts, shows and stops what is being saved: pictures, and whole galleries page by page.
@MainActor final class SavingModel {
    private let context: BrowserContext
    private let pages: any PageLoading
    private var plan = SavePlan(width: 4)
    private var underWay: [Int: MainRequest] = [:]
    private var lastTicket = 0
    /// The galleries to be saved whole; the pages of the first are being read.
    private var galleries: [WholeGallery] = []
    private var pager: Pager?
    /// Whether galleries are, or were, among what is being saved.
    private var isWhole = false
    /// What is being saved into, and the gallery that it came from.
    private var targets: [String: SaveOrder] = [:]
    private var packing: [MainRequest] = []
    private var lastFailure = ""
    /// Called when a picture is saved, with the path of its file, nil if it was saved before.
    var saved: (_ picture: Picture, _ path: String?) -> Void = { _, _ in }
    private var failureLines: [String] = []
    private var failureCount = 0

    private struct WholeGallery {
        /// The album, and where its pictures go.
        let order: SaveOrder
        let address: Address
        let arrangement: PictureOrder
    }

    /// The maximum number of failures listed on exit; more would hardly help.
    private static let maxLines = 20
    /// The number of waiting pictures below which the next page is read, so that no connection idles meanwhile.
    private static let minWaiting = 8

    init(_ context: BrowserContext, pages: any PageLoading) {
        self.context = context
        self.pages = pages
    }

    private var display: DisplayState { context.display }
    var underWayCount: Int { underWay.count }
    var openCount: Int { plan.openCount + galleries.count }
    /// Whether a picture of the last batch could not be saved.
    var hasFailed: Bool { plan.tally.failed > 0 }

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

    /// Saves pictures, and albums whole, those of their pictures that `arrangement` shows, in `folder`, or in the usual one if that is
    /// empty.
    func save(
        _ chosen: [SaveOrder], to folder: String, isAgain: Bool = false,
        arrangement: PictureOrder = PictureOrder()
    ) {
        guard context.services.saving != nil else {
            return display.show("there is no folder to save to")
        }
        let orders = chosen.map { order in
            var order = order
            (order.target, order.isAgain) = (context.texts.expanded(folder), isAgain)
            return order
        }
        for order in orders where order.picture.kind == .album {
            guard let address = order.picture.link else { continue }
            galleries.append(
                WholeGallery(order: order, address: address, arrangement: arrangement))
        }
        let pictures = orders.filter { $0.picture.kind == .picture }
        guard !pictures.isEmpty || !galleries.isEmpty else {
            return display.show("no picture to save")
        }
        if plan.add(pictures) == 0, galleries.isEmpty {
            return display.show(alreadySaved(pictures))
        }
        isWhole = isWhole || !galleries.isEmpty
        for order in orders { targets[order.target] = targets[order.target] ?? order }
        goOn()
    }

    private func alreadySaved(_ orders: [SaveOrder]) -> String {
        let found = orders.map(plan.state)
        if found.contains(.open) { return "being saved already" }
        if found.count == 1, case .done(let path?) = found[0] {
            return "already saved as \(place(of: path))"
        }
        return "all \(found.count) are already saved"
    }

    /// The progress for the bottom line; empty when nothing is being saved.
    var progress: String {
        if plan.isPaused { return "saving paused" }
        let tally = plan.tally
        let more = plan.hasMore ? "+" : ""
        return isOver ? "" : "saving \(min(tally.done + 1, tally.total)) of \(tally.total)\(more)"
    }

    private var isOver: Bool { plan.openCount == 0 && !plan.hasMore }

    /// Cancels the saves in progress; they remain among the failures.
    func cancel() { underWay.values.forEach { $0.cancel() } }

    /// Begins nothing more until called again.
    func pause() {
        guard !isOver else { return display.show("nothing is being saved") }
        plan.isPaused.toggle()
        goOn()
        if plan.isPaused { display.show("saving paused: :pause goes on") }
    }

    /// Gives up the galleries that are saved whole, but for what has been begun; returns false if there are none.
    func stopWhole() -> Bool {
        guard isWhole, !isOver else { return false }
        pager?.cancel()
        (pager, galleries, targets, isWhole) = (nil, [], [:], false)
        let left = plan.stop()
        plan.hasMore = false
        display.show("stopped: \(plan.tally), \(left) left, which :save-all goes on with")
        return true
    }

    private func goOn() {
        plan.hasMore = !galleries.isEmpty
        while let order = plan.next() { begin(order) }
        if pager == nil, let gallery = galleries.first { read(gallery) }
        if plan.openCount < Self.minWaiting, !plan.isPaused { pager?.advance() }
        display.show(line)
        if isOver { end() }
    }

    private func begin(_ order: SaveOrder) {
        lastTicket += 1
        let ticket = lastTicket
        underWay[ticket] = MainRequest(on: context.main) { [context] answer in
            context.services.saving?.save(order, completion: answer) ?? .ended
        } receive: { [weak self] (result: Result<String?, SaveError>) in
            self?.underWay[ticket] = nil
            self?.receive(result, of: order)
        }
    }

    private func receive(_ result: Result<String?, SaveError>, of order: SaveOrder) {
        plan.finish(order, result)
        switch result {
        case .success(let path): saved(order.picture, path)
        case .failure(let error): note("\(order.picture.caption): \(error)")
        }
        goOn()
    }

    private func note(_ failure: String) {
        lastFailure = failure.oneLine()
        failureCount += 1
        if failureLines.count < Self.maxLines { failureLines.append(lastFailure) }
    }

    private func read(_ gallery: WholeGallery) {
        let album = gallery.order.picture
        let pager = Pager(
            first: gallery.address, opener: album.page == gallery.address ? nil : album.page,
            limit: context.options.pageLimit, pages: pages, main: context.main)
        self.pager = pager
        var count = 0
        pager.takePage = { [weak self] page, _ in
            let orders = gallery.arrangement.applied(to: Array(page.pictures)).map { picture in
                var order = gallery.order
                count += 1
                (order.picture, order.index) = (picture, count)
                return order
            }
            self?.plan.add(orders.filter { $0.picture.kind == .picture })
        }
        pager.stateChanged = { [weak self, weak pager] in
            guard let self, let pager, pager === self.pager else { return }
            switch pager.state {
            case .idle, .loading: break
            case .failed(let failure):
                note("\(failure.address): \(failure.reason)")
                plan.noteFailure()
                fallthrough
            case .exhausted:
                self.pager = nil
                galleries.removeFirst()
            }
            goOn()
        }
        pager.advance()
    }

    /// Completes the archives, unless something is missing that another run may get.
    private func end() {
        defer { (targets, isWhole) = ([:], false) }
        guard plan.tally.isComplete, let saving = context.services.saving else { return }
        packing = targets.map { target, order in
            MainRequest(on: context.main) { answer in
                saving.pack(
                    target, title: order.gallery, from: order.picture.link ?? order.picture.page,
                    completion: answer)
            } receive: { [weak self] (error: SaveError?) in
                guard let error else { return }
                self?.note("\(target): \(error)")
                self?.display.show("\(target): \(error)")
            }
        }
    }

    /// Returns a file's name and folder: "first-light.jpg in ~/picked".
    private func place(of path: String) -> String {
        path.atLastSlash.name + folder(of: path)
    }

    private func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { " in " + context.texts.shortened(String(path[..<$0])) } ?? ""
    }

    /// The status message: "saved 3 of 5…", "saved first-light.jpg", "saved 4 of 5; Dawn: the server answered 404".
    private var line: String {
        let tally = plan.tally
        let isPlain = tally.known == 0
        if isOver, tally.failed > 0 {
            let rest = isPlain ? "saved \(tally.saved) of \(tally.total); " : "\(tally); "
            return (tally.total > 1 ? rest : "") + lastFailure
        }
        if isOver, tally.total == 1 {
            return isPlain
                ? "saved \(place(of: tally.lastPath))" : "saved before: :save! saves it again"
        }
        if isOver {
            return (isPlain ? "saved \(tally.saved) pictures" : "\(tally)")
                + folder(of: tally.lastPath)
        }
        if !isPlain { return "\(tally) of \(tally.total)…" }
        return tally.total == 1 ? "saving…" : "saved \(tally.saved) of \(tally.total)…"
    }
}
