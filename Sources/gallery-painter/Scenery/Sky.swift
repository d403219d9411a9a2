import Glibc

/// The sky down to a horizon, and what stands in it.
struct Sky {
    var mood: Mood
    /// Height of the horizon on the canvas.
    var horizon: Double
    /// Where the sun stands, as a part of the width, and its height over the horizon in scene units.
    var sun = Point(0.7, 16)
    /// The sun's radius in scene units.
    var size = 7.0
    /// How many clouds.
    var clouds = 4

    /// Paints it.
    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        canvas.flood(.vertical(min(0, horizon - 60), max(horizon, 12), mood.sky))
        if mood.isDark { stars(&canvas, &seed) }
        if let ink = mood.sun {
            let center = Point(canvas.right * sun.x, horizon - sun.y)
            canvas.flood(.glow(center, size * 6, ink.faded(0.55)), .add)
            canvas.fill(.circle(center, size), ink)
        }
        for _ in 0..<clouds { cloud(&canvas, &seed) }
    }

    private func stars(_ canvas: inout Canvas, _ seed: inout Seed) {
        for _ in 0..<90 {
            let place = Point(seed.value(0...canvas.right), horizon * seed.unit() * 0.9)
            canvas.fill(.circle(place, seed.value(0.1...0.35)), Ink(0xFFFFFF, seed.value(0.3...1)))
        }
    }

    /// Flat bars with round ends, lit from below at dusk and from above by day.
    private func cloud(_ canvas: inout Canvas, _ seed: inout Seed) {
        let y = horizon * seed.value(0.1...0.75)
        let x = seed.value(-10...canvas.right)
        let base = Paint.ink(Paint.even(mood.sky), y / max(horizon, 1))
        let ink = mood.isDark ? base.lighter(0.1) : base.mixed(mood.haze.lighter(0.5), 0.55)
        for bar in 0..<4 {
            let width = seed.value(14...40) * (1 - Double(bar) * 0.16)
            let place = x + seed.value(-9...9)
            canvas.fill(
                .rounded(place - width / 2, y - Double(bar) * 1.9, width, 2.4, 1.2), ink.faded(0.75)
            )
        }
    }
}

/// Ridges behind each other.
struct Hills {
    var mood: Mood
    var horizon: Double
    /// Height of the farthest ridge over the horizon, in scene units.
    var height = 16.0
    /// Whether they are peaks, with snow on them.
    var isAlpine = false

    /// Paints them, far to near.
    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        for (index, ink) in mood.hills.enumerated() {
            let rise = height * (1 - Double(index) * 0.3)
            if isAlpine && index < 2 {
                peaks(&canvas, &seed, rise * 1.5, ink)
            } else {
                ridge(&canvas, &seed, rise, ink)
            }
        }
    }

    private func ridge(_ canvas: inout Canvas, _ seed: inout Seed, _ rise: Double, _ ink: Ink) {
        let waves = (0..<4).map { _ in
            (seed.value(0.02...0.14), seed.value(0...6.3), seed.value(0.3...1))
        }
        let reach = canvas.right
        var points = [Point(-5, horizon + 30)]
        for step in 0...90 {
            let x = -5 + Double(step) / 90 * (reach + 10)
            let wave = waves.reduce(0) { $0 + sin(x * $1.0 + $1.1) * $1.2 } / 4
            points.append(Point(x, horizon - rise * (0.55 + wave * 0.6)))
        }
        points.append(Point(reach + 5, horizon + 30))
        canvas.fill(
            .polygon(points), .vertical(horizon - rise, horizon, [ink, ink.mixed(mood.haze, 0.35)]))
    }

    private func peaks(_ canvas: inout Canvas, _ seed: inout Seed, _ rise: Double, _ ink: Ink) {
        var x = seed.value(-20 ... -5)
        while x < canvas.right + 20 {
            let top = Point(x, horizon - rise * seed.value(0.6...1.15))
            let width = rise * seed.value(0.7...1.1)
            let left = Point(x - width, horizon + 5)
            let right = Point(x + width, horizon + 5)
            let fold = Point(x + width * 0.15, horizon + 5)
            canvas.fill(.polygon([top, right, left]), ink)
            canvas.fill(
                .polygon([top, right, fold, top.toward(fold, 0.5) + Point(-2, 0)]), ink.darker(0.22)
            )
            let cap = [
                top, top.toward(right, 0.34), top.toward(fold, 0.26),
                top.toward(fold, 0.4) + Point(-width * 0.1, 0),
                top.toward(left, 0.24),
            ]
            canvas.fill(.polygon(cap), ink.lighter(0.75))
            x += width * seed.value(0.7...1.2)
        }
    }
}
