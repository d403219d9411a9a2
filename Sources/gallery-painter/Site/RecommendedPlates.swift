/// What is recommended on the first page.
enum RecommendedPlates {
    /// The plates, in order.
    static var plates: [Plate] { rowOne + rowTwo }

    private static var rowOne: [Plate] {
        [
            Plate(
                "Silver Urn", "2010-08-01", .upright, "A silver cup on blue",
                Trophy(form: .urn, metal: Ink(0xC8CED8), page: [Ink(0x2A6AA8), Ink(0x0E2444)])),
            Plate(
                "Desert Classic", "1954-02-14", .portrait,
                "A poster: a turquoise saloon in a sun disc",
                CarPoster(
                    car: Garage.closed(.saloon, .turquoise(5)), eye: Vec(5, 1.4, 4), layout: .disc,
                    inks: [Ink(0xD8642C), Ink(0xF8D88A), Ink(0xFFF6E0)], title: "DESERT")),
            Plate(
                "Winner's Salver", "2013-06-23", .square, "A wide golden bowl on violet",
                Trophy(
                    form: .plate, metal: Ink(0xF2C044), page: [Ink(0x7A3A9A), Ink(0x2A1044)],
                    confetti: 30)),
            Plate(
                "Coastal Ring", "1960-07-03", .landscape, "A poster: the plan of a circuit on teal",
                CircuitPoster(
                    corners: [
                        Point(4, 60), Point(8, 26), Point(22, 10), Point(34, 24), Point(30, 46),
                        Point(40, 56), Point(52, 40), Point(54, 14), Point(70, 8), Point(92, 12),
                        Point(96, 34), Point(78, 44), Point(74, 58), Point(94, 66), Point(90, 88),
                        Point(66, 86), Point(50, 74), Point(28, 90), Point(10, 88),
                    ], inks: [Ink(0x148A8A), Ink(0x16282E), Ink(0xF26A5A), Ink(0xFFF6E4)],
                    title: "COASTAL RING")),
        ]
    }

    private static var rowTwo: [Plate] {
        [
            Plate(
                "Cut-out Cup", "2019-12-01", .upright, as: .png, "A golden cup, cut out",
                Trophy(form: .goblet, metal: Ink(0xF2C044), page: [])),
            Plate(
                "Rouge", "1952-06-22", .landscape, "A poster: a red car on cream stripes",
                CarPoster(
                    car: Garage.classic(.sixties, .crimson(1)), eye: Vec(4, 1.6, 7),
                    layout: .stripes,
                    inks: [Ink(0xF6EAD0), Ink(0xF0D8A8), Ink(0x8A1622)], title: "ROUGE")),
            Plate(
                "Red and White", "1998-04-26", .classic, "A flag in red and white",
                Flag(
                    phase: 0.3, sky: [Ink(0x1E2E5A), Ink(0x4A6AA8)], squares: (8, 6),
                    dark: Ink(0xC8202E))),
            Plate(
                "The Flute", "2022-11-20", .portrait, "A tall trophy in confetti",
                Trophy(
                    form: .flute, metal: Ink(0xE8D8B8), page: [Ink(0x1A8A6A), Ink(0x0A3A34)],
                    confetti: 50)),
        ]
    }
}
