import Gallery
import Network
import Trace

@testable import Gallery

/// Accumulated scores of how well pages were read.
struct Judge {
    /// A part of a whole.
    struct Share: CustomStringConvertible {
        var part = 0
        var whole = 0
        /// The ratio; 1 if there was nothing to do.
        var ratio: Double { whole == 0 ? 1 : Double(part) / Double(whole) }
        var description: String { "\(part)/\(whole)" }
    }

    /// The expected pictures that were found.
    var recall = Share()
    /// The found pictures that were expected.
    var precision = Share()
    /// The pictures found with the right thumbnail, full size and link.
    var pairing = Share()
    /// The pictures found with the right title.
    var titles = Share()
    /// The pages with the right next page, or rightly none.
    var next = Share()
    /// The pages with the right sections after the main one.
    var sections = Share()
    /// Descriptions of the errors, one per line.
    var faults: [String] = []

    /// Reads the page of `fixture` and compares the results.
    mutating func judge(_ fixture: Fixture) {
        let page = Judge.read(fixture)
        compare(page.map { Array($0.pictures) } ?? [], fixture.pictures, in: fixture.name)
        let found = page?.next.map { short($0) }
        count(found == fixture.next, in: \.next) {
            "\(fixture.name): next is \(found ?? "-"), not \(fixture.next ?? "-")"
        }
        let titles = page?.related.map(\.title) ?? []
        count(titles == fixture.sections.map(\.title), in: \.sections) {
            "\(fixture.name): sections are \(titles)"
        }
        for (part, expected) in zip(page?.related ?? [], fixture.sections) {
            compare(part.pictures, expected.pictures, in: fixture.name)
        }
    }

    private static func read(_ fixture: Fixture) -> Page? {
        guard let address = Address(fixture.address) else { return nil }
        let response = Response(
            address: address, mediaType: fixture.type, headers: fixture.headers,
            body: fixture.body, origin: .network)
        return try? PageReader(recipes: [], tracer: .disabled).read(response)
    }

    private mutating func count(
        _ isRight: Bool, in share: WritableKeyPath<Judge, Share>, _ fault: () -> String
    ) {
        self[keyPath: share].whole += 1
        if isRight {
            self[keyPath: share].part += 1
        } else {
            faults.append(fault())
        }
    }

    /// Compares pictures; one is found if any of its expected addresses is among those found, in any role.
    private mutating func compare(
        _ pictures: [Picture], _ expected: [Fixture.Entry], in name: String
    ) {
        var left = pictures
        for entry in expected {
            let index = left.firstIndex { picture in
                picture.variants.contains {
                    [entry.thumbnail, entry.image].contains(short($0.address))
                }
            }
            count(index != nil, in: \.recall) { "\(name): missing \(entry.image)" }
            guard let index else { continue }
            let found = Fixture.Entry(left.remove(at: index))
            let isPaired =
                found.thumbnail == entry.thumbnail && found.image == entry.image
                && found.link == entry.link
            count(isPaired, in: \.pairing) {
                "\(name): \(found.thumbnail) \(found.image) \(found.link)"
                    + " for \(entry.thumbnail) \(entry.image) \(entry.link)"
            }
            count(found.title == entry.title, in: \.titles) {
                "\(name): title ‘\(found.title)’ for ‘\(entry.title)’"
            }
        }
        precision.whole += pictures.count
        precision.part += pictures.count - left.count
        faults += left.map { "\(name): \(short($0.image)) is no picture of it" }
    }
}
