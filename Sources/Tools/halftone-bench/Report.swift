import Glibc

/// The output of the benchmarks: a block for each, a line per figure, and whether it keeps its limit.
struct Report {
    /// The number of failed checks.
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

    /// The checks so far, for reports in files.
    private(set) var checks: [Check] = []

    /// A figure with its limit.
    struct Check {
        var label: String
        var text: String
        var isKept: Bool
    }

    /// Prints `value`, its lower limit and whether it is kept.
    mutating func check(_ label: String, _ value: Double, atLeast limit: Double, unit: String = "")
    {
        note(label, value, "at least", limit, unit, isKept: value >= limit)
    }

    /// Prints `value`, its upper limit and whether it is kept.
    mutating func check(_ label: String, _ value: Double, atMost limit: Double, unit: String = "") {
        note(label, value, "at most", limit, unit, isKept: value <= limit)
    }

    private mutating func note(
        _ label: String, _ value: Double, _ side: String, _ limit: Double, _ unit: String,
        isKept: Bool
    ) {
        if !isKept { misses += 1 }
        let text = "\(value.short)\(unit)  (\(side) \(limit.short)\(unit): "
        line(label, text + (isKept ? "kept" : "MISSED") + ")")
        checks.append(
            Check(
                label: label, text: "\(value.short)\(unit) (\(side) \(limit.short)\(unit))",
                isKept: isKept))
    }
}

extension Double {
    /// The number with about three significant digits.
    var short: String {
        let digits = abs(self) >= 100 ? 1.0 : abs(self) >= 10 ? 10 : abs(self) >= 1 ? 100 : 1000
        return "\((self * digits).rounded() / digits)"
    }
}
