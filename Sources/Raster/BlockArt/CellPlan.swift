/// A picture cut into cells.
struct CellPlan {
    let pixels: PixelBuffer
    let blocks: BlockSet
    let subpixels: PixelSize
    let size: CellSize

    init(_ pixels: PixelBuffer, _ blocks: BlockSet) {
        self.pixels = pixels
        self.blocks = blocks
        subpixels = blocks.subpixels
        size = CellSize(
            columns: pixels.size.width / subpixels.width,
            rows: pixels.size.height / subpixels.height)
    }

    /// Makes each cell from its sub-pixels, row by row, and from its left neighbour (nil in the first column).
    func map(_ draw: (UnsafeBufferPointer<RGB>, Cell?) -> Cell) -> CellGrid {
        var grid = CellGrid(size: size)
        let count = subpixels.width * subpixels.height
        withUnsafeTemporaryAllocation(of: RGB.self, capacity: count) { scratch in
            scratch.initialize(repeating: RGB(0))
            pixels.bytes.withUnsafeBufferPointer { bytes in
                for y in 0..<size.rows {
                    var left: Cell?
                    for x in 0..<size.columns {
                        read(bytes, x, y, into: scratch)
                        let cell = draw(UnsafeBufferPointer(scratch), left)
                        grid.cells[y &* size.columns &+ x] = cell
                        left = cell
                    }
                }
            }
        }
        return grid
    }

    @inline(__always)
    private func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ x: Int, _ y: Int,
        into scratch: UnsafeMutableBufferPointer<RGB>
    ) {
        var index = 0
        for row in 0..<subpixels.height {
            var start =
                ((y &* subpixels.height &+ row) &* pixels.size.width &+ x &* subpixels.width) &* 4
            for _ in 0..<subpixels.width {
                scratch[index] = RGB(
                    red: bytes[start], green: bytes[start &+ 1], blue: bytes[start &+ 2])
                index &+= 1
                start &+= 4
            }
        }
    }
}
