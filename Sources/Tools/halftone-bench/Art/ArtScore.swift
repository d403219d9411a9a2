import ArtMetrics
import Raster

/// The accuracy of a drawing.
struct ArtScore: Sendable {
    /// Peak signal-to-noise ratio, in decibels.
    var psnr = 0.0
    /// PSNR after blurring both by about half a cell, as seen from afar, where dithering pays off.
    var softPSNR = 0.0
    /// PSNR against linear-light means, unblurred: one reference for all programs.
    var near = 0.0
    /// PSNR in linear light after blurring both by a cell, as seen from afar.
    var afar = 0.0
    /// The contrast of details kept: for line art and text relative to means of code values, otherwise to linear-light means.
    var contrast = 0.0
    /// Structural similarity.
    var ssim = 0.0
    /// Mean CIEDE2000.
    var deltaE = 0.0
    /// The number of bytes sent to the terminal.
    var bytes = 0.0

    /// Returns the mean of each figure.
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

/// A picture shrunk to the sub-pixels of a task, and measurements against it.
///
/// There is no single truth: programs average code values or light, and assume different palettes. Every sensible reading is tried, and the
/// best one counts for each figure, for every program.
struct ArtReference {
    private let task: ArtTask
    private let blur: Gaussian
    private let readings: [Reading]
    /// The picture in linear light on its grid, sharp and blurred by a cell.
    private let light: (sharp: Canvas, soft: Canvas)
    private let cellBlur: Gaussian
    private let detail: Double

    /// The picture averaged in one kind of light, sharp and blurred.
    struct Reading {
        var light: Light
        var sharp: Canvas
        var soft: Canvas
    }

    init(_ picture: TestPicture, _ task: ArtTask) {
        self.task = task
        let part = task.parts
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
        // The last reading is both mixed and averaged in linear light.
        let sharp = readings[readings.count - 1].sharp
        cellBlur = Gaussian(x: Double(part.width), y: Double(part.height) / 2)
        light = (sharp, sharp.light(blurred: cellBlur))
        detail = (picture.kind.hasThinLines ? readings[0].sharp : sharp).detail
    }

    /// The picture shown beside the drawings.
    var canvas: Canvas { readings[0].sharp }

    /// Returns the optimum with two colours per cell, without dithering; nil for ASCII and braille, whose ink covers fractions of parts, so
    /// that more than two colours appear, and where eighths stand beside a set's own blocks, whose parts have too many splits.
    func optimum() -> ArtScore? {
        guard task.blocks != .ascii, task.blocks != .braille, task.parts.count <= 8 else {
            return nil
        }
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

    /// The available palettes; an empty one stands for all colours.
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

    /// Returns the figures of `cells`, and what they look like.
    func measure(
        _ cells: CellGrid, palettes: [TerminalPalette]
    ) throws -> (score: ArtScore, canvas: Canvas) {
        var drawings: [(Reading, Canvas)] = []
        for reading in readings {
            for palette in palettes {
                for geometry in GlyphGeometry.all(for: task.blocks, parts: task.parts) {
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
        // In linear light, the terminal's output is the same for each reading of the picture.
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
        // The slower figures are only computed for the best reading.
        score.ssim = StructuralSimilarity.of(nearest.canvas, against: nearest.reading.sharp)
        score.deltaE = ColorDifference.mean(nearest.canvas, against: nearest.reading.sharp)
        return (score, nearest.canvas)
    }
}

extension Canvas {
    /// The picture in linear light, blurred.
    fileprivate func light(blurred blur: Gaussian) -> Canvas {
        var copy = blur.blurred(self, as: .linear)
        copy.pixels = copy.pixels.map(Light.linear.decoded)
        return copy
    }

    /// The root mean square difference of pixels from their surroundings.
    fileprivate var detail: Double {
        let soft = Gaussian(x: 2, y: 2).blurred(self, as: .encoded)
        return PeakSignalToNoise.meanSquaredError(self, soft).squareRoot()
    }

    /// Returns the picture without colour, at the same brightness.
    fileprivate func grey(as light: Light) -> Canvas {
        var copy = self
        for index in pixels.indices {
            let luma = (light.decoded(pixels[index]) * SIMD3(0.2126, 0.7152, 0.0722)).sum()
            copy.pixels[index] = light.encoded(SIMD3(repeating: luma))
        }
        return copy
    }
}
