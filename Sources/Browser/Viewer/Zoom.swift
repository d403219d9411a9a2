import Raster

/// How far a picture is zoomed, and around which point.
struct Zoom {
    /// Times as large as when the picture fits the screen.
    private(set) var factor = 1.0
    /// The point in the middle of the screen, as fractions of the picture.
    private var centerX = 0.5
    private var centerY = 0.5

    /// One step of zooming; three of them are a little more than three times.
    private static let step = 1.5
    /// Beyond this a picture of a few megapixels shows less than a pixel a sub-pixel.
    private static let maxFactor = 16.0

    var isZoomed: Bool { factor > 1 }

    /// Zooms in by `count` steps, or out if negative.
    mutating func zoom(by count: Int) {
        for _ in 0..<min(count.magnitude, 8) {
            factor = count > 0 ? factor * Self.step : factor / Self.step
        }
        // A hair above 1 would look like 1 and still be panned.
        factor = factor < 1.01 ? 1 : min(factor, Self.maxFactor)
    }

    /// Moves by an eighth of what is seen for each of `x` steps right and `y` down; stops at the edges.
    mutating func pan(x: Int, y: Int, shape: Shape) {
        let region = region(shape)
        centerX = region.x + region.width / 2 + Double(x) * region.width / 8
        centerY = region.y + region.height / 2 + Double(y) * region.height / 8
        let clamped = self.region(shape)
        centerX = clamped.x + clamped.width / 2
        centerY = clamped.y + clamped.height / 2
    }

    /// Width over height, of the picture and of the screen's body.
    struct Shape: Equatable {
        /// That of the body where the picture's is not known yet.
        var picture: Double
        var body: Double
    }

    /// The part of the picture that fills the body: zooming uses the whole screen, whatever the picture's shape.
    func region(_ shape: Shape) -> UnitRect {
        guard isZoomed else { return .whole }
        let width = min(1, 1 / (factor * min(1, shape.picture / shape.body)))
        let height = min(1, 1 / (factor * min(1, shape.body / shape.picture)))
        return UnitRect(
            x: min(max(0, centerX - width / 2), 1 - width),
            y: min(max(0, centerY - height / 2), 1 - height),
            width: width, height: height)
    }
}
