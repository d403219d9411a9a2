import Glibc
import Synchronization

/// Numbers that are given out once, on any thread.
private let count = Atomic<Int>(0)

/// A name for a file that nobody else uses.
func scratchName() -> String {
    "\(count.wrappingAdd(1, ordering: .relaxed).newValue).out"
}

/// Removes a file; whether there was one does not matter.
func unlinkFile(_ path: String) {
    _ = unlink(path)
}
