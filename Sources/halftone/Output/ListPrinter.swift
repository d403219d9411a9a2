import Gallery
import Network
import Pipeline

/// Prints the pictures of every section, a line each: addresses or JSON objects.
struct ListPrinter {
    /// What a line holds.
    enum Format {
        /// The address of the largest size known.
        case urls
        /// One JSON object.
        case json
    }

    let format: Format

    /// Prints all of `walk`, each page as soon as it is its turn, and says whether any section could be loaded.
    func print(
        _ walk: SectionWalk, to output: inout StandardOutput
    ) throws(StandardOutput.Failure) -> Bool {
        try walk.forEachGroup { group throws(StandardOutput.Failure) in
            for (place, picture) in group.pictures.enumerated() {
                switch format {
                case .urls:
                    guard picture.kind == .picture else { continue }
                    try output.write(line: picture.image.text)
                case .json:
                    let record = PictureRecord(
                        picture, section: group.section, index: group.firstIndex + place)
                    try output.write(line: record.line)
                }
            }
            try output.flush()
        }
    }
}

/// Prints how every page was read: its candidates, groups and next pages, with the rule that decided each.
struct ExplanationPrinter {
    let list: ExplanationList?

    /// Prints all of `walk`, section by section, and says whether any section could be loaded.
    func print(
        _ walk: SectionWalk, to output: inout StandardOutput
    ) throws(StandardOutput.Failure) -> Bool {
        var hasLoaded = false
        for reader in walk.readers {
            while let step = reader.next() {
                switch step {
                case .success:
                    hasLoaded = true
                case .failure(let error):
                    complain("\(reader.source.argument): \(error)")
                }
                for explanation in list?.take() ?? [] {
                    try output.write(explanation.utf8)
                    try output.write(line: "")
                }
                try output.flush()
            }
        }
        return hasLoaded
    }
}

/// How pages were read: added by the threads that read them, taken by the one that prints.
final class ExplanationList: Sendable {
    private let explanations = Locked([String]())

    @Sendable func add(_ explanation: String) {
        explanations.withLock { $0.append(explanation) }
    }

    /// Those added since the last call.
    func take() -> [String] {
        explanations.withLock { all in
            defer { all = [] }
            return all
        }
    }
}
