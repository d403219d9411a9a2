public import Dispatch

extension DispatchTime {
    /// The time at which a waiting test gives up; it only bounds hangs, so it is far beyond what the busiest machine takes.
    public static var testDeadline: DispatchTime { .now() + 300 }
}
