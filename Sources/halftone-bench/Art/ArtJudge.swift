import ArtMetrics
import Dispatch
import Pipeline
import Raster

/// Lets every program draw every picture, and measures what comes out.
struct ArtJudge {
    let collection: PictureCollection
    let halftone: HalftoneArtist
    /// Where output may be put.
    let folder: String

    /// All figures of `task`; pictures side by side on the cores.
    func results(of task: ArtTask) throws -> ArtResults {
        let programs = try self.programs(for: task)
        let count = collection.pictures.count
        let rows = Locked<[Int: Result<Row, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let row = Result { try self.row(index, task, programs) }
            rows.withLock { $0[index] = row }
        }
        let all = try rows.withLock { rows in try (0..<count).compactMap { try rows[$0]?.get() } }
        var results = ArtResults(task: task, kinds: collection.pictures.map(\.kind))
        for program in programs where !program.manners(for: task).isEmpty {
            results.programs[program.name] = all.compactMap { $0.results[program.name] }
        }
        results.optimum = all.compactMap(\.optimum)
        results.originals = all.map(\.original)
        return results
    }

    private struct Row: Sendable {
        var original: PixelBuffer
        var optimum: ArtScore?
        var results: [String: ArtResult]
    }

    private func row(
        _ index: Int, _ task: ArtTask, _ programs: [any ArtProgram]
    ) throws -> Row {
        let reference = ArtReference(collection.pictures[index], task)
        var results: [String: ArtResult] = [:]
        for program in programs {
            results[program.name] = try result(program, collection.paths[index], task, reference)
        }
        let hasOptimum = task.depth == .truecolor && task.blocks != .ascii
        return Row(
            original: reference.canvas.buffer, optimum: hasOptimum ? reference.optimum() : nil,
            results: results)
    }

    private func result(
        _ program: any ArtProgram, _ path: String, _ task: ArtTask, _ reference: ArtReference
    ) throws -> ArtResult? {
        var result: ArtResult?
        for manner in program.manners(for: task) {
            do {
                let bytes = try manner.draw(path)
                let cells = try CellReader(size: task.size).cells(from: bytes)
                // A program is not to blame for the colours a terminal has: with its own, or with xterm's.
                let palettes = Set([manner.palette ?? .xterm, .xterm])
                var (score, canvas) = try reference.measure(cells, palettes: Array(palettes))
                score.bytes = Double(bytes.count)
                if result == nil {
                    result = ArtResult(
                        score: score, ownChoice: score, pixels: canvas.buffer, text: cells.text)
                } else {
                    result?.score.takeBetter(score)
                }
            } catch {
                throw ArtFailure(
                    text: "\(program.name) \(manner.name) \(task.title) \(path): \(error)")
            }
        }
        return result
    }

    /// Like is compared with like: chafa's ASCII uses backgrounds only if Halftone's does.
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
    /// The characters, row by row.
    fileprivate var text: String {
        (0..<size.rows).map { y in
            String(
                String.UnicodeScalarView(
                    (0..<size.columns).compactMap { Unicode.Scalar(self[$0, y].glyph) }))
        }.joined(separator: "\n")
    }
}

extension ArtScore {
    /// Takes over each figure that is better in `other`; the bytes stay.
    fileprivate mutating func takeBetter(_ other: ArtScore) {
        psnr = max(psnr, other.psnr)
        softPSNR = max(softPSNR, other.softPSNR)
        ssim = max(ssim, other.ssim)
        deltaE = min(deltaE, other.deltaE)
    }
}
