/// Whether bytes are valid UTF-8.
enum UTF8Check {
    /// True for an empty page too.
    ///
    /// A sequence cut off by the end of the page is forgiven: the page was cut, not its encoding wrong.
    static func isValid(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var at = 0
            while at < bytes.count {
                let first = bytes[at]
                if first < 0x80 {
                    at = endOfASCII(bytes, from: at + 1)
                    continue
                }
                guard let form = form(of: first) else { return false }
                guard at + form.length <= bytes.count else { return true }
                guard form.second.contains(bytes[at + 1]) else { return false }
                for offset in 2..<max(2, form.length) where bytes[at + offset] & 0xC0 != 0x80 {
                    return false
                }
                at += form.length
            }
            return true
        }
    }

    /// The first place from `start` on that is not ASCII; looked for eight bytes at a time.
    private static func endOfASCII(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var at = start
        let raw = UnsafeRawBufferPointer(bytes)
        while at + 8 <= bytes.count,
            raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
            at += 8
        }
        while at < bytes.count, bytes[at] < 0x80 { at += 1 }
        return at
    }

    /// Length, and what the second byte may be (Unicode standard, table 3-7).
    private static func form(of first: UInt8) -> (length: Int, second: ClosedRange<UInt8>)? {
        switch first {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: nil
        }
    }
}
