extension TermInfo {
    /// The entry in the format of ncurses 6.1 and later, whose numbers have 32 bits.
    func compiled() -> [UInt8] {
        var writer = TermInfoWriter()
        let table = TermInfoWriter.table(of: strings)
        writer.shorts([
            0o1036, names.count + 1, booleans.count, numbers.count, strings.count,
            table.bytes.count,
        ])
        writer.bytes += names + [0] + booleans
        writer.align()
        writer.numbers(numbers)
        writer.shorts(table.offsets)
        writer.bytes += table.bytes
        writer.align()
        writeExtended(to: &writer)
        return writer.bytes
    }

    private func writeExtended(to writer: inout TermInfoWriter) {
        let names =
            extendedBooleans.map(\.name) + extendedNumbers.map(\.name) + extendedStrings.map(\.name)
        guard !names.isEmpty else { return }
        let values = TermInfoWriter.table(of: extendedStrings.map(\.value))
        let labels = TermInfoWriter.table(of: names)
        writer.shorts([
            extendedBooleans.count, extendedNumbers.count, extendedStrings.count,
            extendedStrings.count + names.count, values.bytes.count + labels.bytes.count,
        ])
        writer.bytes += extendedBooleans.map(\.value)
        writer.align()
        writer.numbers(extendedNumbers.map(\.value))
        writer.shorts(values.offsets + labels.offsets)
        writer.bytes += values.bytes + labels.bytes
    }

    /// The entry as a value of `$TERMINFO`, which ncurses then takes instead of a file ("quick-dump", terminfo(5)).
    func quickDump() -> String {
        "b64:" + Base64.encode(compiled(), alphabet: .url)
    }
}

/// Puts a compiled entry together.
private struct TermInfoWriter {
    var bytes: [UInt8] = []

    mutating func shorts(_ values: [Int]) {
        for value in values {
            let word = UInt16(bitPattern: Int16(clamping: value))
            bytes += [UInt8(word & 0xFF), UInt8(word >> 8)]
        }
    }

    mutating func numbers(_ values: [Int32]) {
        for value in values {
            let word = UInt32(bitPattern: value)
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
    }

    /// Numbers and the extended header begin at even offsets.
    mutating func align() {
        if bytes.count % 2 == 1 {
            bytes.append(0)
        }
    }

    /// Texts laid out one after the other, each with its NUL, and where each begins.
    static func table(of strings: [[UInt8]?]) -> (bytes: [UInt8], offsets: [Int]) {
        var bytes: [UInt8] = []
        let offsets = strings.map { string in
            guard let string else { return -1 }
            defer { bytes += string + [0] }
            return bytes.count
        }
        return (bytes, offsets)
    }
}
