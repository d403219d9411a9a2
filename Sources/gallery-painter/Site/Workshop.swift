import Dispatch
import Synchronization

/// Makes the whole gallery: pages, frame and pictures.
struct Workshop {
    /// Where it goes.
    var folder: Folder

    /// Writes everything, or only the pictures with the given slugs; returns what went wrong, one line each.
    func run(only slugs: Set<String>) -> [String] {
        let catalogue = Catalogue()
        let plates = (catalogue.pages.flatMap { $0 } + catalogue.recommended).filter {
            slugs.isEmpty || slugs.contains($0.slug)
        }
        do {
            try folder.make("photos")
            if slugs.isEmpty { try writeFrame(catalogue) }
        } catch {
            return ["\(error)"]
        }
        return paint(plates)
    }

    private func paint(_ plates: [Plate]) -> [String] {
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: plates.count) { index in
            do {
                for file in try Printer().files(plates[index]) {
                    try folder.write(file.path, file.bytes)
                }
            } catch {
                failures.withLock { $0.append("\(plates[index].title): \(error)") }
            }
        }
        return failures.withLock { $0.sorted() }
    }

    private func writeFrame(_ catalogue: Catalogue) throws {
        try folder.make("assets")
        for file in try Assets().files() { try folder.write(file.path, file.bytes) }
        let writer = PageWriter(pages: catalogue.pages, recommended: catalogue.recommended)
        for number in 1...catalogue.pages.count {
            try folder.write(PageWriter.name(number), Array(writer.page(number).utf8))
        }
    }
}
