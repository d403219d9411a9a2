/// The first page: what the place is about, one of each kind.
enum FirstPage {
    /// The plates, in order.
    static var plates: [Plate] { rowOne + rowTwo + rowThree + rowFour }

    private static var rowOne: [Plate] {
        [
            Plate(
                "First Light", "2023-05-13", .landscape,
                "A red single-seater at dawn, nose to the lens",
                TrackShot(
                    cars: [Placed(Garage.formula(.modern, .crimson(27)))], eye: Vec(6, 1.2, 4.4),
                    mood: .dawn,
                    roadside: .open, motion: .zoom(0.05), fill: 0.86, middle: Point(0.5, 0.68),
                    sun: Point(0.22, 15), sunSize: 9)),
            Plate(
                "The Old Master", "1968-06-02", .portrait, "A driver in a leather cap, goggles up",
                Portrait(
                    sitter: .pioneer, skin: Ink(0xE8B48A), suit: Ink(0xE8E0CC), trim: Ink(0xC8202E),
                    hair: Ink(0x6A3A20),
                    page: [Ink(0x1E5A6A), Ink(0xF2B84A)], hasMoustache: true)),
            Plate(
                "Blue Riband", "2019-06-16", .wide,
                "A pale blue prototype flat out under the trees",
                TrackShot(
                    cars: [Placed(Garage.closed(.prototype, .sky(20)))], eye: Vec(3.5, 1.1, 8),
                    mood: .noon,
                    roadside: .trees, motion: .pan(9), fill: 0.8, middle: Point(0.5, 0.66))),
            Plate(
                "Hairpin, Lap One", "2021-09-05", .landscape,
                "Three cars nose to tail through a hairpin, from the air",
                FromAbove(
                    corners: Self.hairpin,
                    cars: [
                        Garage.formula(.modern, .crimson(1)), Garage.formula(.modern, .sky(2)),
                        Garage.formula(.modern, .sunflower(3)),
                    ], mood: .noon)),
            Plate(
                "Sunburst", "2020-02-21", .square, "A white helmet with a rising sun",
                HelmetStudy(
                    design: .sunburst, shell: Ink(0xF4F1E8), second: Ink(0xE8402C),
                    third: Ink(0xF2C53A),
                    page: [Ink(0x1E6A9A), Ink(0x0E2A4A)],
                    visor: [Ink(0x0A1A3A), Ink(0x2A86C8), Ink(0xE8F6FA)])),
            Plate(
                "Harbour Front", "1966-05-22", .landscape,
                "A green car of the sixties along the quay",
                TrackShot(
                    cars: [Placed(Garage.classic(.sixties, .forest(4)))], eye: Vec(5, 1.9, 6),
                    mood: .riviera,
                    roadside: .harbour, fill: 0.8, middle: Point(0.5, 0.68))),
        ]
    }

    private static var rowTwo: [Plate] {
        [
            Plate(
                "Five Red Lights", "2022-07-03", .classic, "The grid, a breath before the start",
                StartGrid(
                    cars: [
                        Garage.formula(.modern, .navy(8)), Garage.formula(.modern, .tangerine(14)),
                        Garage.formula(.modern, .turquoise(21)),
                        Garage.formula(.modern, .crimson(5)),
                    ], mood: .noon)),
            Plate(
                "Dust Devil", "1987-01-14", .wide, "A rally car leaps a crest in the desert",
                TrackShot(
                    cars: [
                        Placed(
                            Garage.closed(.rally, .rally(8)), at: Vec(0, 0.45, 0), heading: 0.1,
                            pitch: 0.12)
                    ],
                    eye: Vec(6, 0.8, 5), mood: .desert, roadside: .rocks,
                    weather: .dust(Ink(0xEBC084)), fill: 0.55,
                    middle: Point(0.56, 0.58), half: 4, hasKerbs: false, sun: Point(0.2, 40))),
            Plate(
                "Second Skin", "2024-03-09", .upright,
                "A driver looks out of a white and orange helmet",
                Portrait(
                    sitter: .helmeted, skin: Ink(0x9A6240), suit: Ink(0xF26A1B),
                    trim: Ink(0xF4F1E8), hair: Ink(0x1A1210),
                    page: [Ink(0x14244E), Ink(0x2A86C8)])),
            Plate(
                "Seconds of Night", "2018-06-17", .panorama,
                "Head and tail lamps, drawn out by a long exposure",
                LightTrails(bend: 0.006, hasWheel: true)),
            Plate(
                "Black and Gold", "1977-08-14", .landscape,
                "A black car with a tall air box in the rain",
                TrackShot(
                    cars: [Placed(Garage.formula(.seventies, .blackGold(7)))],
                    eye: Vec(9, 1.5, 1.5), mood: .storm,
                    roadside: .trees, motion: .zoom(0.1), weather: .rain, fill: 0.62,
                    middle: Point(0.5, 0.6))),
            Plate(
                "Victory Lap", "2022-10-30", .landscape, as: .gif, "The chequered flag in the wind",
                Flag(phase: 0, sky: Self.flagSky), Flag(phase: 1 / 6, sky: Self.flagSky),
                Flag(phase: 2 / 6, sky: Self.flagSky), Flag(phase: 3 / 6, sky: Self.flagSky),
                Flag(phase: 4 / 6, sky: Self.flagSky), Flag(phase: 5 / 6, sky: Self.flagSky)),
        ]
    }

