import Raster

/// The zoom factor and centre of a picture.
struct Zoom {
    /// What the picture is fitted to: the screen, its width or height, or the picture's own pixels.
    enum Fit {
        case screen, width, height, actualSize
    }

    /// The size relative to fitting the screen.
    private(set) var factor = 1.0
    /// The centre of the visible part, in fractions of the picture.
    private var centerX = 0.5
    private var centerY = 0.5

    /// The factor of one zoom step; three steps are a little more than 3×.
    private static let step = 1.5

    var isZoomed: Bool { factor > 1 }

    /// Zooms in by `count` steps, or out if negative, keeping `point` (in fractions of the visible part) in place.
    mutating func zoom(by count: Int, at point: (x: Double, y: Double) = (0.5, 0.5), ratios: Ratios)
    {
        let before = region(ratios)
        for _ in 0..<min(count.magnitude, 12) {
            if count > 0 {
                // Beyond 16, a sub-pixel shows less than one pixel of a picture of a few megapixels.
                factor = min(factor * Self.step, factor < 1 ? 1 : max(factor, 16))
            } else if factor > 1 {
                // A factor just above 1 would look like 1 but still allow panning.
                factor = factor / Self.step < 1.01 ? 1 : factor / Self.step
            }
        }
        let after = region(ratios)
        centerX = before.x + point.x * before.width + (0.5 - point.x) * after.width
        centerY = before.y + point.y * before.height + (0.5 - point.y) * after.height
    }

    /// Sets the factor, keeping the centre.
    mutating func set(_ factor: Double) {
        // From an icon at its own tiny size to the single pixels of a huge picture.
        self.factor = min(max(factor, 1 / 64), 256)
    }

    enum Edge: Double {
        case top = 0
        case bottom = 1
    }

    /// Shows the middle of an edge, whatever the factor.
    mutating func show(_ edge: Edge) {
        centerX = 0.5
        centerY = edge.rawValue
    }

    /// Pans by fractions of the visible part, `x` right and `y` down; stops at the edges.
    mutating func pan(x: Double, y: Double, ratios: Ratios) {
        let region = region(ratios)
        centerX = region.x + region.width / 2 + x * region.width
        centerY = region.y + region.height / 2 + y * region.height
        let clamped = self.region(ratios)
        centerX = clamped.x + clamped.width / 2
        centerY = clamped.y + clamped.height / 2
    }

    /// The width-to-height ratios of the picture and of the screen's body.
    struct Ratios: Equatable {
        /// The same as `body` while the picture's is unknown.
        var picture: Double
        var body: Double

        /// The factor at which the picture fills the body's width.
        var widthFactor: Double { max(1, body / picture) }
        /// The factor at which the picture fills the body's height.
        var heightFactor: Double { max(1, picture / body) }
    }

    /// Returns the visible part of the picture; zooming uses the whole body, whatever the picture's shape.
    func region(_ ratios: Ratios) -> UnitRect {
        guard isZoomed else { return .whole }
        let width = min(1, 1 / (factor * min(1, ratios.picture / ratios.body)))
        let height = min(1, 1 / (factor * min(1, ratios.body / ratios.picture)))
        return UnitRect(
            x: min(max(0, centerX - width / 2), 1 - width),
            y: min(max(0, centerY - height / 2), 1 - height),
            width: width, height: height)
    }
}
