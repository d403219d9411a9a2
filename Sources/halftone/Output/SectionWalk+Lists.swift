import Basics
import Collector
import Gallery
import Network
import Pipeline

/// Text output; each method returns whether any section could be loaded.
extension SectionWalk {
    /// Prints the address or local path of each picture's largest size, page by page; an empty line is between groups of pictures alike.
    func printAddresses(
        asPaths: Bool, to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        var isFirst = true
        return try forEachGroup { group throws(OutputError) in
            if order.grouping == .alike, !isFirst { try output.write(line: "") }
            isFirst = false
            for picture in group.pictures where picture.kind == .picture {
                let path = asPaths ? picture.image.filePath : nil
                try output.write(line: path ?? picture.image.text)
            }
            try output.flush()
        }
    }

    /// Prints one JSON object per picture, page by page.
    func printRecords(to output: inout StandardOutput) throws(OutputError) -> Bool {
        try forEachGroup { group throws(OutputError) in
            for (index, picture) in group.pictures.enumerated() {
                let record = PictureRecord(
                    picture, section: group.section, index: group.firstIndex + index,
                    others: [("group", order.grouping == .none ? nil : group.title)])
                try output.write(line: record.line)
            }
            try output.flush()
            group.pictures.forEach { followed?.markSeen($0) {} }
        }
    }

    /// Prints how each page was read (its candidates, groups and next pages, with the deciding rules), or the recipe made from it; if
    /// `areRecipes`, one that cannot be made is a failure.
    func printExplanations(
        _ explanations: Locked<[String]>, areRecipes: Bool, to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        var isAny = false
        // Explanations come in the order in which pages are read.
        let hasLoaded = try forEachGroup(inTurn: true) { _ in
        } afterPage: { () throws(OutputError) in
            for explanation in explanations.exchange([]) {
                try output.write(line: explanation)
                isAny = true
            }
            try output.flush()
        }
        guard areRecipes, hasLoaded, !isAny else { return hasLoaded }
        complain("no recipe: the pictures are not in a page's markup")
        return false
    }
}

/// Explanations of how pages were read; added on the reading threads and taken on the printing one.
extension Locked<[String]> {
    @Sendable func add(_ explanation: String) { withLock { $0.append(explanation) } }
}
