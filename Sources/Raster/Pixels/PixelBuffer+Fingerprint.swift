extension PixelBuffer {
    /// A hash of the picture's look, which changes in few bits when the picture is scaled or compressed; 0 if it is flat.
    ///
    /// A difference hash: of 9 × 8 means of the picture, whether each is brighter than the one on its left.
    public var fingerprint: UInt64 {
        let means = resampled(to: PixelSize(width: 9, height: 8)).composited(over: RGB(0xFFFFFF))
        let grey = means.lightness.map(Int.init)
        var hash: UInt64 = 0
        var contrast = 0
        for place in grey.indices where place % 9 > 0 {
            let step = grey[place] - grey[place - 1]
            hash = hash << 1 | (step > 0 ? 1 : 0)
            contrast += abs(step)
        }
        // Of 255 for each of 64 steps; with less a picture cannot be told from others.
        return contrast < 150 ? 0 : hash
    }
}
