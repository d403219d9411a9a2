import ArtMetrics
import Raster

/// How near a drawing comes to its picture.
struct ArtScore: Sendable {
    /// Peak signal to noise ratio, in decibels.
    var psnr = 0.0
    /// The same of both blurred by about half a cell, as seen from afar: what dithering is for.
    var softPSNR = 0.0
    /// PSNR against means of light, as it is: one reading for everybody.
    var near = 0.0
    /// The same of both blurred by a cell, in light: as seen from afar.
    var afar = 0.0
    /// How much contrast of details is kept: in line art and text of what means of codes have, elsewhere of what means of light have.
    var contrast = 0.0
    /// Structural similarity.
    var ssim = 0.0
    /// Mean CIEDE2000.
    var deltaE = 0.0
    /// Bytes sent to the terminal.
    var bytes = 0.0

    /// Each figure's mean.
    static func mean(_ scores: [ArtScore]) -> ArtScore {
        var sum = ArtScore()
        let share = 1 / Double(max(scores.count, 1))
        for score in scores {
            sum.psnr += score.psnr * share
            sum.softPSNR += score.softPSNR * share
            sum.near += score.near * share
            sum.afar += score.afar * share
            sum.contrast += score.contrast * share
            sum.ssim += score.ssim * share
            sum.deltaE += score.deltaE * share
            sum.bytes += score.bytes * share
        }
        return sum
    }
}

/// A picture shrunk to the sub-pixels of a task, and measures against it.
///
/// There is no one truth: programs average codes or light, and count on different palettes. Every reading that makes sense is tried, and for
/// each figure the best one counts, for every program.
struct ArtReference {
    private let task: ArtTask
    private let blur: Gaussian
    private let readings: [Reading]
    /// The picture as light, on its grid and blurred by a cell.
    private let light: (sharp: Canvas, soft: Canvas)
    private let cellBlur: Gaussian
    private let detail: Double

    /// The picture under one kind of averaging, as it is and blurred.
    struct Reading {
        var light: Light
        var sharp: Canvas
        var soft: Canvas
    }

    init(_ picture: TestPicture, _ task: ArtTask) {
        self.task = task
        let part = task.blocks.measuredParts
        let size = PixelSize(
            width: task.size.columns * part.width, height: task.size.rows * part.height)
        // Three quarters of a cell's width: the mean of half its width and half its height.
        let blur = Gaussian(x: 0.75 * Double(part.width), y: 0.375 * Double(part.height))
        self.blur = blur
        let isGrey = task.depth == .mono
        let mixings: [Light] = picture.pixels.isOpaque ? [.encoded] : Light.allCases
        readings = Light.allCases.flatMap { light in
            mixings.map { mixing in
                var sharp = AreaFilter(light, mixing: mixing)
                    .shrink(picture.pixels, over: RGB(0), to: size)
                if isGrey { sharp = sharp.grey(as: light) }
                return Reading(light: light, sharp: sharp, soft: blur.blurred(sharp, as: light))
            }
        }
        // The last one shrinks as light what was mixed as light.
        let sharp = readings[readings.count - 1].sharp
        cellBlur = Gaussian(x: Double(part.width), y: Double(part.height) / 2)
        light = (sharp, sharp.light(blurred: cellBlur))
        detail = (picture.kind.hasThinLines ? readings[0].sharp : sharp).detail
    }

    /// The picture that is shown beside the drawings.
    var canvas: Canvas { readings[0].sharp }

    /// The best that two colours a cell can do, without dithering; nil for ASCII and braille, whose ink
    /// covers parts of parts, so that more than two colours are seen.
    func optimum() -> ArtScore? {
        guard task.blocks != .ascii, task.blocks != .braille else { return nil }
        let drawings = readings.flatMap { reading in
            palettes.map { palette in
                let drawing =
                    palette.isEmpty
                    ? Optimum.drawing(of: reading.sharp, in: task.blocks)
                    : Optimum.drawing(of: reading.sharp, in: task.blocks, palette: palette)
                return (reading, drawing)
            }
        }
        return best(drawings).score
    }

    /// The colours there are; an empty palette has all.
    private var palettes: [[RGB]] {
        let terminals: [TerminalPalette] = [.xterm, .chafa]
        return switch task.depth {
        case .truecolor: [[]]
        case .palette256: [TerminalPalette.xterm.colors]
        case .palette16: terminals.map(\.system.colors)
        case .palette8: terminals.map { Array($0.system.colors.prefix(8)) }
        case .mono: [[RGB(0), RGB(0xFFFFFF)]]
        }
    }

    /// The figures of `cells`, and what they look like.
    func measure(
        _ cells: CellGrid, palettes: [TerminalPalette]
    ) throws -> (score: ArtScore, canvas: Canvas) {
        var drawings: [(Reading, Canvas)] = []
        for reading in readings {
            for palette in palettes {
                for geometry in GlyphGeometry.all(for: task.blocks) {
                    let terminal = Rasteriser(geometry, palette, reading.light)
                    drawings.append((reading, try terminal.canvas(of: cells)))
                }
            }
        }
        return best(drawings)
    }

    private func best(_ drawings: [(Reading, Canvas)]) -> (score: ArtScore, canvas: Canvas) {
        var score = ArtScore()
        var nearest = (reading: drawings[0].0, canvas: drawings[0].1)
        // What a terminal shows, as light, is the same under each reading of the picture.
        for (reading, canvas) in drawings where reading.light == .linear {
            score.near = max(score.near, PeakSignalToNoise.of(canvas, against: light.sharp))
            let soft = canvas.light(blurred: cellBlur)
            score.afar = max(score.afar, PeakSignalToNoise.of(soft, against: light.soft))
            score.contrast = max(score.contrast, canvas.detail / max(detail, 0.001))
        }
        for (reading, canvas) in drawings {
            let psnr = PeakSignalToNoise.of(canvas, against: reading.sharp)
            if psnr > score.psnr {
                score.psnr = psnr
                nearest = (reading, canvas)
            }
            let soft = blur.blurred(canvas, as: reading.light)
            score.softPSNR = max(score.softPSNR, PeakSignalToNoise.of(soft, against: reading.soft))
        }
        // The slower figures under the reading that suits best.
        score.ssim = StructuralSimilarity.of(nearest.canvas, against: nearest.reading.sharp)
        score.deltaE = ColorDifference.mean(nearest.canvas, against: nearest.reading.sharp)
        return (score, nearest.canvas)
    }
}

extension Canvas {
    /// Its light, blurred as light.
    fileprivate func light(blurred blur: Gaussian) -> Canvas {
        var copy = blur.blurred(self, as: .linear)
        copy.pixels = copy.pixels.map(Light.linear.decoded)
        return copy
    }

    /// How far pixels differ from their surroundings.
    fileprivate var detail: Double {
        let soft = Gaussian(x: 2, y: 2).blurred(self, as: .encoded)
        return PeakSignalToNoise.meanSquaredError(self, soft).squareRoot()
    }

    /// Without colour, as bright as before.
    fileprivate func grey(as light: Light) -> Canvas {
        var copy = self
        for index in pixels.indices {
            let luma = (light.decoded(pixels[index]) * SIMD3(0.2126, 0.7152, 0.0722)).sum()
            copy.pixels[index] = light.encoded(SIMD3(repeating: luma))
        }
        return copy
    }
}
