/// How a picture is turned to be looked at: mirrored left to right first, then by quarters clockwise.
public struct Turn: Hashable, Sendable {
    /// Quarters clockwise, 0…3.
    public private(set) var quarters = 0
    /// Whether left and right change places before that.
    public private(set) var isMirrored = false

    /// Mirrored or not, then turned by so many quarters clockwise.
    public init(quarters: Int = 0, isMirrored: Bool = false) {
        self.isMirrored = isMirrored
        rotate(by: quarters)
    }

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

    /// Copies the RGBA `pixels` of a picture of `size`, turned, to where as many bytes are.
    public func copy(
        _ pixels: UnsafeRawPointer, of size: PixelSize, to target: UnsafeMutableRawBufferPointer
    ) {
        guard self != Turn() else {
            return target.copyMemory(
                from: UnsafeRawBufferPointer(start: pixels, count: target.count))
        }
        let seen = turned(size)
        let walk = walk(over: size)
        var offset = 0
        for y in 0..<seen.height {
            var source = walk.start + y * walk.perRow
            for _ in 0..<seen.width {
                // Unaligned: neither C libraries nor arrays promise more than bytes.
                let pixel = pixels.loadUnaligned(fromByteOffset: source * 4, as: UInt32.self)
                target.storeBytes(of: pixel, toByteOffset: offset, as: UInt32.self)
                source += walk.perColumn
                offset += 4
            }
        }
    }

    /// The steps through a picture of `size` that meet its pixels in the order in which they are seen: where the left top one lies,
    /// and how far, in pixels, it is to the next column and the next row.
    private func walk(over size: PixelSize) -> (start: Int, perColumn: Int, perRow: Int) {
        let along = isMirrored ? -1 : 1
        let (left, right) = isMirrored ? (size.width - 1, 0) : (0, size.width - 1)
        let bottom = (size.height - 1) * size.width
        return switch quarters {
        case 1: (left + bottom, -size.width, along)
        case 2: (right + bottom, -along, -size.width)
        case 3: (right, size.width, -along)
        default: (left, along, size.width)
        }
    }
}

extension PixelBuffer {
    /// The picture turned; a copy of every pixel unless it stays as it is.
    public func turned(_ turn: Turn) -> PixelBuffer {
        guard turn != Turn() else { return self }
        let turned = [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
            bytes.withUnsafeBytes {
                guard let pixels = $0.baseAddress else { return }
                turn.copy(pixels, of: size, to: UnsafeMutableRawBufferPointer(target))
                count = bytes.count
            }
        }
        return PixelBuffer(size: turn.turned(size), bytes: turned, isOpaque: isOpaque)
    }
}
