import Basics
import Testing

@Suite struct BinarySearchTests {
    @Test(arguments: 0...9) func findsWhereEachValueBelongs(count: Int) {
        let evens = (0..<count).map { $0 * 2 }
        for value in -1...2 * count {
            let expected = evens.firstIndex { $0 >= value } ?? evens.endIndex
            #expect(evens.partitioningIndex { $0 >= value } == expected)
        }
    }

    @Test func countsFromTheStartOfASlice() {
        let slice = [9, 9, 1, 3, 5][2...]
        #expect(slice.partitioningIndex { $0 >= 3 } == 3)
    }
}
