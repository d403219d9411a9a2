import Raster

/// How a stored picture is to be turned to stand upright; the raw value is EXIF's.
enum Orientation: Int, CaseIterable {
    case upright = 1
    /// Left and right change places.
    case mirrored
    case halfTurn
    /// Top and bottom change places.
    case flipped
    /// Rows become columns; transversed: from the other corner.
    case transposed, quarterTurn, transversed, quarterTurnBack

    /// Whether width and height change places.
    var swapsSides: Bool { rawValue >= 5 }

    /// The upright size of a picture stored at `size`, and the other way round.
    func turned(_ size: PixelSize) -> PixelSize {
        swapsSides ? PixelSize(width: size.height, height: size.width) : size
    }

    /// The steps through a picture stored at `size` that meet its pixels in upright order: where the left top one lies, and
    /// how far, in pixels, it is to the next column and the next row.
    func walk(over size: PixelSize) -> (start: Int, perColumn: Int, perRow: Int) {
        let isFromRight = [.mirrored, .halfTurn, .transversed, .quarterTurnBack].contains(self)
        let isFromBottom = [.halfTurn, .flipped, .quarterTurn, .transversed].contains(self)
        let start =
            (isFromRight ? size.width - 1 : 0)
            + (isFromBottom ? (size.height - 1) * size.width : 0)
        let along = isFromRight ? -1 : 1
        let down = isFromBottom ? -size.width : size.width
        return swapsSides ? (start, down, along) : (start, along, down)
    }
}

extension PixelBuffer {
    /// Copies the RGBA `pixels` of a picture stored at `size`, turned upright.
    ///
    /// - Parameter mayBeClear: Whether alpha must be looked at to know if the picture is opaque.
    init(
        turning pixels: UnsafeRawPointer, size: PixelSize, _ orientation: Orientation,
        mayBeClear: Bool
    ) {
        let upright = orientation.turned(size)
        let count = size.width * size.height
        // The bits that are set in every pixel.
        var alphas: UInt32 = .max
        let bytes = [UInt8](unsafeUninitializedCapacity: count * 4) { target, filled in
            let target = UnsafeMutableRawBufferPointer(target)
            if orientation == .upright {
                target.copyMemory(from: UnsafeRawBufferPointer(start: pixels, count: count * 4))
            } else {
                Self.copy(pixels, upright, along: orientation.walk(over: size), to: target)
            }
            if mayBeClear {
                alphas = stride(from: 0, to: target.count, by: 4).reduce(UInt32.max) {
                    bits, offset in
                    bits & target.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                }
            }
            filled = count * 4
        }
        let alphaMask = UInt32(bigEndian: 0x0000_00FF)
        self.init(size: upright, bytes: bytes, isOpaque: alphas & alphaMask == alphaMask)
    }

    private static func copy(
        _ pixels: UnsafeRawPointer, _ upright: PixelSize,
        along walk: (start: Int, perColumn: Int, perRow: Int),
        to target: UnsafeMutableRawBufferPointer
    ) {
        var offset = 0
        for y in 0..<upright.height {
            var source = walk.start + y * walk.perRow
            for _ in 0..<upright.width {
                // Unaligned: the C library promises no more than bytes.
                let pixel = pixels.loadUnaligned(fromByteOffset: source * 4, as: UInt32.self)
                target.storeBytes(of: pixel, toByteOffset: offset, as: UInt32.self)
                source += walk.perColumn
                offset += 4
            }
        }
    }
}
