/// The fourth page: the long way home.
enum FourthPage {
    /// The plates, in order.
    static var plates: [Plate] { rowOne + rowTwo + rowThree + rowFour }

    private static var rowOne: [Plate] {
        [
            Plate(
                "Headwind", "1967-08-20", .landscape,
                "A yellow-nosed car of the sixties between firs",
                TrackShot(
                    cars: [Placed(Garage.classic(.sixties, .navy(17)))], eye: Vec(-4.5, 1.5, 6),
                    mood: .noon, roadside: .firs,
                    motion: .pan(8), fill: 0.78, middle: Point(0.52, 0.66))),
            Plate(
                "Coal and Ember", "1976-10-24", .portrait,
                "A poster: a black and gold car on slanted stripes",
                CarPoster(
                    car: Garage.formula(.seventies, .blackGold(5)), eye: Vec(7, 2.6, 3.4),
                    layout: .stripes,
                    inks: [Ink(0xE8B83A), Ink(0xD89A2A), Ink(0x1A1410)], title: "EMBER")),
            Plate(
                "Blue Hour", "2018-06-16", .wide,
                "Prototypes with their lamps lit, trees against the last light",
                TrackShot(
                    cars: [
                        Placed(Garage.closed(.prototype, .sunflower(8), lit: true)),
                        Placed(Garage.closed(.prototype, .sky(3), lit: true), at: Vec(-10, 0, 2.4)),
                    ], eye: Vec(8, 1.2, 1.6), mood: .night, roadside: .trees, motion: .zoom(0.05),
                    fill: 0.52,
                    middle: Point(0.54, 0.66), bend: 0.003)),
            Plate(
                "Dune Sea", "1991-01-06", .panorama,
                "A rally car crosses the dunes, dust behind it",
                TrackShot(
                    cars: [Placed(Garage.closed(.rally, .navy(25)))], eye: Vec(-1, 1.2, 9),
                    mood: .desert, roadside: .rocks,
                    weather: .dust(Ink(0xF6D8A4)), fill: 0.5, middle: Point(0.64, 0.64),
                    hasKerbs: false, sun: Point(0.24, 30),
                    sunSize: 9)),
            Plate(
                "The Engineer", "1984-03-25", .upright, "An engineer in a blue cap, grey moustache",
                Portrait(
                    sitter: .capped, skin: Ink(0xE0B08A), suit: Ink(0x2A6AB8), trim: Ink(0xF4F1E8),
                    hair: Ink(0x9A9690),
                    page: [Ink(0x6A2A3A), Ink(0xE8785A)], hasMoustache: true)),
            Plate(
                "Apex Predator", "2023-10-08", .square, "A lime prototype, nose to the kerb",
                TrackShot(
                    cars: [Placed(Garage.closed(.prototype, .lime(91)))], eye: Vec(5, 2.6, 5),
                    mood: .noon, roadside: .stands,
                    motion: .pan(3), fill: 0.92, middle: Point(0.5, 0.6), roll: 0.12)),
        ]
    }

    private static var rowTwo: [Plate] {
        [
            Plate(
                "Banners", "2009-09-13", .landscape, "A crowd in red and yellow",
                Crowd(
                    sky: [Ink(0xF2C878), Ink(0xFBEBC8)],
                    inks: [0xD8262C, 0xE8402C, 0xB81E2A, 0xF2B632, 0xF4EEE2, 0x8A1822],
                    flags: [0xD8262C, 0xF2B632], head: 17)),
            Plate(
                "Rain Light", "2007-09-30", .landscape,
                "A red lamp in the spray, a car from behind",
                TrackShot(
                    cars: [Placed(Garage.formula(.modern, .sky(4)))], eye: Vec(-7.5, 1.1, -1.2),
                    mood: .storm, roadside: .trees,
                    weather: .rain, fill: 0.5, middle: Point(0.5, 0.64))),
            Plate(
                "Sunday Best", "1929-06-30", .landscape,
                "A green car of the twenties on a country road",
                TrackShot(
                    cars: [Placed(Garage.classic(.thirties, .forest(1)))], eye: Vec(-1, 1.3, 8),
                    mood: .noon, roadside: .trees,
                    motion: .pan(5), fill: 0.76, middle: Point(0.5, 0.68), hasKerbs: false)),
            Plate(
                "Chequers", "2005-07-24", .square, "A red helmet with a band of chequers",
                HelmetStudy(
                    design: .chequers, shell: Ink(0xC8202E), second: Ink(0x16161A),
                    third: Ink(0xF8F4EA),
                    page: [Ink(0xE8ECF0), Ink(0xA8B4C4)],
                    visor: [Ink(0x1A1A20), Ink(0x6A7078), Ink(0xF4F8FA)], facesLeft: true)),
            Plate(
                "Neon Mile", "2023-11-19", .wide, "Trails of pink and blue light through a city",
                LightTrails(
                    bend: -0.005, coming: Ink(0x6AF0FF), going: Ink(0xFF3AA8), hasWheel: true)),
            Plate(
                "Two Wheels", "1963-10-13", .classic, "A little saloon leans hard into a bend",
                TrackShot(
                    cars: [
                        Placed(
                            Garage.closed(.saloon, .forest(55)), at: Vec(0, 0.12, 0), heading: 0.2,
                            roll: -0.16)
                    ],
                    eye: Vec(5, 1.0, -2.6), mood: .autumn, roadside: .trees, motion: .pan(2),
                    fill: 0.66,
                    middle: Point(0.5, 0.66))),
        ]
    }

