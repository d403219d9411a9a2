import Gallery
import Network
import Raster
import Thumbnails

extension BrowserModel {
    /// What covers the body: a question before the keys before the facts.
    func overlay() -> Scene.Overlay? {
        if let entry = failureQueue.first { return .dialog(dialogScene(entry)) }
        if let helpRow { return .help(helpScene(scrollRow: helpRow)) }
        return isInfoShown ? infoScene().map(Scene.Overlay.info) : nil
    }

    private func dialogScene(_ entry: FailureQueue.Entry) -> DialogScene {
        let more = failureQueue.count > 1 ? " (and \(failureQueue.count - 1) more)" : ""
        return DialogScene(
            title: "A page did not load\(more)",
            message: OneLine.text(entry.failure.reason), detail: entry.failure.address.text,
            answers: [
                answer("Retry", .retryPage), answer("Dismiss", .dismiss),
            ])
    }

    private func answer(_ title: String, _ command: Command) -> DialogScene.Answer {
        let key = options.keys.keys(for: command, in: .dialog).first?.name
        return DialogScene.Answer(title: title, key: key ?? "q")
    }

    private func infoScene() -> InfoScene? {
        guard let id = level.selection, let picture = level.sections.picture(id) else { return nil }
        let facts = (full.thumbnail(of: id) ?? tiles.thumbnail(of: id))?.facts
        return InfoScene(
            title: picture.caption,
            facts: pageFacts(picture, facts) + fileFacts(facts) + failureFacts(id))
    }

    private func pageFacts(_ picture: Picture, _ facts: PictureFacts?) -> [InfoScene.Fact] {
        [
            fact("URL", picture.largest.text),
            fact("Thumbnail", picture.variants.count > 1 ? picture.thumbnail.text : nil),
            fact("Full size", picture.isFullGuessed ? "guessed from the address" : nil),
            fact("Page", picture.page.text),
            fact("Link", picture.link?.text),
            fact("Date", picture.date),
            fact("About", picture.summary),
            fact("Size", picture.pixels(facts)),
            fact("File", picture.byteCount.map(Quantity.bytes)),
        ].compactMap(\.self)
    }

    /// What the file told that is on the screen, which may be one of the smaller sizes.
    private func fileFacts(_ facts: PictureFacts?) -> [InfoScene.Fact] {
        guard let facts else { return [] }
        let remarks = [
            facts.frameCount > 1 ? "animated, \(facts.frameCount) frames" : nil,
            facts.isPartial ? "incomplete" : nil,
        ]
        let shown =
            ["\(facts.size.width) × \(facts.size.height)", facts.formatName]
            + [Quantity.bytes(facts.byteCount)] + remarks.compactMap(\.self)
        return [
            InfoScene.Fact(label: "Shown", value: shown.joined(separator: ", ")),
            InfoScene.Fact(
                label: "Colour", value: Self.hex(facts.dominant), swatch: facts.dominant),
            InfoScene.Fact(label: "Tint", value: Self.hex(facts.tint), swatch: facts.tint),
        ]
            + facts.timings.lines.enumerated().map { index, line in
                InfoScene.Fact(label: index == 0 ? "Time" : "", value: line)
            }
    }

    private func failureFacts(_ id: PictureID) -> [InfoScene.Fact] {
        [
            fact("Error", tiles.failure(of: id)?.description),
            fact("Detail page", detailFailure(of: id)),
            fact("Full picture", full.failure(of: id)?.description),
        ].compactMap(\.self)
    }

    private func fact(_ label: String, _ value: String?) -> InfoScene.Fact? {
        guard let value, !value.isEmpty else { return nil }
        return InfoScene.Fact(label: label, value: OneLine.text(value))
    }

    private static func hex(_ color: RGB) -> String {
        let digits = String(color.packed, radix: 16, uppercase: true)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
