/// Cars on a road, from any side, in any weather: the work of the photographer at the fence.
struct TrackShot: Motif {
    /// How the speed shows.
    enum Motion {
        case still
        /// The camera follows; the background smears by so many scene units.
        case pan(Double)
        /// The cars come or go; the picture rushes past them.
        case zoom(Double)
    }

    /// The cars, the first one the hero.
    var cars: [Placed]
    /// Where the camera stands, from the hero's middle, metres.
    var eye: Vec
    var mood: Mood
    var roadside: Roadside
    var motion = Motion.still
    var weather = Weather.dry
    /// How wide the hero is, as a part of the picture.
    var fill = 0.78
    /// Where the hero is, in parts of the picture.
    var middle = Point(0.5, 0.6)
    var bend = 0.0
    var roll = 0.0
    var half = 6.0
    var hasKerbs = true
    var isAlpine = false
    var sun = Point(0.72, 15)
    /// The sun's radius.
    var sunSize = 7.0
    /// Others who stand about: mechanics, marshals.
    var people: [Placed] = []

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        let hero = cars[0]
        let camera = Camera.framing(
            [hero], eye: hero.at + eye, on: canvas, middle: middle, width: fill,
            height: fill * 0.95, roll: roll)
        backdrop(&canvas, camera, &seed)
        switch motion {
        case .still: break
        case .pan(let amount): canvas.panBlur(amount)
        case .zoom(let strength):
            canvas.zoomBlur(
                around: Point(canvas.right, canvas.bottom) * middle, strength: strength, still: 12)
        }
        canvas.draw(
            Render.shadow(cars + people, camera, mood.light, like: canvas),
            opacity: mood.isDark ? 0.75 : 0.62)
        if case .rain = weather { mirror(&canvas, camera) }
        let far = Array(cars.dropFirst())
        weather.paintBehind(&canvas, far, camera, &seed)
        if !far.isEmpty { canvas.draw(Render.layer(far, camera, mood.light, like: canvas)) }
        if eye.x > 0 { weather.paintBehind(&canvas, [hero], camera, &seed) }
        canvas.draw(Render.layer([hero] + people, camera, mood.light, like: canvas))
        if eye.x <= 0 { weather.paintBehind(&canvas, [hero], camera, &seed) }
        lamps(&canvas, camera)
        weather.paintBefore(&canvas, cars, camera, &seed)
        canvas.vignette(0.35)
    }

    private func backdrop(_ canvas: inout Canvas, _ camera: Camera, _ seed: inout Seed) {
        let horizon = camera.horizon
        Sky(mood: mood, horizon: horizon, sun: sun, size: sunSize, clouds: 4).paint(&canvas, &seed)
        Hills(mood: mood, horizon: horizon, height: isAlpine ? 30 : 13, isAlpine: isAlpine).paint(
            &canvas, &seed)
        var road = Road(mood: mood, camera: camera, half: half, bend: bend, hasKerbs: hasKerbs)
        if case .rain = weather { road.isWet = true }
        road.paint(&canvas)
        roadside.paint(&canvas, road, &seed)
    }

    /// The cars upside down in a wet road.
    private func mirror(_ canvas: inout Canvas, _ camera: Camera) {
        let flipped = cars.map { car -> Placed in
            var copy = car
            for index in copy.model.parts.indices {
                copy.model.parts[index].mesh.positions = copy.model.parts[index].mesh.positions.map
                { $0 * Vec(1, -1, 1) }
            }
            return copy
        }
        var layer = Render.layer(flipped, camera, mood.light, like: canvas)
        layer.soften(0.6)
        canvas.draw(layer, opacity: 0.45)
    }

    /// The glow around whatever shines on the cars.
    private func lamps(_ canvas: inout Canvas, _ camera: Camera) {
        for car in cars {
            for part in car.model.parts where part.coat.isLamp {
                let sum = part.mesh.positions.reduce(Vec.zero, +)
                let middle = sum / Double(part.mesh.positions.count)
                let isTail = middle.x < 0
                let gaze = car.turn(Vec(1, 0, 0)).dot(camera.eye - car.at)
                guard isTail != (gaze > 0), let spot = camera.project(car.place(middle)) else {
                    continue
                }
                let size = camera.scale(at: car.at) * (isTail ? 0.5 : mood.isDark ? 0.8 : 0.42)
                let glow = part.coat.ink(middle, middle).faded(mood.isDark ? 0.45 : 0.4)
                canvas.flood(.glow(spot, size, glow), .add)
            }
        }
    }
}
