import Glibc

/// Names of files and arguments, which are bytes to the system and need not be UTF-8.
///
/// Bytes that are not UTF-8 become characters from U+EF80 to U+EFFF of the private use area (as in MirBSD's OPTU-8), and so do the bytes
/// of those characters themselves; `systemBytes` turns all of them back. `oneLine` and `withoutControls` show them as U+FFFD.
extension String {
    /// Creates the text of a name, from which `systemBytes` returns exactly these bytes.
    public init(systemBytes bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self), !text.hasEscapedBytes {
            self = text
            return
        }
        var text = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = 0
        while true {
            let count: Int
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                count = encoded.count
                let scalar = Unicode.UTF8.decode(encoded)
                if !scalar.isEscapedByte {
                    text.append(scalar)
                    place += count
                    continue
                }
            case .error(let length): count = length
            case .emptyInput:
                self.init(text)
                return
            }
            for byte in bytes[place..<place + count] {
                text.append(Unicode.Scalar(0xEF00 + UInt16(byte)) ?? "\u{FFFD}")
            }
            place += count
        }
    }

    /// Creates the text of a name from the C library.
    public init(systemName name: UnsafePointer<CChar>) {
        self.init(systemBytes: UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// The bytes of the name, without a NUL.
    public var systemBytes: [UInt8] {
        guard hasEscapedBytes else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in
            scalar.isEscapedByte
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(UTF8.encode(scalar) ?? .init())
        }
    }

    /// The name as the C library takes it, ending with a NUL.
    public var cPath: [CChar] { systemBytes.map(CChar.init(bitPattern:)) + [0] }

    private var hasEscapedBytes: Bool {
        // The first byte of all of U+E000 to U+EFFF.
        utf8.contains(0xEE) && unicodeScalars.contains(where: \.isEscapedByte)
    }
}

extension Unicode.Scalar {
    /// Whether this stands for a byte of a name that is not UTF-8.
    var isEscapedByte: Bool { (0xEF80...0xEFFF).contains(value) }
}
