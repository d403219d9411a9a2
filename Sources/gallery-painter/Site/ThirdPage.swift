/// The third page: weather and places.
enum ThirdPage {
    /// The plates, in order.
    static var plates: [Plate] { rowOne + rowTwo + rowThree + rowFour }

    private static var rowOne: [Plate] {
        [
            Plate(
                "Alpine Start", "1965-07-11", .landscape,
                "A blue car of the sixties under snowy peaks",
                TrackShot(
                    cars: [Placed(Garage.classic(.sixties, .sea(2)))], eye: Vec(6, 1.1, 3.6),
                    mood: .snow, roadside: .firs,
                    motion: .pan(2), fill: 0.74, middle: Point(0.5, 0.68), isAlpine: true)),
            Plate(
                "Visor Down", "2023-11-18", .portrait, "A driver looks out of a violet helmet",
                Portrait(
                    sitter: .helmeted, skin: Ink(0xF0C4A0), suit: Ink(0x5A2A8A),
                    trim: Ink(0xF2D24A), hair: Ink(0x6A3A1A),
                    page: [Ink(0x14806A), Ink(0x5AD0B0)])),
            Plate(
                "Monsoon", "2010-04-18", .wide, "Three cars in a wall of water",
                TrackShot(
                    cars: [
                        Placed(Garage.formula(.modern, .sunflower(7))),
                        Placed(Garage.formula(.modern, .crimson(10)), at: Vec(-9, 0, 2.6)),
                        Placed(Garage.formula(.modern, .cobalt(19)), at: Vec(-14, 0, -2.4)),
                    ], eye: Vec(9, 1.7, 1.8), mood: .storm, roadside: .open, weather: .rain,
                    fill: 0.46,
                    middle: Point(0.6, 0.68), bend: 0.004)),
            Plate(
                "Lantern Street", "2019-09-22", .landscape,
                "A car under the lamps of a city at night",
                TrackShot(
                    cars: [Placed(Garage.formula(.modern, .tangerine(3)))], eye: Vec(6, 2, -4.4),
                    mood: .night, roadside: .city,
                    motion: .zoom(0.07), weather: .sparks, fill: 0.8, middle: Point(0.5, 0.66))),
            Plate(
                "Goggles Up", "1931-05-10", .square, "A woman in a leather cap and a blue scarf",
                Portrait(
                    sitter: .pioneer, skin: Ink(0xF2CCA8), suit: Ink(0x8A6A4A), trim: Ink(0x2A6AB8),
                    hair: Ink(0x4A2A18),
                    page: [Ink(0xD8A03A), Ink(0xF8E8C0)], hasLongHair: true)),
            Plate(
                "Slipstream", "2022-09-11", .panorama, "Two prototypes, one in the other's wake",
                TrackShot(
                    cars: [
                        Placed(Garage.closed(.prototype, .crimson(50))),
                        Placed(Garage.closed(.prototype, .sky(7)), at: Vec(-5.6, 0, -0.6)),
                    ], eye: Vec(-3, 1.5, 10), mood: .dawn, roadside: .trees, motion: .pan(7),
                    fill: 0.36,
                    middle: Point(0.72, 0.68), sun: Point(0.3, 12))),
        ]
    }

