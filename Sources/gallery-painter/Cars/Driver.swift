/// A driver's head and shoulders, as seen over a cockpit's rim.
enum Driver {
    /// Adds a driver whose head is at `head`, in a full-face helmet.
    static func addHelmet(to model: inout Model, head: Vec, ink: Ink, stripe: Ink) {
        model.add(
            .sphere(head - Vec(0.02, 0.26, 0), Vec(0.2, 0.17, 0.25)), Coat(stripe.darker(0.2)))
        let shell = Coat(gloss: 0.6) { position, normal in
            let up = position.y - head.y
            if normal.x > 0.25 && up > -0.035 && up < 0.055 { return Ink(0x10141C) }
            return abs(position.z) < 0.04 || (up > 0.07 && up < 0.1) ? stripe : ink
        }
        model.add(.sphere(head, Vec(0.165, 0.16, 0.145)), shell)
    }

    /// Adds a driver in a leather cap, with goggles.
    static func addCap(to model: inout Model, head: Vec, jersey: Ink) {
        model.add(.sphere(head - Vec(0.05, 0.34, 0), Vec(0.2, 0.26, 0.27)), Coat(jersey))
        let face = Coat(gloss: 0.15) { position, normal in
            let up = position.y - head.y
            if up > 0.03 || normal.x < -0.1 { return Ink(0x5A3420) }
            if up > -0.03 && normal.x > 0.3 { return Ink(0x181818) }
            return Ink(0xD9A07A)
        }
        model.add(.sphere(head, Vec(0.135, 0.16, 0.125)), face)
    }
}