    private static var rowThree: [Plate] {
        [
            Plate(
                "Harbour Chicane", "2016-05-29", .landscape,
                "An orange car by the yachts, from above the wall",
                TrackShot(
                    cars: [
                        Placed(Garage.formula(.modern, .tangerine(22))),
                        Placed(Garage.formula(.modern, .plum(23)), at: Vec(-8, 0, -1.5)),
                    ], eye: Vec(7, 2.4, 4.5), mood: .riviera, roadside: .harbour, fill: 0.62,
                    middle: Point(0.58, 0.7))),
            Plate(
                "Cold Tyres", "2014-03-16", .square, "Two tyres side by side, ringed in colour",
                Tyres(
                    rings: [0x3C8AE8, 0xF2C53A], inks: [Ink(0xC8A878), Ink(0x8A2A3A)],
                    areRolling: true)),
            Plate(
                "Summit Fever", "2017-06-25", .landscape,
                "A rally car below a road that climbs into the clouds",
                MountainPass(
                    mood: .dawn, car: Garage.closed(.rally, .tangerine(94)), turns: 4,
                    isRight: false)),
            Plate(
                "Cathedral Bend", "1938-07-24", .wide, "A silver car past tall houses",
                TrackShot(
                    cars: [Placed(Garage.classic(.thirties, .silver(26)))], eye: Vec(6.5, 1.4, -3),
                    mood: .noon, roadside: .city,
                    motion: .zoom(0.05), fill: 0.56, middle: Point(0.52, 0.64))),
            Plate(
                "Green, Green, Green", "2020-07-05", .panorama,
                "A long grid of cars under green lights",
                StartGrid(
                    cars: [
                        Garage.closed(.coupe, .lime(1)), Garage.closed(.coupe, .rose(2)),
                        Garage.closed(.coupe, .cobalt(3)),
                        Garage.closed(.coupe, .ivory(4)),
                    ], mood: .noon, isGo: true)),
            Plate(
                "Sleepless", "2012-06-17", .landscape, "A car in a tunnel of green lamps",
                Tunnel(
                    car: Garage.closed(.coupe, .plum(66), lit: true), wall: Ink(0x2A4A44),
                    lamp: Ink(0x7AF0B8),
                    eye: Vec(7, 1.2, -1.8))),
        ]
    }

    private static var rowFour: [Plate] {
        [
            Plate(
                "After the Flag", "2021-05-02", .portrait,
                "A driver after the race, bare-headed, smiling",
                Portrait(
                    sitter: .bareheaded, skin: Ink(0x8A5636), suit: Ink(0xF4F1E8),
                    trim: Ink(0xE85A8A), hair: Ink(0x1A1210),
                    page: [Ink(0xF2B84A), Ink(0xE8604A)], hasLongHair: true)),
            Plate(
                "White Out", "1985-01-27", .wide, "A green rally car in driving snow",
                TrackShot(
                    cars: [Placed(Garage.closed(.rally, .forest(6)), heading: 0.35)],
                    eye: Vec(5.5, 1.4, -4.5), mood: .snow,
                    roadside: .firs, weather: .snow, fill: 0.56, middle: Point(0.5, 0.64), half: 4,
                    hasKerbs: false)),
            Plate(
                "Figure of Eight", "1956-04-15", .upright,
                "A poster: the plan of a circuit on green",
                CircuitPoster(
                    corners: [
                        Point(8, 86), Point(8, 40), Point(14, 14), Point(34, 8), Point(40, 26),
                        Point(28, 48), Point(40, 58), Point(58, 30), Point(76, 10), Point(92, 22),
                        Point(86, 46), Point(66, 56), Point(70, 70), Point(92, 76), Point(88, 92),
                        Point(50, 88), Point(24, 96),
                    ], inks: [Ink(0x1A6A4A), Ink(0x16241E), Ink(0xF26A1B), Ink(0xFFF6E0)],
                    title: "SUMMER CUP")),
            Plate(
                "Cut-out No. 31", "1979-05-27", .wide, as: .png,
                "A single-seater of the seventies, cut out",
                CarPoster(
                    car: Garage.formula(.seventies, .sea(31)), eye: Vec(6, 2, -5), layout: .cutOut,
                    inks: [], fill: 0.94)),
            Plate(
                "Photo Finish", "1994-10-16", .wide,
                "Two coupes level at the line, the stand a blur",
                TrackShot(
                    cars: [
                        Placed(Garage.closed(.coupe, .tangerine(6))),
                        Placed(Garage.closed(.coupe, .navy(9)), at: Vec(0.9, 0, -3)),
                    ], eye: Vec(0.5, 1.7, 9), mood: .noon, roadside: .stands, motion: .pan(16),
                    fill: 0.6,
                    middle: Point(0.5, 0.68))),
            Plate(
                "The Road Home", "2024-09-29", .landscape, "A lone car into a violet evening",
                TrackShot(
                    cars: [Placed(Garage.closed(.coupe, .ivory(1)))], eye: Vec(-7.5, 1.5, 1.5),
                    mood: .dawn, roadside: .trees,
                    fill: 0.42, middle: Point(0.44, 0.72), bend: 0.006, sun: Point(0.66, 12),
                    sunSize: 11)),
        ]
    }
}
