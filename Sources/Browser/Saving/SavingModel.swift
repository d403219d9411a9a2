import Basics
public import Gallery
import Network
public import Pipeline

/// The pictures being saved, in the order requested, and the results.
@MainActor final class SavingModel {
    private let saving: (any PictureSaving)?
    private let display: DisplayState
    private let main: any MainScheduling
    private let texts: LocalTexts
    /// The pictures not started yet, in reverse order.
    private var waiting: [Order] = []
    private var underWay: [Int: MainRequest] = [:]
    private var lastTicket = 0
    private var batch = Batch()
    private var states: [[String]: State] = [:]
    /// Called when a picture has been saved, with the path of its file.
    var saved: (_ picture: Picture, _ path: String) -> Void = { _, _ in }
    private var failureLines: [String] = []
    private var failureCount = 0

    /// A picture, and the folder that it goes to; empty for the usual one.
    private struct Order {
        let picture: Picture
        let folder: String

        var key: [String] { [picture.largest.text, folder] }
    }

    private enum State: Equatable {
        case underWay
        /// Saved to this file.
        case saved(String)
    }

    /// The requests made since nothing was last in progress.
    private struct Batch {
        var total = 0
        var saved = 0
        var lastPath = ""
        var failed = 0
        var lastFailure = ""
    }

    /// Each save holds one file in memory; four keep a connection busy.
    private static let maxUnderWay = 4
    /// The maximum number of failures listed on exit; more would hardly help.
    private static let maxLines = 20

    init(_ context: BrowserContext) {
        saving = context.services.saving
        display = context.display
        main = context.main
        texts = context.texts
    }

    var underWayCount: Int { underWay.count }
    var openCount: Int { waiting.count + underWay.count }
    /// Whether a picture of the last batch could not be saved.
    var hasFailed: Bool { batch.failed > 0 }

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

    /// Saves pictures in `folder`, or in the usual one if that is empty.
    func save(_ chosen: [Picture], to folder: String) {
        guard let saving else { return display.show("there is no folder to save to") }
        let pictures = chosen.filter { $0.kind == .picture }
        guard !pictures.isEmpty else {
            return display.show(
                chosen.isEmpty
                    ? "no picture to save" : "open the album to save its pictures")
        }
        let orders = pictures.map { Order(picture: $0, folder: texts.expanded(folder)) }
        let new = orders.filter { states[$0.key] == nil }
        guard !new.isEmpty else { return display.show(alreadySaved(orders)) }
        if openCount == 0 { batch = Batch() }
        batch.total += new.count
        waiting = new.reversed() + waiting
        for order in new { states[order.key] = .underWay }
        display.show(line)
        begin(saving)
    }

    private func alreadySaved(_ orders: [Order]) -> String {
        let found = orders.map { states[$0.key] }
        if found.contains(.underWay) { return "being saved already" }
        if found.count == 1, case .saved(let path) = found[0] {
            return "already saved as \(place(of: path))"
        }
        return "all \(found.count) are already saved"
    }

    /// The progress for the bottom line; empty when nothing is being saved.
    var progress: String {
        openCount == 0 ? "" : "saving \(batch.total - openCount + 1) of \(batch.total)"
    }

    /// Cancels the saves in progress; they remain among the failures.
    func cancel() { underWay.values.forEach { $0.cancel() } }

    private func begin(_ saving: any PictureSaving) {
        while underWay.count < Self.maxUnderWay, let order = waiting.popLast() {
            lastTicket += 1
            let ticket = lastTicket
            underWay[ticket] = MainRequest(on: main) { answer in
                saving.save(order.picture, in: order.folder, completion: answer)
            } receive: { [weak self] result in
                self?.underWay[ticket] = nil
                self?.receive(result, of: order)
            }
        }
    }

    private func receive(_ result: Result<String, SaveError>, of order: Order) {
        switch result {
        case .success(let path):
            batch.saved += 1
            batch.lastPath = path
            states[order.key] = .saved(path)
            saved(order.picture, path)
        case .failure(let error):
            batch.failed += 1
            states[order.key] = nil
            batch.lastFailure = "\(order.picture.caption): \(error)".oneLine()
            failureCount += 1
            if failureLines.count < Self.maxLines { failureLines.append(batch.lastFailure) }
        }
        saving.map(begin)
        display.show(line)
    }

    /// Returns a file's name and folder: "first-light.jpg in ~/picked".
    private func place(of path: String) -> String {
        path.atLastSlash.name + folder(of: path)
    }

    private func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { " in " + texts.shortened(String(path[..<$0])) } ?? ""
    }

    /// The status message: "saved 3 of 5…", "saved first-light.jpg", "saved 4 of 5; Dawn: the server answered 404".
    private var line: String {
        let isOver = batch.saved + batch.failed == batch.total
        if isOver, batch.failed > 0 {
            let rest = batch.total > 1 ? "saved \(batch.saved) of \(batch.total); " : ""
            return rest + batch.lastFailure
        }
        if isOver, batch.total == 1 { return "saved \(place(of: batch.lastPath))" }
        if isOver { return "saved \(batch.saved) pictures" + folder(of: batch.lastPath) }
        return batch.total == 1 ? "saving…" : "saved \(batch.saved) of \(batch.total)…"
    }
}

/// Saves pictures to files; the view model knows neither folder nor network.
public protocol PictureSaving: Sendable {
    /// Fetches the largest known size of `picture` and writes it to a new file in `folder`, or in the usual folder if that is empty;
    /// callable on any thread.
    ///
    /// `completion` runs exactly once, on any thread, with the file's path or the error.
    func save(
        _ picture: Picture, in folder: String,
        completion: @escaping Receiver<Result<String, SaveError>>
    ) -> Subscription
}

/// The reason why a picture was not saved, or its file not changed; its description is one line without the picture's name.
public enum SaveError: Error, Hashable, CustomStringConvertible {
    /// The picture could not be fetched.
    case notFetched(String)
    /// The data is not a picture.
    case noPicture
    /// The folder or file could not be written.
    case notWritten(String)
    /// The file stays as it is.
    case refused(String)

    /// The reason in plain language.
    public var description: String {
        switch self {
        case .notFetched(let reason), .refused(let reason): reason
        case .noPicture: "is not a picture of a known format"
        case .notWritten(let reason): "cannot be written: \(reason)"
        }
    }
}
