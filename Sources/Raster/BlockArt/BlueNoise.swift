import Glibc

/// A tile of thresholds without low frequencies: neighbours differ much, and no pattern shows.
///
/// Made by the void-and-cluster method (R. Ulichney, "The void-and-cluster method for dither array generation", 1993),
/// always the same one: a 32×32 tile is past seeing as a repeat, and takes a few milliseconds to make at first use.
struct BlueNoise: Sendable {
    /// The width and height of the tile.
    static let side = 32
    /// The one tile there is.
    static let tile = BlueNoise()

    /// By row and column: −½…½, each value once.
    let offsets: [Float]

    /// The offset at a pixel of an endless plane.
    @inline(__always)
    subscript(x: Int, y: Int) -> Float {
        offsets[(y & (Self.side - 1)) &* Self.side &+ (x & (Self.side - 1))]
    }

    /// Three offsets, for red, green and blue: from places far apart in the tile, so that hues are mixed too.
    @inline(__always)
    func color(_ x: Int, _ y: Int) -> SIMD4<Float> {
        SIMD4(self[x, y], self[x &+ 11, y &+ 19], self[x &+ 22, y &+ 6], 0)
    }

    private init() {
        var method = VoidAndCluster(side: Self.side)
        let ranks = method.ranks()
        let count = Float(ranks.count)
        offsets = ranks.map { (Float($0) + 0.5) / count - 0.5 }
    }
}

/// The ranking of a tile's points by the voids and clusters that they make.
private struct VoidAndCluster {
    private let side: Int
    /// What a point adds to the energy of another by their distance on the torus: a Gaussian of 1.5 pixels.
    private let influence: [Float]
    private var isSet: [Bool]
    private var energy: [Float]

    init(side: Int) {
        self.side = side
        influence = (0..<side * side).map { index in
            let x = min(index % side, side - index % side)
            let y = min(index / side, side - index / side)
            return expf(-Float(x * x + y * y) / (2 * 1.5 * 1.5))
        }
        isSet = Array(repeating: false, count: side * side)
        energy = Array(repeating: 0, count: side * side)
    }

    /// The rank of each point: 0 is the first to be set.
    mutating func ranks() -> [Int] {
        scatter()
        let start = (isSet, energy)
        var ranks = [Int](repeating: 0, count: isSet.count)
        let set = isSet.count { $0 }
        for rank in (0..<set).reversed() {
            let cluster = extreme(of: true)
            toggle(cluster)
            ranks[cluster] = rank
        }
        (isSet, energy) = start
        for rank in set..<isSet.count {
            let void = extreme(of: false)
            toggle(void)
            ranks[void] = rank
        }
        return ranks
    }

    /// A tenth of the points, moved from clusters to voids until none is better moved.
    private mutating func scatter() {
        // Starts from steps by the golden ratio: repeatable, and nearly even.
        for step in 0..<isSet.count / 10 {
            let place = (step * 618_034) % 1_000_000 * isSet.count / 1_000_000
            if !isSet[place] { toggle(place) }
        }
        for _ in 0..<isSet.count {
            let cluster = extreme(of: true)
            toggle(cluster)
            let void = extreme(of: false)
            toggle(void)
            if void == cluster { return }
        }
    }

    /// The tightest of the set points, or the widest void of the others.
    private func extreme(of wanted: Bool) -> Int {
        var best = -1
        for index in isSet.indices where isSet[index] == wanted {
            if best < 0 || (wanted ? energy[index] > energy[best] : energy[index] < energy[best]) {
                best = index
            }
        }
        return best
    }

    private mutating func toggle(_ place: Int) {
        isSet[place].toggle()
        let sign: Float = isSet[place] ? 1 : -1
        let column = place % side
        let row = place / side
        for y in 0..<side {
            for x in 0..<side {
                let distance = (y - row + side) % side * side + (x - column + side) % side
                energy[y * side + x] += sign * influence[distance]
            }
        }
    }
}
