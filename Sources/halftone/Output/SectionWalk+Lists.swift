import Basics
import Collector
import Gallery
import Network
import Pipeline

/// Text output; each method returns whether any section could be loaded.
extension SectionWalk {
    /// Prints the address of each picture's largest size, page by page.
    func printAddresses(to output: inout StandardOutput) throws(OutputError) -> Bool {
        try forEachGroup { group throws(OutputError) in
            for picture in group.pictures where picture.kind == .picture {
                try output.write(line: picture.image.text)
            }
            try output.flush()
        }
    }

    /// Prints one JSON object per picture, page by page.
    func printRecords(to output: inout StandardOutput) throws(OutputError) -> Bool {
        try forEachGroup { group throws(OutputError) in
            for (index, picture) in group.pictures.enumerated() {
                let record = PictureRecord(
                    picture, section: group.section, index: group.firstIndex + index)
                try output.write(line: record.line)
            }
            try output.flush()
            group.pictures.forEach { followed?.markSeen($0) {} }
        }
    }

    /// Prints what each recipe finds on the page that is its test; returns whether all find something.
    func check(
        _ recipes: [Recipe], to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        var isWell = true
        for reader in readers {
            let page = reader.next()
            for recipe in recipes where recipe.test == reader.source.argument {
                let found = (try? page?.get()).flatMap { $0.recipe == recipe.name ? $0 : nil }
                let result = found.map { "\($0.pictures.count) pictures" } ?? "finds nothing"
                try output.write(line: "\(recipe.name.oneLine()): \(result)")
                isWell = isWell && found != nil
            }
        }
        return isWell
    }

    /// Prints how each page was read (its candidates, groups and next pages, with the deciding rules), or the recipe made from it.
    func printExplanations(
        _ explanations: ExplanationList, to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        try forEachGroup { _ in
        } afterPage: { () throws(OutputError) in
            for explanation in explanations.take() { try output.write(line: explanation) }
            try output.flush()
        }
    }
}

/// Explanations of how pages were read; added on the reading threads and taken on the printing one.
final class ExplanationList: Sendable {
    private let explanations = Locked((waiting: [String](), count: 0))

    /// The total number of explanations added.
    var count: Int { explanations.withLock(\.count) }

    @Sendable func add(_ explanation: String) {
        explanations.withLock { all in
            all.waiting.append(explanation)
            all.count += 1
        }
    }

    /// Returns the explanations added since the last call.
    func take() -> [String] {
        explanations.withLock { all in
            defer { all.waiting = [] }
            return all.waiting
        }
    }
}
