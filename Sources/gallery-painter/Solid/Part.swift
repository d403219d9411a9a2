import Glibc

/// What a surface looks like.
struct Coat: Sendable {
    /// The colour at a place of the model with a given normal, both before the model is placed.
    var ink: @Sendable (Vec, Vec) -> Ink
    /// How much it mirrors, 0…1.
    var gloss: Double
    /// Whether it shines by itself.
    var isLamp: Bool

    /// One colour all over.
    init(_ ink: Ink, gloss: Double = 0, isLamp: Bool = false) {
        self.ink = { _, _ in ink }
        self.gloss = gloss
        self.isLamp = isLamp
    }

    /// A colour by place.
    init(gloss: Double, ink: @escaping @Sendable (Vec, Vec) -> Ink) {
        self.ink = ink
        self.gloss = gloss
        self.isLamp = false
    }

    static let rubber = Coat(Ink(0x1A1A1E), gloss: 0.06)
    static let carbon = Coat(Ink(0x202228), gloss: 0.3)
    static let chrome = Coat(Ink(0xB8BCC4), gloss: 0.8)
    static let glass = Coat(Ink(0x18222E), gloss: 0.75)
    static let pit = Coat(Ink(0x08080A))
}

/// A mesh and its surface.
struct Part {
    var mesh: Mesh
    var coat: Coat
}

/// Parts that make a thing.
struct Model {
    var parts: [Part] = []

    /// Adds a part.
    mutating func add(_ mesh: Mesh, _ coat: Coat) {
        parts.append(Part(mesh: mesh, coat: coat))
    }

    /// Adds a part and its mirror image on the other side of the car.
    mutating func addPair(_ mesh: Mesh, _ coat: Coat) {
        add(mesh, coat)
        let flip = Vec(1, 1, -1)
        add(
            Mesh(
                positions: mesh.positions.map { $0 * flip },
                normals: mesh.normals.map { $0 * flip },
                triangles: mesh.triangles), coat)
    }
}

/// A model and where it stands.
struct Placed {
    var model: Model
    /// Where its origin is.
    var at: Vec
    /// Which way it points, radians from x towards z.
    var heading: Double
    /// Nose up, radians; for jumps.
    var pitch: Double
    /// Leaning to its right, radians.
    var roll: Double
    /// 1 is life size.
    var size: Double

    init(
        _ model: Model, at: Vec = .zero, heading: Double = 0, pitch: Double = 0, roll: Double = 0,
        size: Double = 1
    ) {
        self.model = model
        self.at = at
        self.heading = heading
        self.pitch = pitch
        self.roll = roll
        self.size = size
    }

    /// A point of the model, in the world.
    func place(_ point: Vec) -> Vec { turn(point * size) + at }

    /// A direction of the model, in the world.
    func turn(_ v: Vec) -> Vec {
        let (cp, sp) = (cos(pitch), sin(pitch))
        let pitched = Vec(v.x * cp - v.y * sp, v.x * sp + v.y * cp, v.z)
        let (cr, sr) = (cos(roll), sin(roll))
        let rolled = Vec(
            pitched.x, pitched.y * cr - pitched.z * sr, pitched.y * sr + pitched.z * cr)
        return rolled.yawed(heading)
    }
}
