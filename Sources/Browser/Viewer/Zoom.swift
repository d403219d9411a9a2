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
    /// A giant's pixels one by one, an icon's as small as they are.
    private static let factors = 1 / 64.0...256.0

    var isZoomed: Bool { factor > 1 }

    /// Zooms in by `count` steps, or out if negative; what is at `point`, in fractions of what is seen, stays there.
    mutating func zoom(by count: Int, at point: (x: Double, y: Double) = (0.5, 0.5), shape: Shape) {
        let before = region(shape)
        for _ in 0..<min(count.magnitude, 12) {
            if count > 0 {
                let most = factor < 1 ? 1 : max(factor, Self.maxFactor)
                factor = min(factor * Self.step, most)
            } else if factor > 1 {
                // A hair above 1 would look like 1 and still be panned.
                factor = factor / Self.step < 1.01 ? 1 : factor / Self.step
            }
        }
        let after = region(shape)
        centerX = before.x + point.x * before.width + (0.5 - point.x) * after.width
        centerY = before.y + point.y * before.height + (0.5 - point.y) * after.height
    }

    /// Makes the picture `factor` times as large as when it fits; its middle stays.
    mutating func set(_ factor: Double) {
        self.factor = min(max(factor, Self.factors.lowerBound), Self.factors.upperBound)
    }

    /// Moves by an eighth of what is seen for each of `x` steps right and `y` down; stops at the edges.
    mutating func pan(x: Int, y: Int, shape: Shape) {
        pan(x: Double(x) / 8, y: Double(y) / 8, shape: shape)
    }

    /// Moves by fractions of what is seen; stops at the edges.
    mutating func pan(x: Double, y: Double, shape: Shape) {
        let region = region(shape)
        centerX = region.x + region.width / 2 + x * region.width
        centerY = region.y + region.height / 2 + y * region.height
        let clamped = self.region(shape)
        centerX = clamped.x + clamped.width / 2
        centerY = clamped.y + clamped.height / 2
    }

    /// Width over height, of the picture and of the screen's body.
    struct Shape: Equatable {
        /// That of the body where the picture's is not known yet.
        var picture: Double
        var body: Double

        /// The factor at which the picture's width fills the body's.
        var widthFactor: Double { max(1, body / picture) }
        /// The same of the height.
        var heightFactor: Double { max(1, picture / body) }
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
