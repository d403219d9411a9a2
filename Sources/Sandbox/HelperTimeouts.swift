/// How long a helper may take, in seconds, before it is ended, above all one that hangs; what most decoders enforce themselves, as rows of
/// a picture allow, is `DecodeLimits.seconds`.
public enum HelperTimeouts {
    /// The wall-clock time for each second of CPU time that is allowed.
    static let wallSeconds = 3.0
    /// The time within which a helper that computes gets some CPU time, even on a busy machine: one that does not is stopped or sleeps.
    static let standstill = 5.0
    /// Milliseconds between checks for cancellation and timeout: longer than most decodes.
    static let pollInterval: Int32 = 20
    /// The CPU time beyond the limit that most decoders enforce themselves, after which the kernel ends the helper.
    public static let grace = 1.0
    /// The CPU time of a drawing, whose decoder cannot interrupt itself.
    public static let drawing = 4.0
    /// The CPU time of a drawing that is not to be heavy.
    public static let lightDrawing = 0.3
    /// The CPU time of an animation's frame; a slower animation is not played, since it would not look animated.
    public static let frame = 2.0
}
