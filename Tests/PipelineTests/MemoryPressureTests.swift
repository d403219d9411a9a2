import Testing

@testable import Pipeline

@Suite struct MemoryPressureTests {
    @Test("the kernel's figure is read, and anything else counts as no pressure")
    func parses() {
        let text = """
            some avg10=12.50 avg60=3.00 avg300=1.00 total=123
            full avg10=99.00 avg60=0.00 avg300=0.00 total=0
            """
        #expect(MemoryPressure.stallPercentage(in: text) == 12.5)
        for other in ["", "some", "some avg60=3", "some avg10=x", "full avg10=9", "\n"] {
            #expect(MemoryPressure.stallPercentage(in: other) == 0)
        }
    }

    @Test("a process too large for its limit is under pressure")
    func resident() {
        #expect(MemoryPressure.residentBytes > 1 << 20)
        #expect(MemoryPressure.residentBytes < 1 << 36)
        #expect(MemoryPressure(residentLimit: 1).isHigh)
        var relaxed = MemoryPressure(residentLimit: 1 << 40)
        relaxed.stallLimit = 101
        #expect(!relaxed.isHigh)
    }
}
