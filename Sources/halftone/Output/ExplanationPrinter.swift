import Gallery
import Network

/// Prints how every page was read: its candidates, groups and next pages, with the rule that decided each.
struct ExplanationPrinter {
    /// Where the explanations are.
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
                    try output.write(explanation.text.utf8)
                    try output.write(line: "")
                }
                try output.flush()
            }
        }
        return hasLoaded
    }
}
