/// The second page: people and machines.
enum SecondPage {
    /// The plates, in order.
    static var plates: [Plate] { rowOne + rowTwo + rowThree + rowFour }

    private static var rowOne: [Plate] {
        [
            Plate(
                "Tunnel Vision", "2019-05-26", .landscape, "A rose car bursts out of a lit tunnel",
                Tunnel(
                    car: Garage.formula(.modern, .rose(18)), wall: Ink(0x5A4A3A),
                    lamp: Ink(0xFFC85A))),
            Plate(
                "Nine Thousand", "1971-09-05", .square, "A rev counter close to the red",
                Instrument(
                    kind: .revs,
                    inks: [Ink(0x8A1E22), Ink(0x14161A), Ink(0xF4F1E8), Ink(0xFF5A2A)], needle: 0.78
                )),
            Plate(
                "Stop and Go", "2023-03-19", .landscape,
                "A crew in orange around a car on its jacks",
                PitStop(
                    car: Garage.formula(.modern, .navy(1)), suit: Ink(0xF26A1B),
                    helmet: Ink(0xF4F1E8), wall: Ink(0xDCE0E6),
                    stripe: Ink(0x14244E))),
            Plate(
                "Grand Prix de la Baie", "1958-05-18", .portrait,
                "A poster: a red car, rays, a title",
                CarPoster(
                    car: Garage.classic(.thirties, .crimson(6)), eye: Vec(6, 1.6, 4), layout: .rays,
                    inks: [Ink(0x1E6A8A), Ink(0xF6D890), Ink(0xFFF6E0)], title: "LA BAIE")),
            Plate(
                "The Climb", "1962-08-26", .landscape,
                "A green coupe below a road that winds up the mountain",
                MountainPass(mood: .noon, car: Garage.closed(.saloon, .ivory(41)))),
            Plate(
                "Standing Room", "2014-07-20", .wide, "Spectators with flags, shoulder to shoulder",
                Crowd(sky: [Ink(0x4A9AD8), Ink(0xD8ECF4)])),
        ]
    }

    private static var rowTwo: [Plate] {
        [
            Plate(
                "The Rookie", "2024-02-29", .upright, "A young driver, bare-headed, in green",
                Portrait(
                    sitter: .bareheaded, skin: Ink(0xC88A5A), suit: Ink(0x0F6A4A),
                    trim: Ink(0xF2C53A), hair: Ink(0x1A1412),
                    page: [Ink(0xE85A3A), Ink(0xF8D8A8)])),
            Plate(
                "Spray", "2016-09-04", .landscape, "A pale car and its cloud of water, from behind",
                TrackShot(
                    cars: [Placed(Garage.formula(.modern, .turquoise(44)))], eye: Vec(7, 1.0, -2.6),
                    mood: .storm,
                    roadside: .stands, motion: .zoom(0.08), weather: .rain, fill: 0.7,
                    middle: Point(0.52, 0.66))),
            Plate(
                "Elm Straight", "1937-06-27", .wide,
                "Two cars between the wars race down an avenue",
                TrackShot(
                    cars: [
                        Placed(Garage.classic(.thirties, .crimson(3))),
                        Placed(Garage.classic(.thirties, .sea(9)), at: Vec(-6.5, 0, -2.6)),
                    ], eye: Vec(6.5, 1.0, 2.6), mood: .autumn, roadside: .trees,
                    motion: .zoom(0.06), fill: 0.5, middle: Point(0.62, 0.66))),
            Plate(
                "Office Hours", "2022-08-28", .landscape,
                "Gloves on a wheel full of buttons, a fast bend ahead",
                Cockpit(kind: .modern, mood: .noon, paint: Ink(0xC8102E), gloves: Ink(0xF4F1E8))),
            Plate(
                "Chevrons", "2012-04-15", .square, "A black helmet with three chevrons",
                HelmetStudy(
                    design: .chevron, shell: Ink(0x1E2028), second: Ink(0xF2C53A),
                    third: Ink(0xE8402C),
                    page: [Ink(0xF0B84A), Ink(0xD87A2A)],
                    visor: [Ink(0x3A1E5A), Ink(0xE85A8A), Ink(0xFFE0A0)], facesLeft: true)),
            Plate(
                "Coast Road", "1969-04-27", .panorama, "A blue coupe along the harbour wall",
                TrackShot(
                    cars: [Placed(Garage.closed(.coupe, .cobalt(14)))], eye: Vec(-1.5, 1.4, 9),
                    mood: .riviera,
                    roadside: .harbour, motion: .pan(4), fill: 0.52, middle: Point(0.44, 0.68))),
        ]
    }

