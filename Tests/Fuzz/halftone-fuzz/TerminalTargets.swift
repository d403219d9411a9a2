import CFuzzer
import Glibc
import Raster
import Trace

@testable import Basics
@testable import Browser
@testable import Terminal
@testable import halftone

/// Keys, mouse reports and answers as the terminal sends them; 0xFF is a pause, and 0xFE one that is too long.
@Sendable func readInput(_ bytes: [UInt8]) {
    var decoder = InputDecoder()
    var queries = PendingQueries(traits: TerminalTraits(), timeout: 0.15)
    queries.begin(at: 0)
    for (index, byte) in bytes.enumerated() {
        let time = Double(index) / 100
        switch byte {
        case 0xFE...: _ = decoder.giveUp()
        default: _ = decoder.character(Unicode.Scalar(byte), at: time)
        }
        for reply in decoder.replies { queries.note(reply) }
        decoder.replies = []
        _ = queries.hasSettled(at: time)
    }
    let style = queries.traits.suited(RenderStyle())
    demand((1...4).contains(style.cellAspect))
    // A key that comes after all of it is a key.
    if decoder.isWaiting { _ = decoder.giveUp() }
    demand(decoder.character("x", at: 1e6) == [.key(.character("x"))])
}

/// A terminal's compiled description.
@Sendable func readTermInfo(_ bytes: [UInt8]) {
    guard let entry = TermInfo(bytes.map(CChar.init(bitPattern:))) else { return }
    let adapted = entry.adapted(size: CellSize(columns: 80, rows: 24), sparingPictures: true)
    // Texts that shared their bytes may make it larger than ncurses takes.
    demand(adapted.compiled.isEmpty || TermInfo(adapted.compiled)?.compiled == adapted.compiled)
}

/// Text of any origin on its way to the screen.
@Sendable func showText(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let line = text.oneLine()
    requireHarmless(line)
    requireHarmless(text.withoutControls)
    demand(line.oneLine() == line, "a line is not one: \(line)")
    for limit in [0, 1, 2, 10, 80] {
        demand(text.truncated(to: limit).columns <= limit)
        demand(line.truncated(to: limit, mode: .middle).columns <= limit)
        demand(line.padded(to: limit).columns == limit)
    }
}

/// A configuration file.
@Sendable func readConfiguration(_ bytes: [UInt8]) {
    withFile(bytes) { path in
        let configuration = Configuration(path: path, isRequired: true)
        for mistake in configuration.mistakes { requireHarmless(mistake.oneLine()) }
    }
}

/// A trace, in which texts from outside stand.
@Sendable func readTrace(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    withFile([]) { path in
        guard let tracer = try? Tracer(path: path) else { return }
        tracer.mark("mark", detail: text)
        tracer.begin("span", detail: text).end(text)
        demand((try? tracer.close()) != nil)
        guard let file = smallFile(path, limit: 1 << 20),
            case .array(let events)? = try? LooseParser.document(file)
        else { fatalError("no trace") }
        demand(events.count == 4, "\(events.count) events")
    }
}

/// A file in memory with these bytes.
private func withFile(_ bytes: [UInt8], _ body: (String) -> Void) {
    let file = memfd_create("fuzzed", 0)
    defer { close(file) }
    demand(file >= 0 && writeAll(bytes, to: file) == 0)
    body("/proc/self/fd/\(file)")
}
