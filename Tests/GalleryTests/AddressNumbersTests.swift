import Markup
import Network
import Testing

@testable import Gallery

@Suite struct AddressNumbersTests {
    private func address(_ path: String) throws -> Address {
        try #require(Address("https://photos.example/" + path))
    }

    @Test func numbersEachAddressOnceInTheOrderOfComing() throws {
        // Far more than the initial capacity, in every length up to and beyond whole words.
        let addresses = try (0..<3_000).map { index in
            try address(String(repeating: "a", count: index % 40) + "\(index)")
        }
        var table = AddressNumbers(capacity: 4)
        for (index, address) in addresses.enumerated() {
            #expect(table.insert(address) == index && table.count == index + 1)
        }
        for (index, address) in addresses.enumerated() {
            #expect(table.insert(address) == index)
            #expect(table[index] == address)
        }
        #expect(table.count == addresses.count)
    }

    @Test func numbersReferencesAsTheAddressesThatTheyMean() throws {
        let page = try address("gallery/")
        let context = PageContext(address: page, document: Document(html: []))
        var table = AddressNumbers()
        func number(_ reference: String) -> Int? {
            var reference = reference
            return reference.withUTF8 { table.insert($0, in: context) }
        }
        #expect(number("a.jpg") == 0)
        #expect(number("https://photos.example/gallery/a.jpg#top") == 0)
        #expect(number("/gallery/ a.jpg") == 1)
        #expect(number("/gallery/./a.jpg") == 0)
        #expect(number("data:image/gif;base64,AAAA") == nil)
        #expect(number("file:///etc/passwd") == nil)
        #expect(number("") == nil)
        #expect(number("//other.example/b.jpg") == 2)
        #expect(table[2] == Address("https://other.example/b.jpg"))
        #expect(table[0] == page.resolving("a.jpg"))
        #expect(table.count == 3)
    }
}
