extension StoredHeader {
    /// A drawing has no pixels; its longer side has at least so many, so that a small one can be shown as large as wanted,
    /// and at most so many.
    private static let sides = 2048.0...4096.0

    /// Makes a size of an SVG's shape; nil if it is none.
    init?(svg bytes: [UInt8]) {
        guard let (width, height) = SVGRoot(bytes)?.size else { return nil }
        let longer = max(width, height)
        let scale = min(max(longer, Self.sides.lowerBound), Self.sides.upperBound) / longer
        self.init(
            width: max(1, Int((width * scale).rounded())),
            height: max(1, Int((height * scale).rounded())))
        isInterlaced = true
    }
}
