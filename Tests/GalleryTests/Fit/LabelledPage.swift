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
    let address: Address
    let body: [UInt8]
    /// The references of each picture of the gallery, in every size.
    let pictures: [[String]]
    /// Pictures that count neither way.
    let optional: [String]

    /// A candidate with the signs that it has, and whether it is a picture of the gallery.
    struct Example: Sendable {
        let signs: [Sign]
        let isPicture: Bool
    }

    /// How many pictures of the gallery were found, and how many of those found are pictures of the gallery.
    struct Result: Sendable {
        let recall: Double
        let precision: Double
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

    /// The page as the scraper reads it with `weights`, and the candidates that it scored.
    private func read(_ weights: Weights) -> (page: Page?, log: DecisionLog, context: PageContext) {
        let log = DecisionLog(address: address)
        let document = Document(html: body)
        var context = PageContext(address: address, document: document, log: log)
        context.weights = weights
        return (try? Scraper(document: document, context: context).page(), log, context)
    }

    /// An address as it is compared: of two that differ in the scheme or in escapes, one may be how the page writes the other.
    private func key(_ address: Address) -> String {
        let text = address.text.removingPercentEncoding ?? address.text
        return text.hasPrefix("http")
            ? String(text[(text.firstIndex(of: "/") ?? text.startIndex)...]) : text
    }

    private func keys(_ references: [String], _ context: PageContext) -> Set<String> {
        Set(references.compactMap { context.resolve($0).map(key) })
    }

    /// Returns the candidates that were scored, without those that the page recommends and those that count neither way.
    func examples() -> [Example] {
        let (page, log, context) = read(.standard)
        let wanted = keys(pictures.flatMap(\.self), context)
        var ignored = keys(optional, context)
        for picture in page?.related.flatMap(\.pictures) ?? [] {
            ignored.formUnion(picture.variants.map { key($0.address) })
        }
        // In page order, since sums of floating-point numbers depend on theirs.
        return log.decisions.sorted { $0.key < $1.key }.map(\.value).compactMap { decision in
            guard let score = decision.score else { return nil }
            let addresses = Set(decision.addresses.map(key))
            let isPicture = !addresses.isDisjoint(with: wanted)
            guard isPicture || addresses.isDisjoint(with: ignored) else { return nil }
            return Example(signs: score.signs.map(\.sign), isPicture: isPicture)
        }
    }

    /// Judges how the page is read with `weights`.
    func result(with weights: Weights) -> Result {
        let (page, _, context) = read(weights)
        let wanted = pictures.map { keys($0, context) }
        let ignored = keys(optional, context)
        var left = Array(wanted.indices)
        var (right, wrong) = (0, 0)
        for picture in page.map({ Array($0.pictures) }) ?? [] {
            let addresses = Set(picture.variants.map { key($0.address) })
            if let place = left.firstIndex(where: { !wanted[$0].isDisjoint(with: addresses) }) {
                left.remove(at: place)
                right += 1
            } else if addresses.isDisjoint(with: ignored) {
                wrong += 1
            }
        }
        return Result(
            recall: wanted.isEmpty ? 1 : Double(right) / Double(wanted.count),
            precision: right + wrong == 0 ? 1 : Double(right) / Double(right + wrong))
    }
}
