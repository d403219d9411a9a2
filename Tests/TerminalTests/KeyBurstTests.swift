import Testing

@testable import Terminal

@Suite("Typed and pasted keys") struct KeyBurstTests {
    private func isTyped(_ reads: [(keys: Int, time: Double, start: Double)]) -> Bool {
        var burst = KeyBurst()
        for read in reads { burst.note(read.keys, at: read.time, noneBefore: read.start) }
        return burst.isTyped
    }

    /// Returns keys that are read one at a time, as they arrive.
    private func keys(
        _ count: Int, apart: Double
    ) -> [(keys: Int, time: Double, start: Double)] {
        stride(from: 10, to: 10 + (Double(count) - 0.5) * apart, by: apart).map { (1, $0, $0) }
    }

    @Test("many keys at once are not typed; a few, or keys with pauses between them, are")
    func pasted() {
        #expect(!isTyped([(5, 10, 10)]))
        #expect(isTyped([(3, 10, 10)]))
        #expect(!isTyped(keys(5, apart: 0.005)))
        #expect(isTyped(keys(50, apart: 0.02)))
        #expect(isTyped([(9, 10, 10), (1, 10.02, 10.02)]), "Enter after a pasted line")
        #expect(!isTyped([(9, 10, 10), (1, 10.002, 10.002)]))
        #expect(!isTyped([(9, 10, 10), (0, 10.2, 10.2)]), "what is no key says nothing")
    }

    @Test("keys typed while the program was busy arrive at once but count as typed")
    func busy() {
        #expect(isTyped([(5, 10, 9.7)]))
        #expect(!isTyped([(5, 10, 9.9)]), "nobody types as fast")
        #expect(isTyped([(9, 9, 9), (5, 9.3, 9)]))
        #expect(!isTyped([(5, 10, .infinity)]), "typed ahead for another program, perhaps")
    }
}
