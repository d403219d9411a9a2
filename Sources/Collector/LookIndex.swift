public import Gallery

/// The pictures on this machine by their look.
public struct LookIndex: Sendable {
    /// The pictures' fingerprints, one after another in memory, so that 100,000 are compared in a fraction of a millisecond.
    private let fingerprints: [UInt64]
    /// The pictures, the largest first.
    private let pictures: [IndexedPicture]

    /// Creates an index of `pictures` without the flat ones.
    public init(_ pictures: [IndexedPicture]) {
        self.pictures = pictures.filter { $0.fingerprint != 0 }
            .sorted { $0.pixelCount > $1.pixelCount }
        fingerprints = self.pictures.map(\.fingerprint)
    }

    /// Returns the pictures that look like the one with this fingerprint, the largest first.
    public func pictures(like fingerprint: UInt64) -> [IndexedPicture] {
        fingerprint == 0
            ? []
            : fingerprints.indices.filter {
                // The fingerprints of pictures alike differ in no more bits.
                (fingerprints[$0] ^ fingerprint).nonzeroBitCount <= 4
            }.map { pictures[$0] }
    }
}
