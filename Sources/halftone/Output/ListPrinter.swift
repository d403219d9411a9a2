import Gallery
import Network
import Pipeline

/// Output without pictures; each way says whether any section could be loaded.
extension SectionWalk {
    /// Prints the address of each picture's largest size, page by page.
    func printAddresses(to output: inout StandardOutput) throws(StandardOutput.Failure) -> Bool {
        try forEachGroup { group throws(StandardOutput.Failure) in
            for picture in group.pictures where picture.kind == .picture {
                try output.write(line: picture.image.text)
            }
            try output.flush()
        }
    }

    /// Prints a JSON object for each picture, page by page.
    func printRecords(to output: inout StandardOutput) throws(StandardOutput.Failure) -> Bool {
        try forEachGroup { group throws(StandardOutput.Failure) in
            for (index, picture) in group.pictures.enumerated() {
                let record = PictureRecord(
                    picture, section: group.section, index: group.firstIndex + index)
                try output.write(line: record.line)
            }
            try output.flush()
        }
    }

    /// Prints how every page was read: its candidates, groups and next pages, with the rule that decided each; or the recipe for it.
    func printExplanations(
        _ explanations: ExplanationList, to output: inout StandardOutput
    ) throws(StandardOutput.Failure) -> Bool {
        try forEachGroup { _ in
        } afterPage: { () throws(StandardOutput.Failure) in
            for explanation in explanations.take() { try output.write(line: explanation) }
            try output.flush()
        }
    }
}

/// How pages were read: added by the threads that read them, taken by the one that prints.
final class ExplanationList: Sendable {
    private let explanations = Locked((waiting: [String](), count: 0))

    /// How many there have been.
    var count: Int { explanations.withLock(\.count) }

    @Sendable func add(_ explanation: String) {
        explanations.withLock { all in
            all.waiting.append(explanation)
            all.count += 1
        }
    }

    /// Those added since the last call.
    func take() -> [String] {
        explanations.withLock { all in
            defer { all.waiting = [] }
            return all.waiting
        }
    }
}
