import Basics
import TestSupport
import Testing

@Suite("Numbers from external input")
struct PixelsTests {
    @Test("a length is 1…2²⁴ in plain digits, so that an area can be multiplied safely")
    func lengths() throws {
        #expect(Pixels("1")?.count == 1 && Pixels("0016777216")?.count == 1 << 24)
        for text in ["0", "16777217", "-1", "1.5", "1e3", "0x10", "٣", "", " 1"] {
            #expect(Pixels(text) == nil, "\(text)")
        }
        for text in monstrousNumbers {
            let count = Pixels(text)?.count ?? 1
            #expect(count * count * 1000 > 0, "\(text)")
        }
        let literals: [Pixels] = [-5, 0, 99_999_999]
        #expect(literals.map(\.count) == [1, 1, 1 << 24])
    }

    @Test("other numbers are limited to ±2⁴⁸, whether parsed or computed")
    func numbers() {
        #expect(Int(bounded: "-281474976710656") == -1 << 48)
        #expect(Int(bounded: "281474976710657") == nil)
        #expect(Int(bounded: 1.5) == 2 && Int(bounded: Double.nan) == nil)
        for text in monstrousNumbers {
            let numbers = [Int(bounded: text), Double(text).flatMap { Int(bounded: $0) }]
            for number in numbers.compactMap(\.self) {
                #expect(number.magnitude <= 1 << 48, "\(text)")
            }
        }
    }
}
