public import Dispatch

extension DispatchTime {
    /// When a test that waits for something gives up: bounds a hang, and nothing else, so it is far beyond what the busiest machine takes.
    public static var endOfPatience: DispatchTime { .now() + 300 }
}
