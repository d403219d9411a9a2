import Basics
import Testing

@Suite("Names that are not UTF-8") struct SystemNamesTests {
    @Test("every byte is kept, and none looks like UTF-8 that it is not")
    func bytes() {
        let names: [[UInt8]] = [
            Array("café 写真".utf8), [0x63, 0x61, 0x66, 0xE9], [0xC3], [0xE2, 0x82],
            [0xFF, 0x41, 0xFE],
            [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF],
            // U+EF80 and U+EFFF, which would otherwise be taken for bytes.
            [0xEE, 0xBE, 0x80], [0x61, 0xEE, 0xBF, 0xBF, 0xE9], [],
        ]
        for name in names {
            let text = String(systemBytes: name)
            #expect(text.systemBytes == name, "\(name)")
            #expect(text.cPath.dropLast().map(UInt8.init(bitPattern:)) == name)
            #expect(
                !text.oneLine().unicodeScalars.contains { (0xEF80...0xEFFF).contains($0.value) })
            #expect(text.oneLine() == text.withoutControls)
        }
        #expect(String(systemBytes: names[0]) == "café 写真")
        #expect(String(systemBytes: names[1]).oneLine() == "caf\u{FFFD}")
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let name = (0..<8).map { _ in UInt8.random(in: 0x7E...0xFF, using: &generator) }
            #expect(String(systemBytes: name).systemBytes == name, "\(name)")
        }
    }
}
