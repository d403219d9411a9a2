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

    /// Prints all of `readers`, in order, and says whether any section could be loaded.
    ///
    /// A section that fails is one line on standard error; the others go on.
    func print(
        _ readers: [SectionReader], to output: inout StandardOutput
    ) throws(StandardOutput.Failure) -> Bool {
        var hasLoaded = false
        for reader in readers {
            var index = 0
            while let step = reader.next() {
                switch step {
                case .success(let page):
                    hasLoaded = true
                    try print(page, from: &index, to: &output)
                case .failure(let error):
                    complain("\(reader.source.argument): \(error)")
                }
                try output.flush()
            }
        }
        return hasLoaded
    }

    private func print(
        _ page: Page, from index: inout Int, to output: inout StandardOutput
    ) throws(StandardOutput.Failure) {
        for picture in page.pictures {
            index += 1
            try print(picture, section: page.title, index: index, to: &output)
        }
        for related in page.related {
            for (position, picture) in related.pictures.enumerated() {
                try print(picture, section: related.title, index: position + 1, to: &output)
            }
        }
    }

    private func print(
        _ picture: Picture, section: String, index: Int, to output: inout StandardOutput
    ) throws(StandardOutput.Failure) {
        switch format {
        case .urls:
            if picture.kind == .picture {
                try output.write(line: picture.image.text)
            }
        case .json:
            let record = PictureRecord(picture, section: section, index: index)
            try output.write(line: record.json)
        }
    }
}