    private static var rowThree: [Plate] {
        [
            Plate(
                "Soft, Medium, Hard", "2021-06-20", .landscape,
                "Stacks of tyres with red, yellow and white rings",
                Tyres(
                    rings: [0xE8301E, 0xF2C53A, 0xF4F1E8, 0x3CB46A],
                    inks: [Ink(0x6A7078), Ink(0x2A6AA8)])),
            Plate(
                "Night Stage", "2004-11-12", .landscape,
                "A rally car with every lamp lit, between firs",
                TrackShot(
                    cars: [Placed(Garage.closed(.rally, .sunflower(2), lit: true), heading: -0.3)],
                    eye: Vec(7, 1.1, 1.5),
                    mood: .night, roadside: .firs, weather: .dust(Ink(0x7A80A0)), fill: 0.55,
                    middle: Point(0.5, 0.62), half: 3.5,
                    hasKerbs: false)),
            Plate(
                "Champagne", "2017-10-08", .classic,
                "Three winners on the steps, confetti in the air",
                Podium(suits: [0xC8102E, 0x1E50B4, 0xF26A1B], mood: .noon)),
            Plate(
                "Seventy-Three", "1973-07-01", .upright, "A poster: a yellow car before its number",
                CarPoster(
                    car: Garage.formula(.seventies, .sunflower(73)), eye: Vec(7, 2.2, 4.2),
                    layout: .number("73"),
                    inks: [Ink(0xE8502C), Ink(0xF8D8A0), Ink(0xFFF6E0)])),
            Plate(
                "Rush Hour", "2020-12-06", .landscape,
                "White and red trails of light on a mountain night",
                LightTrails(
                    bend: -0.008, roadside: .firs, coming: Ink(0xCFE8FF), going: Ink(0xFF6A1E))),
            Plate(
                "Ring of Pines", "2011-10-16", .square, "Coupes around a wooded bend, from the air",
                FromAbove(
                    corners: [
                        Point(-40, -6), Point(-14, -12), Point(6, -9), Point(9, 4), Point(-4, 12),
                        Point(-12, 40),
                    ],
                    cars: [Garage.closed(.coupe, .tangerine(4)), Garage.closed(.coupe, .sky(5))],
                    start: 0.55, gap: 0.16,
                    mood: .noon, trees: 120)),
        ]
    }

    private static var rowFour: [Plate] {
        [
            Plate(
                "Ochre", "2015-01-11", .landscape,
                "A rally car and its plume of dust under red rocks",
                TrackShot(
                    cars: [Placed(Garage.closed(.rally, .turquoise(31)), heading: -0.25)],
                    eye: Vec(5.5, 1.2, 5),
                    mood: .desert, roadside: .rocks, weather: .dust(Ink(0xF0C890)), fill: 0.6,
                    middle: Point(0.6, 0.66), half: 5,
                    hasKerbs: false, sun: Point(0.76, 34))),
            Plate(
                "Quiet Hands", "1955-05-01", .landscape, "A wooden wheel, round dials, the Alps",
                Cockpit(
                    kind: .vintage, mood: .noon, paint: Ink(0xB8122A), gloves: Ink(0xC89A5A),
                    bend: -0.004, roadside: .firs)),
            Plate(
                "Overtake", "1988-04-03", .wide, "A white car draws level with a black one",
                TrackShot(
                    cars: [
                        Placed(Garage.formula(.eighties, .ivory(12))),
                        Placed(Garage.formula(.eighties, .blackGold(11)), at: Vec(-1.6, 0, -3)),
                    ], eye: Vec(4, 1.9, 8), mood: .noon, roadside: .stands, motion: .pan(8),
                    fill: 0.66,
                    middle: Point(0.54, 0.68))),
            Plate(
                "Old Town Loop", "1950-05-21", .portrait, "A poster: the plan of a circuit on blue",
                CircuitPoster(
                    corners: [
                        Point(10, 92), Point(6, 50), Point(12, 10), Point(40, 6), Point(52, 18),
                        Point(44, 34), Point(24, 40), Point(26, 54), Point(60, 50), Point(70, 26),
                        Point(84, 20), Point(94, 40), Point(84, 60), Point(58, 68), Point(62, 80),
                        Point(90, 82), Point(88, 96), Point(46, 94),
                    ], inks: [Ink(0x1E4A8A), Ink(0x2A2C34), Ink(0xF2C53A), Ink(0xFFF6E4)],
                    title: "OLD TOWN")),
            Plate(
                "Cut-out No. 12", "2008-09-14", .wide, as: .png, "A prototype, cut out",
                CarPoster(
                    car: Garage.closed(.prototype, .tangerine(12)), eye: Vec(6, 2, 5),
                    layout: .cutOut, inks: [], fill: 0.94)),
            Plate(
                "Last of the Light", "1996-11-03", .landscape, "A silver coupe against a huge sun",
                TrackShot(
                    cars: [Placed(Garage.closed(.coupe, .silver(77)))], eye: Vec(1, 0.8, 9),
                    mood: .dusk, roadside: .open,
                    motion: .pan(2), fill: 0.66, middle: Point(0.5, 0.72), sun: Point(0.5, 8),
                    sunSize: 26)),
        ]
    }
}
