import Collector
import Gallery
import Network
import Testing

@Suite("Plans of what to save") struct SavePlanTests {
    private func orders(_ numbers: Range<Int>) -> [SaveOrder] {
        numbers.map { number in
            let address = Address(path: "/\(number).jpg")
            return SaveOrder(
                Picture(variants: [.init(address: address)], page: address, title: "\(number)"))
        }
    }

    private func begun(_ plan: inout SavePlan) -> [String] {
        var titles: [String] = []
        while let order = plan.next() { titles.append(order.picture.title) }
        return titles
    }

    @Test("pictures are begun in order, a bounded number at a time, each once")
    func order() {
        var plan = SavePlan(width: 3)
        #expect(plan.add(orders(0..<4)) == 4 && plan.add(orders(2..<6)) == 2)
        #expect(begun(&plan) == ["0", "1", "2"] && plan.openCount == 6)
        let all = orders(0..<6)
        plan.finish(all[1], .success("/1.jpg"))
        plan.finish(all[0], .success(nil))
        #expect(begun(&plan) == ["3", "4"])
        plan.finish(all[2], .failure(.noPicture))
        #expect("\(plan.tally)" == "1 saved, 1 known, 1 failed" && plan.tally.total == 6)
        #expect(!plan.tally.isComplete && plan.tally.lastPath == "/1.jpg")
        // What is over may be tried again.
        #expect(plan.add(orders(0..<4)) == 3)
        // Another target is another order.
        var elsewhere = all[3]
        elsewhere.target = "/x"
        #expect(plan.add([elsewhere]) == 1)
    }

    @Test(
        "a pause begins nothing; what is stopped is forgotten; while more follows, the count goes on"
    )
    func stopping() {
        var plan = SavePlan(width: 2)
        plan.hasMore = true
        plan.add(orders(0..<2))
        #expect(begun(&plan).count == 2)
        for order in orders(0..<2) { plan.finish(order, .success("/x")) }
        plan.add(orders(2..<6))
        #expect(plan.tally.saved == 2 && plan.tally.total == 6 && !plan.isOver)
        plan.isPaused = true
        #expect(begun(&plan) == [])
        plan.isPaused = false
        #expect(begun(&plan) == ["2", "3"])
        plan.stop()
        #expect(
            plan.openCount == 2 && "\(plan.tally)" == "2 saved, 2 left" && !plan.tally.isComplete)
        for order in orders(2..<4) { plan.finish(order, .success("/x")) }
        #expect(plan.add(orders(4..<6)) == 2 && plan.tally.total == 2 && plan.tally.saved == 0)
    }
}
