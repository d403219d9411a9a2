import Glibc
import Raster
import Terminal
import TestSupport

/// CPU (the median) and bytes of full repaints and one-row scrolls, against a writer without a library.
@MainActor struct Measurement {
    let session: TerminalSession
    private static let frames = 40

    func run(writingTo path: String) {
        let depth = session.capabilities.depth
        var script = ScreenScript(seed: 1, size: session.size, depth: depth)
        session.present(canvas(script))
        var report = ""
        report += line("repaint", &script) { $0.repaint() }
        report += line("scroll", &script) { $0.scrollOneRow() }
        guard let file = fopen(path, "w") else { return }
        fputs(report, file)
        fclose(file)
    }

    private func line(
        _ name: String, _ script: inout ScreenScript, change: (inout ScreenScript) -> Void
    ) -> String {
        var milliseconds: [Double] = []
        var bytes = 0
        var least = 0
        for _ in 0..<Self.frames {
            let before = script.grid
            let offset = script.offset
            change(&script)
            let canvas = canvas(script)
            least += MinimumWriter.count(
                from: before, to: script.grid, scroll: script.offset - offset,
                rows: ScreenScript.body(of: script.grid.size))
            let written = Self.written
            let start = Self.cpu
            session.present(canvas)
            milliseconds.append(Self.cpu - start)
            bytes += Self.written - written
        }
        let count = Self.frames
        return
            "\(name): \(milliseconds.sorted()[count / 2]) ms CPU, \(bytes / count) bytes, minimum \(least / count),"
            + " ratio \(Double(bytes) / Double(least))\n"
    }

    private static var cpu: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) * 1e-6
    }

    private static var written: Int {
        guard let file = fopen("/proc/self/io", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        fgets(&line, 64, file)
        fgets(&line, 64, file)
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Int(text.dropFirst(7).prefix { $0.isNumber }) ?? 0
    }
}

/// The fewest bytes a simple program would write: a cursor move a run of changed cells, colours only when they change.
enum MinimumWriter {
    static func count(from old: CellGrid, to new: CellGrid, scroll: Int, rows: Range<Int>) -> Int {
        var bytes = 0
        var old = old
        if scroll != 0 {
            bytes += 24
            let before = old
            for y in rows {
                for x in 0..<old.size.columns {
                    old[x, y] = rows.contains(y + scroll) ? before[x, y + scroll] : .blank
                }
            }
        }
        var pen = Cell.blank
        for y in 0..<new.size.rows {
            var isInRun = false
            for x in 0..<new.size.columns where new[x, y].glyph != 0 {
                let cell = new[x, y]
                guard cell != old[x, y] else {
                    isInRun = false
                    continue
                }
                if !isInRun { bytes += "\u{1B}[\(y + 1);\(x + 1)H".utf8.count }
                isInRun = true
                bytes += change(of: pen, to: cell)
                pen = cell
            }
        }
        return bytes
    }

    private static func change(of pen: Cell, to cell: Cell) -> Int {
        var parts: [String] = []
        if pen.foreground != cell.foreground { parts.append(code(cell.foreground, 38)) }
        if pen.background != cell.background { parts.append(code(cell.background, 48)) }
        if pen.style != cell.style { parts.append("1") }
        let sequence = parts.isEmpty ? 0 : 3 + parts.joined(separator: ";").utf8.count
        return sequence + (Unicode.Scalar(cell.glyph).map { String($0).utf8.count } ?? 0)
    }

    private static func code(_ color: CellColor, _ base: Int) -> String {
        if let rgb = color.rgb { return "\(base);2;\(rgb.red);\(rgb.green);\(rgb.blue)" }
        if let index = color.paletteIndex { return "\(base);5;\(index)" }
        return "\(base + 1)"
    }
}
