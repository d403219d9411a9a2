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

    /// Makes each cell from its sub-pixels, its column and row, and its left neighbour (nil in the first column).
    ///
    /// Goes row by row from the left.
    func map(_ draw: (_ parts: CellSearch.Parts, _ x: Int, _ y: Int, _ left: Cell?) -> Cell)
        -> CellGrid
    {
        var grid = CellGrid(size: size)
        let count = subpixels.width * subpixels.height
        withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: count) { scratch in
            scratch.initialize(repeating: .zero)
            pixels.bytes.withUnsafeBufferPointer { bytes in
                for y in 0..<size.rows {
                    var left: Cell?
                    for x in 0..<size.columns {
                        read(bytes, x, y, into: scratch)
                        let cell = draw(scratch, x, y, left)
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
        into scratch: CellSearch.Parts
    ) {
        var index = 0
        for row in 0..<subpixels.height {
            var start =
                ((y &* subpixels.height &+ row) &* pixels.size.width &+ x &* subpixels.width) &* 4
            for _ in 0..<subpixels.width {
                scratch[index] = SIMD4(
                    Float(bytes[start]), Float(bytes[start &+ 1]), Float(bytes[start &+ 2]), 0)
                index &+= 1
                start &+= 4
            }
        }
    }
}
