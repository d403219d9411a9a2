import Markup
import Network
import Testing

@testable import Gallery

@Suite struct AddressNumbersTests {
    private func address(_ path: String) throws -> Address {
        try #require(Address("https://photos.example/" + path))
    }

    @Test func numbersEachAddressOnceInTheOrderOfComing() throws {
        // Many more than there is room for at first, of every length up to and beyond whole words.
        let addresses = try (0..<3_000).map { index in
            try address(String(repeating: "a", count: index % 40) + "\(index)")
        }
        var table = AddressNumbers(capacity: 4)
        for (index, address) in addresses.enumerated() {
            let (number, isNew) = table.insert(address)
            #expect(number == index && isNew)
        }
        for (index, address) in addresses.enumerated() {
            let (number, isNew) = table.insert(address)
            #expect(number == index && !isNew)
            #expect(table[index] == address)
        }
        #expect(table.count == addresses.count)
    }

    @Test func countsAnAddressOnceInEachGroup() throws {
        // Two groups share their pictures in turns: each has three different ones.
        let page = try address("gallery/")
        let document = Document(
            html: Array(
                [0, 1, 2, 0, 1, 2].map {
                    "<p><img src=/\($0).jpg></p><div><b><img src=/\($0).jpg></b></div>"
                }
                .joined().utf8))
        let context = PageContext(address: page, document: document)
        var collector = CandidateCollector(document: document, context: context)
        collector.run()
        let candidates = collector.candidates
        let repetition = Repetition(candidates)
        let evidence = GroupEvidence(candidates, repetition, page: page)
        #expect(repetition.sizes == [6, 6])
        for index in candidates.indices {
            #expect(evidence.occurrences(at: index) == 4)
            // Three of six are not more than half: such a group repeats its pictures.
            var score = Score(candidates[index], repetitions: 1)
            let before = score.total
            evidence.add(to: &score, of: candidates[index], group: repetition.groups[index])
            #expect(score.total == before)
        }
    }
}
