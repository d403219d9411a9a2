/// A seeded source of chance, so that a picture is the same on every run.
///
/// SplitMix64, by Steele, Lea and Flood (2014).
struct Seed {
    private var state: UInt64

    /// Starts a sequence; the same number gives the same sequence.
    init(_ number: Int) {
        state = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1
    }

    /// The next 64 bits.
    mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in 0..<1.
    mutating func unit() -> Double {
        Double(bits() >> 11) * 0x1p-53
    }

    /// A number in `range`.
    mutating func value(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// A whole number in `range`.
    mutating func whole(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(bits() % UInt64(range.count))
    }

    /// True with the given probability.
    mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// One of `choices`, which must not be empty.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[whole(0...choices.count - 1)]
    }
}