    private static var rowTwo: [Plate] {
        [
            Plate(
                "Sand and Chrome", "1957-03-24", .landscape,
                "A silver car of the thirties in the desert",
                TrackShot(
                    cars: [Placed(Garage.classic(.thirties, .silver(22)))], eye: Vec(5, 1.5, 6),
                    mood: .desert, roadside: .open,
                    weather: .dust(Ink(0xF4D4A0)), fill: 0.66, middle: Point(0.58, 0.66),
                    hasKerbs: false, sun: Point(0.2, 30))),
            Plate(
                "Lights Out", "2024-05-05", .landscape, "Five green lights over the field",
                StartGrid(
                    cars: [
                        Garage.formula(.eighties, .rose(1)), Garage.formula(.eighties, .forest(2)),
                        Garage.formula(.eighties, .sky(3)),
                        Garage.formula(.eighties, .sunflower(4)),
                    ], mood: .dusk, isGo: true, roadside: .open)),
            Plate(
                "Blue Wheel", "2003-06-08", .upright,
                "A poster: a pale blue prototype in an orange disc",
                CarPoster(
                    car: Garage.closed(.prototype, .sky(1)), eye: Vec(6.5, 1.6, 4.4), layout: .disc,
                    inks: [Ink(0xF4E8D0), Ink(0xF2701B), Ink(0x16202E)], title: "LONG NIGHT")),
            Plate(
                "Ice Breaker", "1999-02-13", .wide, "A rally car airborne over a frozen crest",
                TrackShot(
                    cars: [
                        Placed(
                            Garage.closed(.rally, .crimson(1)), at: Vec(0, 0.6, 0), heading: -0.15,
                            pitch: 0.16, roll: 0.06)
                    ],
                    eye: Vec(5.5, 0.7, 5.5), mood: .snow, roadside: .firs, weather: .snow,
                    fill: 0.6, middle: Point(0.54, 0.56),
                    half: 4, hasKerbs: false, isAlpine: true, sun: Point(0.2, 30))),
            Plate(
                "Harbour Tunnel", "1970-05-10", .landscape,
                "Daylight at the end of a tunnel, a car against it",
                Tunnel(
                    car: Garage.formula(.seventies, .crimson(2)), wall: Ink(0x4A5A6A),
                    lamp: Ink(0xE8F4FF),
                    daylight: Ink(0xBFE8F8), eye: Vec(-7, 1.3, 1.2))),
            Plate(
                "Hats Off", "1953-08-02", .landscape,
                "A crowd in the evening sun, dark against the sky",
                Crowd(
                    sky: [Ink(0x6A1E62), Ink(0xE8503C), Ink(0xFFC45A)],
                    flags: [0xF2C53A, 0xF4F1E8], head: 15, isBacklit: true)),
        ]
    }

    private static var rowThree: [Plate] {
        [
            Plate(
                "Twin Halves", "2018-08-26", .square, "A two-tone helmet in coral and ink",
                HelmetStudy(
                    design: .halves, shell: Ink(0x1E2E5A), second: Ink(0xF26A5A),
                    third: Ink(0xF8F4EA),
                    page: [Ink(0xF4D8C0), Ink(0xE8A890)],
                    visor: [Ink(0x0A0E1E), Ink(0x3A6AB8), Ink(0xF8F0D8)])),
            Plate(
                "Switchback", "2013-05-04", .landscape,
                "A field of single-seaters through a double bend, from the air",
                FromAbove(
                    corners: [
                        Point(-48, -16), Point(-20, -12), Point(-6, 0), Point(-2, 9), Point(10, 10),
                        Point(16, 0), Point(26, -8),
                        Point(50, -10),
                    ],
                    cars: [
                        Garage.formula(.modern, .rose(1)), Garage.formula(.modern, .lime(2)),
                        Garage.formula(.modern, .cobalt(3)),
                        Garage.formula(.modern, .ivory(4)),
                    ], start: 0.72, gap: 0.1, mood: .desert, eye: Vec(10, 60, 34), trees: 40)),
            Plate(
                "Push", "1986-07-13", .landscape, "Mechanics push a car home at dusk",
                TrackShot(
                    cars: [Placed(Garage.formula(.eighties, .navy(6)))], eye: Vec(2, 1.0, 9),
                    mood: .dusk, roadside: .open,
                    fill: 0.6, middle: Point(0.56, 0.72), sun: Point(0.3, 12), sunSize: 14,
                    people: [
                        Placed(
                            Figure(pose: .pushing, suit: Ink(0xF4F1E8), helmet: Ink(0x3A2418))
                                .model(), at: Vec(-3.4, 0, 0.4)),
                        Placed(
                            Figure(pose: .pushing, suit: Ink(0xE8402C), helmet: Ink(0x1A1210))
                                .model(), at: Vec(-3.4, 0, -0.5)),
                        Placed(
                            Figure(pose: .pushing, suit: Ink(0xF2C53A), helmet: Ink(0x6A4020))
                                .model(), at: Vec(-1.0, 0, 1.2)),
                    ])),
            Plate(
                "One Hundredth", "1974-06-09", .upright, "A stopwatch on green cloth",
                Instrument(
                    kind: .stopwatch,
                    inks: [Ink(0x14583E), Ink(0xF8F4E8), Ink(0x1A1A20), Ink(0xC8202E)], needle: 0.14
                )),
            Plate(
                "Fog Lamps", "1959-06-21", .landscape, as: .webp,
                "A coupe with its lamps lit in the rain",
                TrackShot(
                    cars: [Placed(Garage.closed(.coupe, .forest(24), lit: true))],
                    eye: Vec(7.5, 1.1, -1.8), mood: .storm,
                    roadside: .trees, motion: .zoom(0.06), weather: .rain, fill: 0.62,
                    middle: Point(0.5, 0.66))),
            Plate(
                "Pass of the Seven Turns", "1961-09-10", .portrait,
                "A road in hairpins up an autumn mountain",
                MountainPass(mood: .autumn, car: Garage.classic(.sixties, .crimson(8)), turns: 7)),
        ]
    }

