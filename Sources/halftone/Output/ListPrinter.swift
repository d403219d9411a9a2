import Gallery
import Network

/// Prints the pictures of every section, a line each: addresses or JSON objects.
struct ListPrinter {
    /// What a line holds.
    enum Format {
        /// The address of the largest size known.
        case urls
        /// One JSON object.
        case json
    }

    /// What a line holds.
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