    private static var rowThree: [Plate] {
        [
            Plate(
                "Silver on the Avenue", "1934-07-15", .landscape,
                "A silver car between autumn trees",
                TrackShot(
                    cars: [Placed(Garage.classic(.thirties, .silver(12)))], eye: Vec(6, 1.2, 4),
                    mood: .autumn,
                    roadside: .trees, motion: .pan(3), fill: 0.72, middle: Point(0.5, 0.62))),
            Plate(
                "White Line Fever", "2017-01-22", .landscape,
                "A rally car sideways through fresh snow",
                TrackShot(
                    cars: [Placed(Garage.closed(.rally, .tangerine(11)), heading: 0.5)],
                    eye: Vec(6, 1.5, 1),
                    mood: .snow, roadside: .firs, weather: .snow, fill: 0.62,
                    middle: Point(0.48, 0.62), half: 4,
                    hasKerbs: false, isAlpine: true)),
            Plate(
                "Gold", "2016-11-27", .upright, "A gold cup in falling confetti",
                Trophy(
                    form: .goblet, metal: Ink(0xF2C044), page: [Ink(0xB8243E), Ink(0x4A0E24)],
                    confetti: 60)),
            Plate(
                "Evening Chase", "1989-09-24", .landscape,
                "A white and red car throws sparks at dusk",
                TrackShot(
                    cars: [Placed(Garage.formula(.eighties, .ivory(5)))], eye: Vec(-5.5, 1.2, 4.6),
                    mood: .dusk,
                    roadside: .open, motion: .zoom(0.05), weather: .sparks, fill: 0.8,
                    middle: Point(0.52, 0.68), sun: Point(0.7, 15), sunSize: 11)),
            Plate(
                "Little Giant", "1964-01-19", .square, "A small red saloon in the mountains",
                TrackShot(
                    cars: [Placed(Garage.closed(.saloon, .crimson(37)))], eye: Vec(5, 1.1, 3.4),
                    mood: .noon,
                    roadside: .firs, motion: .pan(2), fill: 0.72, middle: Point(0.5, 0.64),
                    isAlpine: true)),
            Plate(
                "Full House", "2023-07-09", .panorama, "A red car past a full grandstand",
                TrackShot(
                    cars: [Placed(Garage.formula(.modern, .sunflower(63)))], eye: Vec(0, 1.3, 10),
                    mood: .noon,
                    roadside: .stands, motion: .pan(12), fill: 0.56, middle: Point(0.52, 0.68))),
        ]
    }

    private static var rowFour: [Plate] {
        [
            Plate(
                "Team Orders", "2024-04-20", .square, "A driver in a team cap",
                Portrait(
                    sitter: .capped, skin: Ink(0xF0C4A0), suit: Ink(0x14244E), trim: Ink(0xE8402C),
                    hair: Ink(0x8A4A20),
                    page: [Ink(0xE8C07A), Ink(0xF8F0DC)], hasLongHair: true)),
            Plate(
                "Three Abreast", "2020-09-06", .wide,
                "A blue coupe leads two rivals out of the last corner",
                TrackShot(
                    cars: [
                        Placed(Garage.closed(.coupe, .cobalt(33))),
                        Placed(Garage.closed(.coupe, .sunflower(92)), at: Vec(-6, 0, 3)),
                        Placed(Garage.closed(.coupe, .crimson(51)), at: Vec(-7, 0, -3.4)),
                    ], eye: Vec(8, 1.7, 2.2), mood: .noon, roadside: .stands, motion: .zoom(0.06),
                    fill: 0.5, middle: Point(0.54, 0.66))),
            Plate(
                "Cut-out No. 5", "2015-03-28", .square, as: .png, "A turquoise helmet, cut out",
                HelmetStudy(
                    design: .bands, shell: Ink(0x14A89A), second: Ink(0xF8F2E0),
                    third: Ink(0xF05A4A), page: [],
                    visor: [Ink(0x1E1446), Ink(0xD8443C), Ink(0xFFD08A)], facesLeft: true)),
            Plate(
                "Midnight Shift", "2018-06-16", .landscape, as: .webp,
                "A prototype with its lamps lit between dark houses",
                TrackShot(
                    cars: [Placed(Garage.closed(.prototype, .lime(6), lit: true))],
                    eye: Vec(7.5, 1.2, 2), mood: .night,
                    roadside: .city, motion: .zoom(0.1), fill: 0.7, middle: Point(0.5, 0.66))),
            Plate(
                "Into the Sun", "2021-11-21", .landscape, "A car from behind, the sun low ahead",
                TrackShot(
                    cars: [Placed(Garage.formula(.modern, .sea(16)))], eye: Vec(-8, 1.15, 1.2),
                    mood: .dusk,
                    roadside: .open, fill: 0.56, middle: Point(0.42, 0.7), bend: 0.003,
                    sun: Point(0.6, 14), sunSize: 16)),
            Plate(
                "The Esses", "2022-05-15", .wide, "Coupes thread a double bend, from the air",
                FromAbove(
                    corners: Self.esses,
                    cars: [
                        Garage.closed(.coupe, .crimson(9)), Garage.closed(.coupe, .cobalt(10)),
                        Garage.closed(.coupe, .ivory(11)),
                    ], start: 0.6, gap: 0.12, mood: .autumn)),
        ]
    }

    /// A blue day for flags.
    static var flagSky: [Ink] { [Ink(0x5AA8E0), Ink(0x5AA8E0)] }

    /// A bend back on itself.
    static var hairpin: [Point] {
        [
            Point(-50, -15), Point(-25, -12), Point(0, -9), Point(13, -1), Point(8, 9),
            Point(-10, 10), Point(-45, 22),
        ]
    }

    /// Left, right, left.
    static var esses: [Point] {
        [
            Point(-50, 12), Point(-26, 6), Point(-10, -7), Point(6, -4), Point(14, 8), Point(28, 8),
            Point(50, -14),
        ]
    }
}
