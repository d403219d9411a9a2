/// How a picture is turned to be looked at: mirrored left to right first, then by quarters clockwise.
public struct Turn: Hashable, Sendable {
    /// Quarters clockwise, 0…3.
    public private(set) var quarters = 0
    /// Whether left and right change places before that.
    public private(set) var isMirrored = false

    /// As it is.
    public init() {}

    /// Whether width and height change places.
    public var swapsSides: Bool { quarters % 2 == 1 }

    /// Turns what is seen by `count` quarters clockwise, back if negative.
    public mutating func rotate(by count: Int) { quarters = ((quarters + count) % 4 + 4) % 4 }

    /// Swaps left and right of what is seen, or top and bottom.
    public mutating func flip(isVertical: Bool) {
        quarters = ((isVertical ? 6 : 4) - quarters) % 4
        isMirrored.toggle()
    }

    /// The size that is seen of a picture of `size`, and the other way round.
    public func turned(_ size: PixelSize) -> PixelSize {
        swapsSides ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Where the part `seen` of what is seen lies in the picture.
    public func source(of seen: UnitRect) -> UnitRect {
        let (right, bottom) = (1 - seen.x - seen.width, 1 - seen.y - seen.height)
        var part =
            switch quarters {
            case 1: UnitRect(x: seen.y, y: right, width: seen.height, height: seen.width)
            case 2: UnitRect(x: right, y: bottom, width: seen.width, height: seen.height)
            case 3: UnitRect(x: bottom, y: seen.x, width: seen.height, height: seen.width)
            default: seen
            }
        if isMirrored { part.x = 1 - part.x - part.width }
        return part
    }
}

extension PixelBuffer {
    /// The picture turned; a copy of every pixel unless it stays as it is.
    public func turned(_ turn: Turn) -> PixelBuffer {
        guard turn != Turn() else { return self }
        let seen = turn.turned(size)
        // Where the pixel on the left top lies, and how far it is to the next column and row, in pixels of the source.
        let along = turn.isMirrored ? -1 : 1
        let (left, right) = turn.isMirrored ? (size.width - 1, 0) : (0, size.width - 1)
        let bottom = (size.height - 1) * size.width
        let (start, perColumn, perRow) =
            switch turn.quarters {
            case 1: (left + bottom, -size.width, along)
            case 2: (right + bottom, -along, -size.width)
            case 3: (right, size.width, -along)
            default: (left, along, size.width)
            }
        let turned = [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
            var offset = 0
            for y in 0..<seen.height {
                var source = (start + y * perRow) * 4
                for _ in 0..<seen.width {
                    for channel in 0..<4 {
                        target.initializeElement(at: offset + channel, to: bytes[source + channel])
                    }
                    source += perColumn * 4
                    offset += 4
                }
            }
            count = offset
        }
        return PixelBuffer(size: seen, bytes: turned, isOpaque: isOpaque)
    }
}
