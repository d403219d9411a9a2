import Glibc

/// What the benchmarks print: a block each, a line a figure, and whether a figure keeps its limit.
struct Report {
    /// The checks that failed.
    private(set) var misses = 0

    /// Starts a block.
    func heading(_ text: String) {
        print("\n\(text)")
    }

    /// Prints one figure.
    func line(_ label: String, _ value: String) {
        print("  " + label + String(repeating: " ", count: max(1, 44 - label.count)) + value)
        fflush(nil)
    }

    /// Prints `value` with its limit and whether it keeps it.
    mutating func check(_ label: String, _ value: Double, atMost limit: Double, unit: String = "") {
        let isKept = value <= limit
        if !isKept { misses += 1 }
        line(
            label,
            "\(value.short)\(unit)  (at most \(limit.short)\(unit): \(isKept ? "kept" : "MISSED"))")
    }
}

extension Double {
    /// Three digits that count.
    var short: String {
        let digits = abs(self) >= 100 ? 1.0 : abs(self) >= 10 ? 10 : abs(self) >= 1 ? 100 : 1000
        return "\((self * digits).rounded() / digits)"
    }
}
