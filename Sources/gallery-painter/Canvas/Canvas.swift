import Raster

/// A picture being painted: premultiplied floating-point pixels, addressed in scene units.
///
/// The shorter side measures 100 units, whatever the pixels, so that a scene looks the same at every size.
struct Canvas {
    /// Pixels from left to right.
    let width: Int
    /// Pixels from top to bottom.
    let height: Int
    /// Pixels a scene unit.
    let scale: Double
    /// The pixels, row by row.
    var pixels: [SIMD4<Float>]
    /// Where painting takes effect, 0…1 a pixel; nil is everywhere.
    private var mask: [Float]?

    /// A transparent canvas.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        scale = Double(min(width, height)) / 100
        pixels = Array(repeating: .zero, count: width * height)
    }

    /// The width in scene units.
    var right: Double { Double(width) / scale }
    /// The height in scene units.
    var bottom: Double { Double(height) / scale }
    /// The middle.
    var center: Point { Point(right / 2, bottom / 2) }

    /// A transparent canvas of the same size.
    func layer() -> Canvas { Canvas(width: width, height: height) }

    /// Fills `path`.
    mutating func fill(_ path: Path, _ paint: Paint, _ blend: Blend = .over) {
        let coverage = Coverage(width: width, height: height)
        let unit = 1 / scale
        let mask = mask
        let width = width
        pixels.withUnsafeMutableBufferPointer { pixels in
            coverage.scan(path, scale: scale) { row, columns, cover in
                let y = (Double(row) + 0.5) * unit
                for column in columns where cover[column] > 0 {
                    let index = row * width + column
                    let color = paint.color(at: Point((Double(column) + 0.5) * unit, y))
                    let part = cover[column] * (mask?[index] ?? 1)
                    pixels[index] = blend.join(color * part, pixels[index])
                }
            }
        }
    }

    /// Fills `path` with one colour.
    mutating func fill(_ path: Path, _ ink: Ink, _ blend: Blend = .over) {
        fill(path, .solid(ink), blend)
    }

    /// Draws lines along the contours of `path`.
    mutating func stroke(_ path: Path, _ width: Double, _ ink: Ink, closed: Bool = false) {
        fill(path.stroked(width, closed: closed), .solid(ink))
    }

    /// Fills everything.
    mutating func flood(_ paint: Paint, _ blend: Blend = .over) {
        fill(.rect(0, 0, right, bottom), paint, blend)
    }

    /// Paints inside `path` only.
    mutating func clipped(to path: Path, _ body: (inout Canvas) -> Void) {
        let outer = mask
        var inner = [Float](repeating: 0, count: width * height)
        Coverage(width: width, height: height).scan(path, scale: scale) { row, columns, cover in
            for column in columns {
                let index = row * width + column
                inner[index] = cover[column] * (outer?[index] ?? 1)
            }
        }
        mask = inner
        body(&self)
        mask = outer
    }

    /// Puts `layer`, of the same size, on top.
    mutating func draw(_ layer: Canvas, opacity: Double = 1, _ blend: Blend = .over) {
        let factor = Float(opacity)
        for index in pixels.indices where layer.pixels[index].w > 0 {
            let part = factor * (mask?[index] ?? 1)
            pixels[index] = blend.join(layer.pixels[index] * part, pixels[index])
        }
    }
}
