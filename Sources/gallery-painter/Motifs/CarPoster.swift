import Glibc

/// A car on a printed page: flat colours, a disc, a title; or cut out, on nothing.
struct CarPoster: Motif {
    /// How the page is laid out.
    enum Layout {
        /// A disc behind the car.
        case disc
        /// Slanted stripes.
        case stripes
        /// A big start number.
        case number(String)
        /// Rays from the lower edge.
        case rays
        /// Nothing: the car is cut out.
        case cutOut
    }

    var car: Model
    var eye: Vec
    var layout: Layout
    /// Ground, figure, letters.
    var inks: [Ink]
    var title = ""
    var fill = 0.82
    var light = Light(
        Vec(0.4, 0.8, 0.6), key: 0xF4ECDC, sky: 0xA8B8D0, horizon: 0xFFFFFF, ground: 0x6A6058)

    func paint(_ canvas: inout Canvas, _ seed: inout Seed) {
        page(&canvas)
        let placed = [Placed(car)]
        let upright = canvas.bottom > canvas.right
        let camera = Camera.framing(
            placed, eye: eye, on: canvas,
            middle: Point(0.5, title.isEmpty ? 0.53 : upright ? 0.52 : 0.6),
            width: upright ? 0.93 : fill,
            height: 0.72)
        if case .cutOut = layout {
        } else {
            canvas.draw(
                Render.shadow(placed, camera, light, like: canvas, softness: 0.3), opacity: 0.45)
        }
        canvas.draw(Render.layer(placed, camera, light, like: canvas))
        guard !title.isEmpty else { return }
        canvas.title(
            title, y: canvas.bottom * 0.06, width: canvas.right * 0.86, height: upright ? 15 : 13,
            inks[2])
        if upright {
            canvas.fill(
                .rect(canvas.right * 0.07, canvas.bottom * 0.93, canvas.right * 0.86, 1.6), inks[2])
        }
    }

    private func page(_ canvas: inout Canvas) {
        let middle = canvas.center
        let reach = canvas.right + canvas.bottom
        switch layout {
        case .cutOut: return
        case .disc:
            canvas.flood(.solid(inks[0]))
            canvas.fill(.circle(middle, 39), inks[1])
            canvas.fill(.rect(0, middle.y + 20, canvas.right, canvas.bottom), inks[0].darker(0.25))
        case .stripes:
            canvas.flood(.solid(inks[0]))
            for index in -6..<12 where index % 2 == 0 {
                let x = Double(index) * 17
                canvas.fill(
                    .polygon([
                        Point(x, 0), Point(x + 17, 0), Point(x - 33, canvas.bottom),
                        Point(x - 50, canvas.bottom),
                    ]), inks[1])
            }
        case .number(let text):
            canvas.flood(.solid(inks[0]))
            canvas.title(
                text, y: canvas.bottom * 0.08, width: canvas.right * 0.86,
                height: canvas.bottom * 0.8, inks[1], bold: 0.2)
        case .rays:
            canvas.flood(.solid(inks[0]))
            let foot = Point(middle.x, canvas.bottom * 0.74)
            for ray in 0..<18 where ray % 2 == 0 {
                let angle = Double.pi * (1 + Double(ray) / 18)
                canvas.fill(
                    .polygon([
                        foot, foot + .polar(angle, reach), foot + .polar(angle + .pi / 18, reach),
                    ]), inks[1])
            }
            canvas.fill(.rect(0, foot.y, canvas.right, canvas.bottom), inks[0].darker(0.35))
        }
    }
}
