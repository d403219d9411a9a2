import Basics
public import Gallery
import Network
public import Pipeline

/// The pictures being saved, in the order asked, and what came of them.
@MainActor final class SavingModel {
    private let saving: (any PictureSaving)?
    private let display: DisplayState
    private let main: any MainScheduling
    /// Taken from the end.
    private var waiting: [Picture] = []
    private var underWay: [Int: MainRequest] = [:]
    private var lastTicket = 0
    private var batch = Batch()
    private var states: [Address: State] = [:]
    /// Told when a picture is saved.
    var saved: (Picture) -> Void = { _ in }
    private var failureLines: [String] = []
    private var failureCount = 0

    private enum State: Equatable {
        case underWay
        /// In a file of this name.
        case saved(String)
    }

    /// What was asked since nothing was under way.
    private struct Batch {
        var total = 0
        var saved = 0
        var lastName = ""
        var failed = 0
        var lastFailure = ""
    }

    /// Each holds one file in memory; four keep a connection busy.
    private static let mostUnderWay = 4
    /// As many failures as still tell something at the end of a run.
    private static let mostLines = 20

    init(_ context: BrowserContext) {
        saving = context.services.saving
        display = context.display
        main = context.main
    }

    var underWayCount: Int { underWay.count }
    var openCount: Int { waiting.count + underWay.count }

    /// One line for each picture that could not be saved, and one for those that were not reached.
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

    func save(_ chosen: [Picture]) {
        guard let saving else { return display.show(message: "there is nowhere to save to") }
        let pictures = chosen.filter { $0.kind == .picture }
        guard !pictures.isEmpty else {
            return display.show(
                message: chosen.isEmpty
                    ? "no picture to save" : "open the album to save its pictures")
        }
        let new = pictures.filter { states[$0.largest] == nil }
        guard !new.isEmpty else { return display.show(message: alreadySaved(pictures)) }
        if openCount == 0 { batch = Batch() }
        batch.total += new.count
        waiting = new.reversed() + waiting
        for picture in new { states[picture.largest] = .underWay }
        display.show(message: line)
        begin(saving)
    }

    private func alreadySaved(_ pictures: [Picture]) -> String {
        let found = pictures.map { states[$0.largest] }
        if found.contains(.underWay) { return "being saved already" }
        if found.count == 1, case .saved(let name) = found[0] { return "already saved as \(name)" }
        return "all \(found.count) are already saved"
    }

    /// How far it is, while it goes on.
    var progress: String {
        openCount == 0 ? "" : "saving \(batch.total - openCount + 1) of \(batch.total)"
    }

    /// Gives up what is not saved yet; it stays among the failures.
    func cancel() { underWay.values.forEach { $0.cancel() } }

    private func begin(_ saving: any PictureSaving) {
        while underWay.count < Self.mostUnderWay, let picture = waiting.popLast() {
            lastTicket += 1
            let ticket = lastTicket
            underWay[ticket] = MainRequest(on: main) { answer in
                saving.save(picture, completion: answer)
            } receive: { [weak self] result in
                self?.underWay[ticket] = nil
                self?.receive(result, of: picture)
            }
        }
    }

    private func receive(_ result: Result<String, SaveError>, of picture: Picture) {
        switch result {
        case .success(let name):
            batch.saved += 1
            batch.lastName = name
            states[picture.largest] = .saved(name)
            saved(picture)
        case .failure(let error):
            batch.failed += 1
            states[picture.largest] = nil
            batch.lastFailure = "\(picture.caption): \(error)".oneLine()
            failureCount += 1
            if failureLines.count < Self.mostLines { failureLines.append(batch.lastFailure) }
        }
        saving.map(begin)
        display.show(message: line)
    }

    /// How far it is: "saved 3 of 5…", "saved first-light.jpg", "saved 4 of 5; Dawn: the server answered 404".
    private var line: String {
        let isOver = batch.saved + batch.failed == batch.total
        if isOver, batch.failed > 0 {
            let rest = batch.total > 1 ? "saved \(batch.saved) of \(batch.total); " : ""
            return rest + batch.lastFailure
        }
        if isOver, batch.total == 1 { return "saved \(batch.lastName)" }
        if isOver { return "saved \(batch.saved) pictures" }
        return batch.total == 1 ? "saving…" : "saved \(batch.saved) of \(batch.total)…"
    }
}

/// Writes pictures into files; the view model knows neither folder nor network.
public protocol PictureSaving: Sendable {
    /// Fetches the largest known size of `picture` and writes it into a file of its own; callable on any thread.
    ///
    /// `completion` runs exactly once, on any thread, with the file's name or the reason why there is none.
    func save(
        _ picture: Picture, completion: @escaping @Sendable (Result<String, SaveError>) -> Void
    ) -> Subscription
}

/// Why a picture was not saved; the description is one line without the picture's name.
public enum SaveError: Error, Hashable, CustomStringConvertible {
    /// Its bytes did not come.
    case notFetched(String)
    /// What came is not a picture.
    case noPicture
    /// The folder or the file cannot be written.
    case notWritten(String)

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .notFetched(let reason): reason
        case .noPicture: "is no picture of a known format"
        case .notWritten(let reason): "cannot be written: \(reason)"
        }
    }
}
