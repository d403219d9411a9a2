/// How long the frames of animations are shown.
public enum FrameDuration {
    /// Returns the milliseconds for a frame whose file, or decoder, says `stored`.
    ///
    /// As in browsers: up to 10 ms, which old programs wrote for "as fast as possible", becomes 100; the maximum is 50 frames a second.
    public static func shown(_ stored: Int) -> Int {
        stored <= 10 ? 100 : min(max(20, stored), 1 << 20)
    }
}
