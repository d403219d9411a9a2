import Markup
import Network

/// Links to pictures without a picture in them: a gallery in its plainest form.
enum TextLinks {
    /// One candidate for each such link, in page order.
    static func candidates(
        _ collector: CandidateCollector, in findings: inout Findings, context: PageContext
    ) -> [Candidate] {
        collector.links.compactMap { link in
            guard let href = findings.view.attribute(.href, of: link),
                let number = findings.addresses.insert(href, in: context),
                findings.addresses.hints(of: number).looksLikePicture
            else { return nil }
            var candidate = Candidate(
                node: link, kind: .textLink, surroundings: collector.surroundings(of: link))
            candidate.anchor = link
            findings.add(Candidate.Found(address: number, role: .full), to: &candidate)
            candidate.linksToPicture = true
            return candidate
        }
    }
}

/// The one picture by which a page wants to be known (https://ogp.me): better than none.
enum OpenGraph {
    /// The picture of `og:image`, `twitter:image` or `link rel=image_src`.
    static func picture(of document: Document, context: PageContext) -> Picture? {
        var properties: [String: String] = [:]
        for node in document.root.descendants where node.tagName == "meta" {
            let name = node.attribute("property") ?? node.attribute("name")
            if let name, let content = node.attribute("content"), properties[name] == nil {
                properties[name] = content
            }
        }
        let names = [
            "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src",
        ]
        let found = names.lazy.compactMap { properties[$0] }.compactMap { context.resolve($0) }
            .first
        guard let found else { return nil }
        let width = properties["og:image:width"].flatMap { Int($0) }
        let height = properties["og:image:height"].flatMap { Int($0) }
        let title = properties["og:image:alt"] ?? properties["og:title"] ?? PageTitle.of(document)
        return Picture(
            variants: [Picture.Variant(address: found, width: width, height: height)],
            page: context.address, title: Text.line(title), width: width, height: height)
    }
}
