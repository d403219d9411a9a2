/// A fixed set of well-known names; asking is one look at a bit.
public struct NameSet: Sendable {
    /// A bit for each of the 256 names that may be well known.
    private var bits: SIMD4<UInt64> = .zero

    /// Makes a set; the names must be among the well-known ones.
    public init(_ names: [String]) {
        for name in names {
            guard let id = Name.wellKnownIDs[name], id < 256 else {
                preconditionFailure("\(name) is not well known")
            }
            bits[Int(id) / 64] |= 1 << UInt64(id % 64)
        }
    }

    /// Whether the name is in it.
    public func contains(_ name: Name) -> Bool {
        name.id < 256 && bits[Int(name.id) / 64] >> UInt64(name.id % 64) & 1 == 1
    }
}
