import Gallery
import Glibc
import Markup
import Network

/// The cost of a gallery page from bytes to pictures, relative to libxml2 alone: its bare events, the minimum for anything based on it, and
/// its own document.
struct ScrapeBenchmark {
    /// The CPU time of one page in milliseconds; each value is the median of interleaved runs.
    private struct Cost {
        var bytes: Int
        var bare: Double
        var tree: Double
        var whole: Double
        /// The ratio to the bare events; the median of the runs' ratios, as both halves of a ratio meet the same noise.
        var ratio: Double
    }

    /// Measures pages of 2,000 and 20,000 items.
    func run(_ report: inout Report) throws {
        report.heading("A gallery page from bytes to pictures, CPU against libxml2's bare events")
        let small = try measure(items: 2_000, rounds: 31)
        let large = try measure(items: 20_000, rounds: 9)
        for cost in [small, large] {
            let size = "\((Double(cost.bytes) / 1e6).short) MB"
            report.line("\(size): bare events", "\(cost.bare.short) ms")
            report.line("\(size): tree", "\(cost.tree.short) ms")
            report.line("\(size): pictures", "\(cost.whole.short) ms")
            report.check("\(size): pictures / bare events", cost.ratio, atMost: 1.75)
        }
        // Runs last: freeing its memory would put the other measurements at a disadvantage.
        for (cost, items, rounds) in [(small, 2_000, 31), (large, 20_000, 9)] {
            let document = document(items: items, rounds: rounds)
            report.line(
                "\((Double(cost.bytes) / 1e6).short) MB: pictures / libxml2's own document",
                "\((cost.whole / document).short) (\(document.short) ms)")
        }
        let growth = (large.whole / Double(large.bytes)) / (small.whole / Double(small.bytes))
        report.check("CPU a byte, larger / smaller page", growth, atMost: 1.2)
    }

    private func measure(items: Int, rounds: Int) throws -> Cost {
        let page = GalleryMarkup(items: items).page
        guard let address = Address("https://photos.example/gallery/") else {
            throw WrongPage(found: 0, expected: items)
        }
        let response = Response(
            address: address, mediaType: "text/html", headers: [], body: page, origin: .network)
        let reader = PageReader()
        var bare: [Double] = []
        var tree: [Double] = []
        var whole: [Double] = []
        for _ in 0..<rounds {
            bare.append(cpu { _ = BareParse.events(in: page) })
            tree.append(cpu { _ = Document(html: page) })
            var found = 0
            whole.append(try cpu { found = try reader.read(response).pictures.count })
            guard found == items else { throw WrongPage(found: found, expected: items) }
        }
        return Cost(
            bytes: page.count, bare: bare.median, tree: tree.median, whole: whole.median,
            ratio: zip(whole, bare).map { $0 / $1 }.median)
    }

    /// Returns the CPU time in milliseconds of libxml2's own document of the page.
    private func document(items: Int, rounds: Int) -> Double {
        let page = GalleryMarkup(items: items).page
        return (0..<rounds).map { _ in cpu { _ = BareParse.document(of: page) } }.median
    }

    /// Returns the CPU time of `work` on this thread, in milliseconds.
    private func cpu(_ work: () throws -> Void) rethrows -> Double {
        let start = Self.cpuTime()
        try work()
        return Self.cpuTime() - start
    }

    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }
}

/// The page did not yield the expected number of pictures.
struct WrongPage: Error, CustomStringConvertible {
    let found: Int
    let expected: Int

    var description: String { "\(found) pictures instead of \(expected)" }
}
