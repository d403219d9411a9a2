/// An hour and a country: every colour of a scene that is not a car's.
struct Mood {
    /// From the zenith to the horizon.
    var sky: [Ink]
    /// The sun's or moon's disc; nil hides it.
    var sun: Ink?
    /// Hills from far to near.
    var hills: [Ink]
    var ground: Ink
    var road: Ink
    var foliage: Ink
    /// The two colours of the kerbs.
    var kerbs: [Ink]
    var light: Light
    /// Whether windows, lamps and headlights are lit.
    var isDark = false

    init(
        sky: [UInt32], sun: UInt32?, hills: [UInt32], ground: UInt32, road: UInt32, foliage: UInt32,
        kerbs: [UInt32] = [0xD8262C, 0xF4EEE2], light: Light, isDark: Bool = false
    ) {
        self.sky = sky.map { Ink($0) }
        self.sun = sun.map { Ink($0) }
        self.hills = hills.map { Ink($0) }
        self.ground = Ink(ground)
        self.road = Ink(road)
        self.foliage = Ink(foliage)
        self.kerbs = kerbs.map { Ink($0) }
        self.light = light
        self.isDark = isDark
    }

    /// The colour that distance fades everything to.
    var haze: Ink { sky[sky.count - 1] }
}

extension Light {
    init(_ toward: Vec, key: UInt32, sky: UInt32, horizon: UInt32, ground: UInt32) {
        self.init(
            toward: toward.unit, key: Ink(key), sky: Ink(sky), horizon: Ink(horizon),
            ground: Ink(ground))
    }
}

/// The hours and countries of the gallery.
extension Mood {
    static var noon: Mood {
        Mood(
            sky: [0x2E78C8, 0x7DB8E8, 0xDDEFF4], sun: nil, hills: [0x8FB4C8, 0x5E93A0, 0x3C7A5C],
            ground: 0x4E9A3E, road: 0x5A5E66, foliage: 0x2C6E3A,
            light: Light(
                Vec(0.35, 0.8, 0.6), key: 0xE8DCC8, sky: 0x86B4E4, horizon: 0xF6F4EA,
                ground: 0x55584C))
    }

    static var dawn: Mood {
        Mood(
            sky: [0x3A3E78, 0xB0648A, 0xF79C78, 0xFFD9A0], sun: 0xFFF2C8,
            hills: [0xC07890, 0x8A5480, 0x543A66],
            ground: 0x4A4658, road: 0x4C4458, foliage: 0x3A2E52,
            light: Light(
                Vec(-0.05, 0.6, 0.7), key: 0xFFD8A8, sky: 0xB49CC0, horizon: 0xFFD0A0,
                ground: 0x5A4450))
    }

    static var dusk: Mood {
        Mood(
            sky: [0x1E1446, 0x6A1E62, 0xD8443C, 0xFFA63E], sun: 0xFFE27A,
            hills: [0x8A2A50, 0x561C4A, 0x2C1238],
            ground: 0x2C1A34, road: 0x38243E, foliage: 0x1E0E2C, kerbs: [0xE84A30, 0xFFD9A0],
            light: Light(
                Vec(-0.4, 0.4, 0.4), key: 0xFFAA66, sky: 0x7A4A8A, horizon: 0xFFB060,
                ground: 0x48263C))
    }

    static var storm: Mood {
        Mood(
            sky: [0x20262E, 0x46525C, 0x8A979C, 0xC4CCC8], sun: nil,
            hills: [0x74848A, 0x546468, 0x36464A],
            ground: 0x3C4E46, road: 0x566068, foliage: 0x22332E, kerbs: [0xC03A34, 0xD8D8D0],
            light: Light(
                Vec(0.2, 0.9, 0.4), key: 0x98A0A0, sky: 0xA8B4BC, horizon: 0xE4E8E4,
                ground: 0x404A4E))
    }

    static var night: Mood {
        Mood(
            sky: [0x050818, 0x0A1636, 0x1C2F66, 0x43508C], sun: 0xF2F0DC,
            hills: [0x1C2850, 0x121C3C, 0x0A1228],
            ground: 0x0C1426, road: 0x1C2236, foliage: 0x070E1C, kerbs: [0xC82A30, 0xD8DCEC],
            light: Light(
                Vec(0.3, 0.8, 0.55), key: 0xE8E4D0, sky: 0x5468A0, horizon: 0xA8B8F0,
                ground: 0x1E2438),
            isDark: true)
    }

    static var desert: Mood {
        Mood(
            sky: [0x1F86B8, 0x7CC4CC, 0xF6DFA6], sun: 0xFFF6D8,
            hills: [0xD89A6A, 0xC0713F, 0x9A4A2C],
            ground: 0xD99A4E, road: 0xC4823F, foliage: 0x7A6A34, kerbs: [0xD8262C, 0xF4EEE2],
            light: Light(
                Vec(0.5, 0.7, 0.5), key: 0xFFE6B8, sky: 0x98BCC8, horizon: 0xFFE8B8,
                ground: 0x9A6434))
    }

    static var snow: Mood {
        Mood(
            sky: [0x3E78B4, 0x9CC6E4, 0xF0F2EE], sun: 0xFFFBEA,
            hills: [0xB8CCE0, 0x8CA8C8, 0x6A88AC],
            ground: 0xEAF0F6, road: 0xC4D2E2, foliage: 0x1E4038,
            light: Light(
                Vec(0.5, 0.5, 0.6), key: 0xFFF0D8, sky: 0x98B8E0, horizon: 0xFFFFFF,
                ground: 0xA8B8D0))
    }

    static var autumn: Mood {
        Mood(
            sky: [0x7A98A8, 0xD8C8A0, 0xF8E6B8], sun: 0xFFF4D0,
            hills: [0xC89858, 0xA8642E, 0x70401F],
            ground: 0xA88A3E, road: 0x5C5450, foliage: 0xC2551E,
            light: Light(
                Vec(-0.4, 0.55, 0.6), key: 0xFFDDA8, sky: 0xB4B0A0, horizon: 0xFFEBC0,
                ground: 0x64502E))
    }

    static var riviera: Mood {
        Mood(
            sky: [0x1F9AC8, 0x74CCDC, 0xFBE9C8], sun: nil, hills: [0x86B0A8, 0x5F9488, 0x3F7A68],
            ground: 0x1C8FB0, road: 0x6A6870, foliage: 0x2E7A58,
            light: Light(
                Vec(0.4, 0.75, 0.5), key: 0xFFEAC8, sky: 0x90C4DC, horizon: 0xFFF6DC,
                ground: 0x5A5E60))
    }
}
