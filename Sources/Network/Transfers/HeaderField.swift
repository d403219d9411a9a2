/// Parses a `Name: value` line: the name in lower case, the value without surrounding blanks and control characters.
///
/// Nil for the empty line at the end of a head, and for what is none. Bytes that are not UTF-8 are replaced.
func headerField(_ line: UnsafeRawBufferPointer) -> (name: String, value: String)? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = line[..<colon].map { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
    var value = line[(colon + 1)...].drop { $0 <= 0x20 }
    while let last = value.last, last <= 0x20 { value.removeLast() }
    return (
        printable(String(decoding: name, as: UTF8.self)),
        printable(String(decoding: value, as: UTF8.self))
    )
}

/// Without the controls of ASCII and of Latin-1: terminals obey both.
private func printable(_ text: String) -> String {
    guard text.utf8.contains(where: { !(0x20..<0x7F).contains($0) }) else { return text }
    return String(
        String.UnicodeScalarView(
            text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }))
}
