/// The errors that the cells already drawn leave to those that come.
struct CarriedErrors {
    private let share: Float
    /// One cell more at both ends, so that errors may fall off the edge.
    private var current: [SIMD4<Float>]
    private var next: [SIMD4<Float>]

    /// An error beyond this is no longer a matter of rounding but a colour that the palette lacks; passing all of it on
    /// would smear it over the whole row.
    private static let limit = SIMD4<Float>(repeating: 100)

    init(columns: Int, share: Float) {
        self.share = share / 16
        current = Array(repeating: .zero, count: columns + 2)
        next = current
    }

    /// Goes on to the row below.
    mutating func beginRow() {
        swap(&current, &next)
        for index in next.indices { next[index] = .zero }
    }

    /// What column `x` has to make up for.
    func due(at x: Int) -> SIMD4<Float> { current[x + 1] }

    /// In sixteenths: 7 to the right, 3 below to the left, 5 below, 1 below to the right.
    mutating func spread(_ error: SIMD4<Float>, from x: Int) {
        let part = error.clamped(lowerBound: -Self.limit, upperBound: Self.limit) * share
        current[x + 2] += part * 7
        next[x] += part * 3
        next[x + 1] += part * 5
        next[x + 2] += part
    }
}
