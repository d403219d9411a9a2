/// A picture's orientation on the screen: mirrored left to right first, then rotated by quarter turns clockwise.
public struct Turn: Hashable, Sendable {
    /// Quarter turns clockwise, 0…3.
    public private(set) var quarters = 0
    /// Whether left and right are swapped before the rotation.
    public private(set) var isMirrored = false

    /// Creates a turn that mirrors first if asked to, then rotates by `quarters` clockwise.
    public init(quarters: Int = 0, isMirrored: Bool = false) {
        self.isMirrored = isMirrored
        rotate(by: quarters)
    }

    /// Whether width and height are swapped.
    public var swapsSides: Bool { quarters % 2 == 1 }

    /// Rotates the view by `count` quarter turns clockwise; negative counts rotate back.
    public mutating func rotate(by count: Int) { quarters = (quarters + count) & 3 }

    /// Flips the view top to bottom if `isVertical`, otherwise left to right.
    public mutating func flip(isVertical: Bool) {
        quarters = ((isVertical ? 6 : 4) - quarters) & 3
        isMirrored.toggle()
    }

    /// Returns this turn and then `other` as one.
    public func followed(by other: Turn) -> Turn {
        var both = self
        if other.isMirrored { both.flip(isVertical: false) }
        both.rotate(by: other.quarters)
        return both
    }

    /// Returns the displayed size of a picture of `size`, or the picture's size for a displayed one.
    public func turned(_ size: PixelSize) -> PixelSize {
        swapsSides ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Returns the part of the picture that is displayed as the part `seen` of the view.
    public func source(of seen: UnitRect) -> UnitRect {
        let right = 1 - seen.x - seen.width
        let bottom = 1 - seen.y - seen.height
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

    /// Copies the RGBA `pixels` of a picture of `size`, turned, to `target`, which must have the same number of bytes.
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
                // Unaligned, because neither C libraries nor arrays guarantee more than byte alignment.
                let pixel = pixels.loadUnaligned(fromByteOffset: source * 4, as: UInt32.self)
                target.storeBytes(of: pixel, toByteOffset: offset, as: UInt32.self)
                source += walk.perColumn
                offset += 4
            }
        }
    }

    /// Returns the walk through a picture of `size` in display order: the index of the top left pixel, and the distances in pixels to the
    /// next column and the next row.
    private func walk(over size: PixelSize) -> (start: Int, perColumn: Int, perRow: Int) {
        let width = size.width
        let along = isMirrored ? -1 : 1
        let (left, right) = isMirrored ? (width - 1, 0) : (0, width - 1)
        let bottom = (size.height - 1) * width
        return switch quarters {
        case 1: (left + bottom, -width, along)
        case 2: (right + bottom, -along, -width)
        case 3: (right, width, -along)
        default: (left, along, width)
        }
    }
}

extension PixelBuffer {
    /// Returns the picture turned; copies every pixel unless `turn` is the identity.
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
