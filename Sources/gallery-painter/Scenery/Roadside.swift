import Glibc

/// What stands beside the road; each kind is placed in the world and painted from far to near.
enum Roadside {
    /// Fields only.
    case open
    /// Round trees.
    case trees
    /// Firs.
    case firs
    /// A full grandstand behind a wall of boards.
    case stands
    /// Houses.
    case city
    /// A wall of boards and a harbour full of yachts.
    case harbour
    /// Rocks and scrub.
    case rocks
}

extension Roadside {
    /// Paints it on both sides of `road`.
    func paint(_ canvas: inout Canvas, _ road: Road, _ seed: inout Seed) {
        switch self {
        case .open: return
        case .trees: row(&canvas, road, &seed, Tree(mood: road.mood, isFir: false), gap: 5)
        case .firs: row(&canvas, road, &seed, Tree(mood: road.mood, isFir: true), gap: 4)
        case .rocks:
            row(&canvas, road, &seed, Tree(mood: road.mood, isFir: false, isRock: true), gap: 9)
        case .stands:
            Stand(mood: road.mood, road: road).paint(&canvas, &seed)
            Boards(road: road).paint(&canvas, &seed)
        case .city:
            City(road: road).paint(&canvas, &seed)
            Boards(road: road).paint(&canvas, &seed)
        case .harbour:
            Harbour(road: road).paint(&canvas, &seed)
            Boards(road: road).paint(&canvas, &seed)
        }
    }

    private func row(
        _ canvas: inout Canvas, _ road: Road, _ seed: inout Seed, _ tree: Tree, gap: Double
    ) {
        var feet: [Vec] = []
        for x in stride(from: -150.0, to: 150, by: gap) {
            for side in [-1.0, 1] {
                let away = road.half + seed.value(5...9)
                for depth in [0.0, seed.value(6...14)] {
                    let place = x + seed.value(-2...2)
                    feet.append(Vec(place, 0, road.middle(place) + side * (away + depth)))
                }
            }
        }
        for foot in Roadside.farFirst(feet, road.camera) {
            tree.paint(&canvas, road.camera, foot, &seed)
        }
    }

    /// The places in front of the camera, farthest first; those so near that they would hide the picture left out.
    static func farFirst(_ places: [Vec], _ camera: Camera, nearest: Double = 7) -> [Vec] {
        places.map { ($0, camera.view($0).z) }.filter { $0.1 > nearest }.sorted { $0.1 > $1.1 }.map(
            \.0)
    }
}

/// A tree, or a rock.
struct Tree {
    var mood: Mood
    var isFir: Bool
    var isRock = false

    /// Paints one with its foot at `foot`.
    func paint(_ canvas: inout Canvas, _ camera: Camera, _ foot: Vec, _ seed: inout Seed) {
        let height = isRock ? seed.value(0.5...2.2) : seed.value(5...10)
        let tint = seed.value(-0.12...0.18)
        guard let base = camera.project(foot) else { return }
        let unit = camera.scale(at: foot)
        let far = smoothstep(20, 130, camera.view(foot).z) * 0.6
        let plain = isRock ? mood.hills[mood.hills.count - 1] : mood.foliage
        let ink = (tint > 0 ? plain.lighter(tint) : plain.darker(-tint)).mixed(mood.haze, far)
        guard base.x > -height * unit, base.x < canvas.right + height * unit else { return }
        let size = height * unit
        if isRock {
            let corners = [
                Point(-0.9, 0), Point(-0.6, -0.7), Point(0.1, -1), Point(0.7, -0.5), Point(1, 0),
            ]
            canvas.fill(.polygon(corners.map { base + $0 * size }), ink)
            canvas.fill(
                .polygon(
                    [corners[1], corners[2], corners[3], Point(0.1, -0.4)].map { base + $0 * size }),
                ink.lighter(0.25))
        } else if isFir {
            fir(&canvas, base, size, ink)
        } else {
            crown(&canvas, base, size, ink, &seed)
        }
    }

    private func fir(_ canvas: inout Canvas, _ base: Point, _ size: Double, _ ink: Ink) {
        for tier in 0..<4 {
            let low = 0.12 + Double(tier) * 0.2
            let wide = 0.26 - Double(tier) * 0.05
            canvas.fill(
                .polygon([
                    base + Point(-wide, -low) * size, base + Point(0, -low - 0.34) * size,
                    base + Point(wide, -low) * size,
                ]), ink.lighter(Double(tier) * 0.05))
        }
        canvas.fill(
            .rect(base.x - size * 0.03, base.y - size * 0.14, size * 0.06, size * 0.14),
            ink.darker(0.5))
    }

    private func crown(
        _ canvas: inout Canvas, _ base: Point, _ size: Double, _ ink: Ink, _ seed: inout Seed
    ) {
        canvas.fill(
            .rect(base.x - size * 0.04, base.y - size * 0.4, size * 0.08, size * 0.4),
            ink.darker(0.55))
        for blob in 0..<5 {
            let place = base + Point(seed.value(-0.22...0.22), -0.45 - Double(blob) * 0.09) * size
            canvas.fill(
                .circle(place, size * seed.value(0.17...0.26)), ink.lighter(Double(blob) * 0.05))
        }
    }
}
