import CLibXML

/// iconv, for every encoding that needs a table.
enum Converter {
    /// Room for one piece of output.
    private static let pieceBytes = 32 << 10

    /// The text in UTF-8; a byte that fits nowhere becomes U+FFFD.
    ///
    /// Unknown names give windows-1252.
    static func decode(_ bytes: ArraySlice<UInt8>, from name: String) -> [UInt8] {
        let descriptor = iconv_open("UTF-8", name)
        // iconv_open answers (iconv_t)-1 for what it does not know.
        guard let descriptor, descriptor != iconv_t(bitPattern: -1) else {
            return Windows1252.decode(bytes)
        }
        defer { iconv_close(descriptor) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 3 / 2)
        // iconv wants mutable input without ever writing to it; a copy keeps the promise honest.
        var input = bytes.map { CChar(bitPattern: $0) }
        input.withUnsafeMutableBufferPointer { convert($0, with: descriptor, into: &text) }
        return text
    }

    private static func convert(
        _ input: UnsafeMutableBufferPointer<CChar>, with descriptor: iconv_t,
        into text: inout [UInt8]
    ) {
        var source = input.baseAddress
        var left = input.count
        var piece = [CChar](repeating: 0, count: pieceBytes)
        while left > 0 {
            let (status, written) = piece.withUnsafeMutableBufferPointer { piece in
                var target = piece.baseAddress
                var room = piece.count
                let status = iconv(descriptor, &source, &left, &target, &room)
                return (status, piece.count - room)
            }
            text.append(contentsOf: piece[..<written].lazy.map { UInt8(bitPattern: $0) })
            // Failed with room to spare: a broken or cut sequence, of which one byte is given up.
            if status == Int.max || status == -1, written < pieceBytes - 64, left > 0 {
                text.append(contentsOf: [0xEF, 0xBF, 0xBD])
                source = source.map { $0 + 1 }
                left -= 1
            }
        }
    }
}
