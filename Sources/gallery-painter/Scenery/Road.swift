import Glibc

/// Ground, track, kerbs and lines, along the x axis of the world.
struct Road {
    var mood: Mood
    var camera: Camera
    /// Half of the width, metres.
    var half = 6.0
    /// How it bends: metres to the side a square metre ahead.
    var bend = 0.0
    /// Whether there are kerbs.
    var hasKerbs = true
    /// Whether the surface is wet and mirrors the sky.
    var isWet = false

    /// The middle of the road at `x`.
    func middle(_ x: Double) -> Double { bend * x * x / 2 }

    /// Paints it below the horizon.
    func paint(_ canvas: inout Canvas) {
        let horizon = camera.horizon
        let near = mood.ground.darker(0.12)
        canvas.fill(
            .rect(0, horizon, canvas.right, max(canvas.bottom - horizon, 0)),
            .linear(
                Point(0, horizon), Point(0, canvas.bottom + 1),
                [
                    Stop(0, mood.ground.mixed(mood.haze, 0.45)), Stop(0.18, mood.ground),
                    Stop(1, near),
                ]))
        for band in stride(from: -200.0, to: 200, by: 16) {
            strip(&canvas, band, band + 8, -60, 60, .solid(mood.ground.darker(0.5).faded(0.1)))
        }
        let sheen = isWet ? mood.haze : mood.road.lighter(0.12)
        let surface = Paint.linear(
            Point(0, horizon), Point(0, canvas.bottom + 1),
            [
                Stop(0, mood.road.mixed(mood.haze, 0.5)), Stop(0.25, sheen.mixed(mood.road, 0.5)),
                Stop(1, mood.road.darker(0.18)),
            ])
        strip(&canvas, -260, 260, -half, half, surface)
        lines(&canvas)
        if hasKerbs { kerbs(&canvas) }
    }

    private func lines(_ canvas: inout Canvas) {
        let white = Paint.solid(Ink(0xF0EEE6, hasKerbs ? 0.85 : 0.25))
        for side in [-1.0, 1] {
            strip(&canvas, -200, 200, side * (half - 0.35) - 0.1, side * (half - 0.35) + 0.1, white)
        }
        let groove = Paint.solid(Ink.black.faded(0.13))
        strip(&canvas, -200, 200, -1.2, -0.5, groove)
        strip(&canvas, -200, 200, 0.5, 1.2, groove)
    }

    private func kerbs(_ canvas: inout Canvas) {
        for (index, x) in stride(from: -120.0, to: 120, by: 1.6).enumerated() {
            let ink = Paint.solid(mood.kerbs[index % 2])
            strip(&canvas, x, x + 1.6, half, half + 1, ink)
            strip(&canvas, x, x + 1.6, -half - 1, -half, ink)
        }
    }

    /// A piece from `start` to `end` along the road, between two distances from its middle.
    func strip(
        _ canvas: inout Canvas, _ start: Double, _ end: Double, _ left: Double, _ right: Double,
        _ paint: Paint
    ) {
        let count = bend == 0 ? 1 : max(Int((end - start) / 4), 1)
        let stations = (0...count).map { start + (end - start) * Double($0) / Double(count) }
        let there = stations.map { Vec($0, 0, middle($0) + left) }
        let back = stations.reversed().map { Vec($0, 0, middle($0) + right) }
        canvas.fill(camera.outline(there + back), paint)
    }
}
