import Basics
import Browser
import Glibc
import Pipeline
import Remote

/// What other programs may ask of the browser and are told, in mpv's JSON dialect (https://mpv.io/manual/stable/#json-ipc).
///
/// A line is an object with `command`, a list of words, and perhaps `request_id`, or a plain line as after `:`, which is not answered.
@MainActor final class RemoteControl {
    private let model: BrowserModel
    private let rights: RemoteRights
    /// Where this program is, for others that look for one beside them.
    private let places: [String]
    /// The programs, and the properties that each observes, with its own numbers, and what it was told last.
    private var peers: [RemoteServer.Peer: [(number: Int, name: String, told: String)]] = [:]
    /// The pictures that are still to be shown, and who is told once they are.
    private var shows: [(line: String, answer: (String?) -> Void)] = []
    /// What `told` was when the programs were told last.
    private var last: [String?] = []

    init(
        _ server: RemoteServer, _ model: BrowserModel, _ rights: RemoteRights, at places: [String],
        main: any MainScheduling
    ) {
        self.model = model
        self.rights = rights
        self.places = places
        model.changed = { [weak self] in self?.tellChanges() }
        model.saved = { [weak self] _, path in
            self?.tellAll("\"event\":\"saved\",\"path\":\(JSONString.quoted(path))")
        }
        server.start { [weak self] line, peer, done in
            main.post {
                self?.receive(line, from: peer, done: done)
            }
        }
    }

    /// Tells all programs that this one ends.
    func end() { tellAll("\"event\":\"shutdown\"") }

    private func receive(
        _ line: String?, from peer: RemoteServer.Peer, done: @escaping Action
    ) {
        guard let line else {
            peers[peer] = nil
            return done()
        }
        if peers.isEmpty { last = told }
        peers[peer] = peers[peer] ?? []
        guard line.first == "{" else {
            return model.perform(line, rights) { _ in done() }
        }
        let value = LooseParser.value(of: line.bytes)
        let words = value?["command"]?.elements.map { $0.text ?? $0.integer.map(String.init) ?? "" }
        let number = value?["request_id"]?.integer ?? 0
        carryOut(words ?? [], of: peer) { failure, data in
            let error = JSONString.quoted(failure ?? "success")
            let members = data.map { ",\"data\":\($0)" } ?? ""
            RemoteServer.send("{\"request_id\":\(number),\"error\":\(error)\(members)}", to: peer)
            done()
        }
        if words?.first == "observe_property" { tellChanges() }
    }

    /// Carries out a command; answers what is wrong, or with the value asked for.
    private func carryOut(
        _ words: [String], of peer: RemoteServer.Peer,
        answer: @escaping (_ failure: String?, _ data: String?) -> Void
    ) {
        switch words.first {
        case nil: answer("invalid parameter", nil)
        case "get_property" where words.last == "beside":
            let places = LooseValue.array(places.map(LooseValue.text)).json
            answer(nil, "{\"used\":\(Int(model.lastUsed)),\"places\":\(places)}")
        case "get_property":
            let value = words.dropFirst().first.flatMap(model.property)
            answer(value == nil ? "property not found" : nil, value)
        case "observe_property":
            guard words.count == 3, let number = Int(words[1]), model.property(words[2]) != nil,
                peers[peer, default: []].count < 64
            else { return answer("property not found", nil) }
            peers[peer]?.append((number, words[2], ""))
            answer(nil, nil)
        case "unobserve_property":
            peers[peer]?.removeAll { "\($0.number)" == words.last }
            answer(nil, nil)
        case "show":
            shows.append((words.joined(separator: " "), { answer($0, nil) }))
            if shows.count == 1 { showNext() }
        default:
            model.perform(words.joined(separator: " "), rights) { answer($0, nil) }
        }
    }

    /// Shows the first of those that wait, each once the one before has been found.
    private func showNext() {
        guard let next = shows.first else { return }
        model.perform(next.line, rights) { [weak self] failure in
            next.answer(failure)
            self?.shows.removeFirst()
            self?.showNext()
        }
    }

    /// Tells the programs what has changed since they were told last.
    private func tellChanges() {
        guard !peers.isEmpty else { return }
        for (peer, properties) in peers {
            for (place, property) in properties.enumerated() {
                guard let value = model.property(property.name), value != property.told else {
                    continue
                }
                peers[peer]?[place].told = value
                RemoteServer.send(
                    "{\"event\":\"property-change\",\"id\":\(property.number),"
                        + "\"name\":\(JSONString.quoted(property.name)),\"data\":\(value)}",
                    to: peer)
            }
        }
        let now = told
        if now[0] != last[0] { tellAll("\"event\":\"selection-changed\"") }
        if now[1] != last[1], now[1] == "true" { tellAll("\"event\":\"section-ended\"") }
        last = now
    }

    /// The properties whose changes are events.
    private var told: [String?] { ["selection", "ended"].map(model.property) }

    private func tellAll(_ members: String) {
        for peer in peers.keys { RemoteServer.send("{\(members)}", to: peer) }
    }

    /// Sends a line to the program that listens at `path`; returns its answer's data, or throws why there is none.
    ///
    /// Blocks.
    nonisolated static func ask(_ line: String, at path: String) throws(RemoteError) -> String? {
        let socket = try RemoteSocket(path)
        defer { close(socket.descriptor) }
        // A program that is alive takes the line and answers within seconds.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(
                socket.descriptor, SOL_SOCKET, option, &limit,
                socklen_t(MemoryLayout<timeval>.size))
        }
        guard socket.connect() else { throw socket.failure() }
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map {
            JSONString.quoted(String($0))
        }
        RemoteServer.send(
            "{\"command\":[\(words.joined(separator: ","))],\"request_id\":1}",
            to: socket.descriptor)
        var lines = RemoteLines(socket.descriptor)
        while let answer = lines.next() {
            guard let value = LooseParser.value(of: answer.bytes), value["request_id"] != nil
            else { continue }
            let error = value["error"]?.text ?? "no answer"
            guard error == "success" else { throw socket.failure(error.oneLine()) }
            return answer.firstRange(of: "\"data\":").map {
                String(answer[$0.upperBound...].dropLast()).withoutControls
            }
        }
        throw socket.failure("no answer")
    }
}