    private static var rowFour: [Plate] {
        [
            Plate(
                "Front Wing First", "2021-07-18", .classic,
                "A red car from low down, front wing first",
                TrackShot(
                    cars: [Placed(Garage.formula(.modern, .crimson(55)))], eye: Vec(7, 0.7, 0.9),
                    mood: .noon, roadside: .stands,
                    motion: .zoom(0.1), fill: 0.84, middle: Point(0.5, 0.6))),
            Plate(
                "Breakfast at the Quay", "1972-05-14", .wide, "A little saloon past the yachts",
                TrackShot(
                    cars: [Placed(Garage.closed(.saloon, .turquoise(19)))], eye: Vec(3.5, 1.3, 6),
                    mood: .riviera,
                    roadside: .harbour, motion: .pan(2), fill: 0.58, middle: Point(0.5, 0.68))),
            Plate(
                "Box, Box", "2022-04-10", .wide, "A crew in white around a dark car",
                PitStop(
                    car: Garage.formula(.modern, .lime(20)), suit: Ink(0xF4F1E8),
                    helmet: Ink(0xC8202E), wall: Ink(0x1E6A8A),
                    stripe: Ink(0xF2C53A), eye: Vec(-5.5, 3, 6.5))),
            Plate(
                "Sector Three", "1990-10-21", .landscape,
                "A violet car at the head of a long bend at dawn",
                TrackShot(
                    cars: [
                        Placed(Garage.formula(.eighties, .plum(27))),
                        Placed(Garage.formula(.eighties, .sunflower(28)), at: Vec(-9, 0, 1.2)),
                    ], eye: Vec(7, 1.3, 3), mood: .dawn, roadside: .trees, fill: 0.6,
                    middle: Point(0.58, 0.7), bend: 0.006,
                    sun: Point(0.2, 16), sunSize: 9)),
            Plate(
                "Mirror Lake", "1948-09-19", .square, "A poster: the plan of a circuit on coral",
                CircuitPoster(
                    corners: [
                        Point(6, 70), Point(20, 30), Point(34, 8), Point(50, 10), Point(46, 32),
                        Point(36, 52), Point(46, 62), Point(60, 52), Point(62, 24), Point(78, 10),
                        Point(94, 24), Point(92, 60), Point(80, 70), Point(86, 88), Point(70, 96),
                        Point(54, 82), Point(30, 84), Point(14, 92),
                    ], inks: [Ink(0xE8604A), Ink(0x2A2030), Ink(0x1E3A6A), Ink(0xFFF2DC)],
                    title: "MIRROR LAKE")),
            Plate(
                "After the Storm", "2000-08-27", .panorama,
                "A car alone on a wet straight, the sky breaking",
                TrackShot(
                    cars: [Placed(Garage.formula(.modern, .rose(9)))], eye: Vec(-6, 1.3, 5),
                    mood: .storm, roadside: .stands,
                    motion: .pan(3), weather: .rain, fill: 0.5, middle: Point(0.62, 0.66))),
        ]
    }
}
