import Foundation
import Markup
import Network
import Testing

@testable import Gallery

/// A page of which a person said what its pictures are.
struct LabelledPage: Sendable {
    let name: String
    /// Pages of one site are never learnt from and judged by at once.
    let site: String
    /// Whether it is one of the tests' own.
    var isFixture: Bool { site.hasPrefix("corpus/") }
    let address: Address
    let body: [UInt8]
    /// The references of each picture of the gallery, in every size.
    let pictures: [[String]]
    /// Pictures that count neither way.
    let optional: [String]

    /// A group of candidates: the facts about it, and what its pictures are.
    struct Group: Sendable {
        let values: [Double]
        /// The pictures of the gallery in it, by their numbers.
        let pictures: Set<Int>
        /// The addresses of those that are none and do count.
        let others: Set<String>

        /// Whether it is part of the gallery; nil if that counts neither way.
        var isGallery: Bool? {
            pictures.isEmpty && others.isEmpty ? nil : pictures.count > others.count
        }
    }

    /// How many pictures of the gallery were found, and how many of those found are pictures of the gallery.
    struct Result: Sendable {
        let recall: Double
        let precision: Double
        var isRight: Bool { recall == 1 && precision == 1 }
    }

    init(_ fixture: Fixture) throws {
        name = fixture.name
        site = "corpus/" + fixture.name
        address = try #require(Address(fixture.address))
        body = fixture.body
        pictures = fixture.pictures.map { [$0.thumbnail, $0.image] }
        optional = fixture.sections.flatMap(\.pictures).flatMap { [$0.thumbnail, $0.image] }
    }

    /// Reads `FOLDER/index.html` and what is expected of it in `FOLDER/truth.json`.
    init(folder: URL) throws {
        struct Truth: Decodable {
            struct Item: Decodable { let ids: [String] }
            let path: String
            let source: String
            let items: [Item]
            let optional: [String]
        }
        let truth = try JSONDecoder().decode(
            Truth.self, from: Data(contentsOf: folder.appending(path: "truth.json")))
        name = folder.lastPathComponent
        site = truth.source
        let file = URL(filePath: "/pages/" + truth.path)
        address = try #require(Address(file.absoluteString))
        body = try Array(Data(contentsOf: folder.appending(path: "index.html")))
        pictures = truth.items.map(\.ids)
        optional = truth.optional
    }

    /// An address as it is compared: of two that differ in the scheme or in escapes, one may be how the page writes the other.
    private func key(_ address: Address) -> String {
        let text = address.text.removingPercentEncoding ?? address.text
        return text.hasPrefix("http")
            ? String(text[(text.firstIndex(of: "/") ?? text.startIndex)...]) : text
    }

    /// Returns the groups of the page's candidates.
    func groups() -> [Group] {
        let document = Document(html: body)
        let context = PageContext(address: address, document: document)
        func keys(_ references: [String]) -> Set<String> {
            Set(references.compactMap { context.resolve($0).map(key) })
        }
        var numbers: [String: Int] = [:]
        for (number, references) in pictures.enumerated() {
            for key in keys(references) where numbers[key] == nil { numbers[key] = number }
        }
        let ignored = keys(optional)
        return document.read { tree in
            let read = GroupedPage(document, tree: tree, context: context)
            return read.groups.groups.map { group in
                var (right, wrong): (Set<Int>, Set<String>) = ([], [])
                for member in group.members {
                    let offers = read.found.pageIndex.offers(of: read.found.candidates[member])
                    let own = offers.map { key(read.found.pageIndex.addresses[$0.address]) }
                    if let number = own.lazy.compactMap({ numbers[$0] }).first {
                        right.insert(number)
                    } else if ignored.isDisjoint(with: own), let last = own.last {
                        wrong.insert(last)
                    }
                }
                return Group(values: group.values, pictures: right, others: wrong)
            }
        }
    }

    /// Judges the groups that are taken for the gallery.
    func result(_ taken: [Group]) -> Result {
        let right = taken.reduce(into: Set<Int>()) { $0.formUnion($1.pictures) }.count
        let wrong = taken.reduce(into: Set<String>()) { $0.formUnion($1.others) }.count
        return Result(
            recall: pictures.isEmpty ? 1 : Double(right) / Double(pictures.count),
            precision: right + wrong == 0 ? 1 : Double(right) / Double(right + wrong))
    }
}
