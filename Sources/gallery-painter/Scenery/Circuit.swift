import Glibc

/// A track that winds through the world, for views from above.
struct Circuit {
    /// The middle line, (x, z) in metres, close together.
    var line: [Point]
    var half = 6.0
    var mood: Mood

    /// A smooth line through `corners`.
    init(through corners: [Point], closed: Bool = false, half: Double = 6, mood: Mood) {
        line = Path.smooth(corners, closed: closed).contours[0]
        self.half = half
        self.mood = mood
    }

    /// The point `side` metres to the right of station `index`.
    func beside(_ index: Int, _ side: Double) -> Vec {
        let i = min(max(index, 0), line.count - 1)
        let way = line[min(i + 1, line.count - 1)] - line[max(i - 1, 0)]
        let normal = Point(-way.y, way.x) / max(way.length, 1e-9)
        let place = line[i] + normal * side
        return Vec(place.x, 0, place.y)
    }

    /// A car at a part (0…1) of the way, `side` metres off the middle line.
    func car(_ model: Model, at part: Double, side: Double = 0) -> Placed {
        let index = min(max(Int(part * Double(line.count - 1)), 1), line.count - 2)
        let way = line[index + 1] - line[index - 1]
        return Placed(model, at: beside(index, side), heading: atan2(way.y, way.x))
    }

    /// Paints run-off, asphalt, kerbs and lines.
    func paint(_ canvas: inout Canvas, _ camera: Camera) {
        band(&canvas, camera, -half - 9, half + 9, mood.ground.lighter(0.16))
        band(&canvas, camera, -half - 1.2, half + 1.2, mood.kerbs[1])
        band(&canvas, camera, -half, half, mood.road)
        band(&canvas, camera, -half + 0.3, -half + 0.7, Ink(0xF4F2EA))
        band(&canvas, camera, half - 0.7, half - 0.3, Ink(0xF4F2EA))
        band(&canvas, camera, -2, 1.4, mood.road.darker(0.22))
        kerbs(&canvas, camera)
    }

    private func kerbs(_ canvas: inout Canvas, _ camera: Camera) {
        var way = 0.0
        for index in 1..<line.count {
            way += (line[index] - line[index - 1]).length
            guard Int(way / 2.6) % 2 == 0 else { continue }
            for side in [-1.0, 1] {
                let corners = [
                    beside(index - 1, side * half), beside(index, side * half),
                    beside(index, side * (half + 1.2)),
                    beside(index - 1, side * (half + 1.2)),
                ]
                canvas.fill(camera.outline(corners), mood.kerbs[0])
            }
        }
    }

    /// A band along the whole track between two distances from its middle.
    func band(_ canvas: inout Canvas, _ camera: Camera, _ left: Double, _ right: Double, _ ink: Ink)
    {
        for index in stride(from: 0, to: line.count - 1, by: 3) {
            let stations = (index...min(index + 3, line.count - 1))
            let there = stations.map { beside($0, left) }
            let back = stations.reversed().map { beside($0, right) }
            var outline = camera.outline(there + back)
            outline.add(outline.stroked(0.12, closed: true))
            canvas.fill(outline, ink)
        }
    }
}
