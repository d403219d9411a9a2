import Basics
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Memory") struct HeapTests {
        /// The bytes that glibc reserves for each heap besides the main one, at multiples of this size.
        private static let heap = 64 << 20

        @Test("all threads share two heaps, regardless of their number")
        func heaps() throws {
            let gallery = try ProgramGallery(count: 12)
            let folder = try ScratchFolder()
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6), "\(screen.screen.text)")
            let process = "/proc/\(screen.process.identifier)"
            #expect(fileNames(in: process + "/task", limit: 100).map { $0.count > 3 } == true)
            let maps = smallFile(process + "/maps", limit: 1 << 20) ?? []
            var heaps = 0
            // The used part, followed by the merely reserved one.
            let ranges = maps.split(separator: UInt8(ascii: "\n")).map { line in
                String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
                    .split(separator: "-").compactMap { Int($0, radix: 16) }
            }
            for (first, second) in zip(ranges, ranges.dropFirst())
            where first[0] % Self.heap == 0 && first[1] == second[0]
                && second[1] == first[0] + Self.heap
            { heaps += 1 }
            #expect((0...1).contains(heaps))
        }
    }
}
