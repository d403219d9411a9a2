import Glibc

/// Events as JSON, one a line, the opening bracket before the first.
struct EventText {
    /// More of an address or an error tells nobody more, and it may be hostile.
    private static let longestString = 500

    private(set) var bytes: [UInt8] = []
    private let process: Int32

    init(process: Int32) {
        self.process = process
        add(
            "[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":\(process),\"args\":{\"name\":\"halftone\"}}"
        )
    }

    /// Everything written since the last call.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func laneName(_ lane: Int, _ name: StaticString, _ number: Int) {
        open("M", "thread_name", lane: lane)
        add(",\"args\":{\"name\":\"\(name) \(number)\"}}")
    }

    /// A complete event: start and length in nanoseconds.
    mutating func span(
        _ span: Lanes.Open, lane: Int, length: UInt64, outcome: String,
        figures: [(name: StaticString, value: Int)]
    ) {
        open("X", span.name, lane: lane, at: span.start)
        add(",\"dur\":")
        microseconds(length)
        add(",\"args\":{\"detail\":")
        string(span.detail)
        add(",\"outcome\":")
        string(outcome)
        for figure in figures {
            add(",\"\(figure.name)\":\(figure.value)")
        }
        add("}}")
    }

    mutating func counter(_ name: StaticString, _ value: Int, at time: UInt64) {
        open("C", name, lane: nil, at: time)
        add(",\"args\":{\"value\":\(value)}}")
    }

    /// An instant event of the whole process.
    mutating func mark(_ name: StaticString, detail: String, at time: UInt64) {
        open("i", name, lane: nil, at: time)
        add(",\"s\":\"p\",\"args\":{\"detail\":")
        string(detail)
        add("}}")
    }

    mutating func close() {
        add("\n]\n")
    }

    // MARK: - Parts

    /// The viewers hide thread 0, so lanes count from 1.
    private mutating func open(
        _ phase: String, _ name: StaticString, lane: Int?, at time: UInt64? = nil
    ) {
        add(
            ",\n{\"ph\":\"\(phase)\",\"name\":\"\(name)\",\"pid\":\(process),\"tid\":\((lane ?? -1) + 1)"
        )
        if let time {
            add(",\"ts\":")
            microseconds(time)
        }
    }

    /// With three decimals: the unit is prescribed, the clock is finer.
    private mutating func microseconds(_ nanoseconds: UInt64) {
        let fraction = String(nanoseconds % 1000)
        add("\(nanoseconds / 1000).")
        add(String(repeating: "0", count: 3 - fraction.count) + fraction)
    }

    private mutating func string(_ text: String) {
        add("\"")
        for scalar in text.unicodeScalars.prefix(Self.longestString) {
            switch scalar {
            case "\"", "\\":
                add("\\")
                bytes.append(UInt8(ascii: scalar))
            case "\u{0}"..<"\u{20}", "\u{7f}"..<"\u{a0}":
                // JSON asks for the first; all of them would reach the terminal of whoever prints the file.
                let digits = String(scalar.value, radix: 16)
                add("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default:
                bytes += UTF8.encode(scalar).map(Array.init) ?? []
            }
        }
        add("\"")
    }

    private mutating func add(_ text: String) {
        bytes += text.utf8
    }
}
