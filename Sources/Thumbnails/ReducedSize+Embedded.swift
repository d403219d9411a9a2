import Raster

extension ReducedSize {
    /// Returns the smallest usable size of a picture embedded in the file; nil if none will do, since parts of a picture are viewed
    /// closely.
    ///
    /// Two pixels for each of the finest sub-pixels: cameras shrink code values and compress the result, which costs more than the ratio.
    /// Drawn from photographs' thumbnails of 160 × 120, tiles of 24 columns come within 39 to 42 dB of the file in half blocks, and within
    /// 36 to 39 in octants at 40 columns, where this rule ends; at a ratio of one it would be 33 to 35.
    func embeddedSize(of source: PixelSize) -> PixelSize? {
        size(of: source, finest: 2, grid: 1)
    }
}
