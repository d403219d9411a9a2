import ArtMetrics
import Basics
import Dispatch
import Pipeline
import Raster
import TestSupport

/// Lets every program draw every picture, and measures the results.
struct ArtComparison {
    let collection: PictureCollection
    let halftone: HalftoneArtist
    /// The folder for temporary output.
    let folder: String

    /// Returns all figures of `task`.
    func results(of task: ArtTask) throws -> ArtResults {
        let entries = try programs(for: task).flatMap { program in
            let all = program.settings(for: task)
            return all.map {
                Entry(
                    program: program.name, settings: $0, isOwnChoice: $0.name == all[0].name)
            }
        }
        let paths = collection.paths
        let drawings = try concurrently(entries.count) { index in
            do {
                return try entries[index].settings.draw(paths)
            } catch {
                throw ArtFailure(text: "\(entries[index].title) \(task.title): \(error)")
            }
        }
        let rows = try concurrently(paths.count) { picture in
            try row(picture, task, entries, drawings.map { $0[picture] })
        }
        var results = ArtResults(task: task, kinds: collection.pictures.map(\.kind))
        for name in Set(entries.map(\.program)) {
            results.programs[name] = rows.compactMap { $0.results[name] }
        }
        results.optimum = rows.compactMap(\.optimum)
        results.originals = rows.map(\.original)
        return results
    }

    /// One program with one set of options.
    private struct Entry: Sendable {
        var program: String
        var settings: DrawingSettings
        /// Whether these are the program's defaults, with any palette.
        var isOwnChoice: Bool

        var title: String { program + " " + settings.name }
    }

    /// All figures of one picture.
    private struct Row: Sendable {
        var original: PixelBuffer
        var optimum: ArtScore?
        var results: [String: ArtResult] = [:]
    }

    /// Runs `work` on all cores; returns the results in order.
    private func concurrently<Value: Sendable>(
        _ count: Int, _ work: @Sendable (Int) throws -> Value
    ) throws -> [Value] {
        let results = Locked<[Int: Result<Value, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { try work(index) }
            results.withLock { $0[index] = result }
        }
        let all = results.withLock { $0 }
        return try (0..<count).compactMap { try all[$0]?.get() }
    }

    private func row(
        _ index: Int, _ task: ArtTask, _ entries: [Entry], _ drawings: [[UInt8]]
    ) throws -> Row {
        let reference = ArtReference(collection.pictures[index], task)
        var row = Row(original: reference.canvas.buffer, optimum: reference.optimum())
        for (entry, bytes) in zip(entries, drawings) {
            do {
                let result = try result(entry.settings, bytes, task, reference)
                if row.results[entry.program]?.score.takeBetter(result.score) == nil {
                    row.results[entry.program] = result
                }
                if entry.isOwnChoice {
                    row.results[entry.program]?.ownChoice.takeBetter(result.score)
                }
            } catch {
                let name = collection.pictures[index].name
                throw ArtFailure(text: "\(entry.title) \(task.title) \(name): \(error)")
            }
        }
        return row
    }

    private func result(
        _ settings: DrawingSettings, _ bytes: [UInt8], _ task: ArtTask, _ reference: ArtReference
    ) throws -> ArtResult {
        let cells = try CellReader(size: task.size).cells(from: bytes)
        // A program is not to blame for the terminal's colours: it is measured with its own palette and with xterm's.
        let palettes = Set([settings.palette ?? .xterm, .xterm])
        var (score, canvas) = try reference.measure(cells, palettes: Array(palettes))
        score.bytes = Double(bytes.count)
        return ArtResult(
            score: score, ownChoice: score, pixels: canvas.buffer, text: cells.text)
    }

    /// Compares like with like: chafa's ASCII uses backgrounds only if Halftone's does.
    private func programs(for task: ArtTask) throws -> [any ArtProgram] {
        var isForegroundOnly = false
        if task.blocks == .ascii, let path = collection.paths.first {
            let cells = try halftone.drawing(
                of: path, in: task.size, style: HalftoneArtist.style(task))
            isForegroundOnly = cells.cells.allSatisfy { $0.background == .standard }
        }
        return [
            halftone, HalftoneArtist(drawing: collection),
            ChafaArtist(folder: folder, isForegroundOnly: isForegroundOnly),
            TimgArtist(folder: folder),
        ]
    }
}

extension CellGrid {
    /// The characters in row-major order.
    fileprivate var text: String {
        (0..<size.rows).map { y in
            String(
                String.UnicodeScalarView(
                    (0..<size.columns).compactMap { Unicode.Scalar(self[$0, y].glyph) }))
        }.joined(separator: "\n")
    }
}

extension ArtScore {
    /// Takes each figure that is better in `other`; the bytes stay.
    fileprivate mutating func takeBetter(_ other: ArtScore) {
        psnr = max(psnr, other.psnr)
        softPSNR = max(softPSNR, other.softPSNR)
        near = max(near, other.near)
        afar = max(afar, other.afar)
        contrast = max(contrast, other.contrast)
        ssim = max(ssim, other.ssim)
        deltaE = min(deltaE, other.deltaE)
    }
}

/// Converts terminal output back into cells, with the terminal emulator of the tests.
struct CellReader {
    /// The requested size.
    let size: CellSize

    /// Returns the cells that `bytes` draw.
    /// - Throws: `ArtFailure` if they are not understood, or draw more than requested.
    func cells(from bytes: [UInt8]) throws -> CellGrid {
        // The margin at the right and bottom reveals a drawing that is too large.
        let room = CellSize(columns: size.columns + 2, rows: size.rows + 3)
        let screen = ScreenEmulator(size: room)
        // Like the tty's line discipline.
        screen.feed(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
        guard screen.unrecognised.isEmpty else {
            throw ArtFailure(text: "not understood: \(screen.unrecognised[0])")
        }
        var grid = CellGrid(size: size)
        for y in 0..<room.rows {
            for x in 0..<room.columns {
                let cell = screen.grid[x, y]
                if x < size.columns, y < size.rows {
                    grid[x, y] = cell
                } else if cell.glyph != 0x20 || cell.background != .standard {
                    throw ArtFailure(text: "larger than \(size.columns)×\(size.rows) cells")
                }
            }
        }
        return grid
    }
}
