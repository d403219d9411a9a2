import Basics
import Markup
import Network

/// The address of further pages in the settings of an endless-scroll script: `{"path": "https://…/page/%d/"}`, `{{#}}` for the number.
///
/// Infinite Scroll and Jetpack write it so; only what a plain GET fetches is followed.
struct ScrollSettings {
    /// The page after this one.
    let next: Address?

    private static let keys: Set<String> = [
        "path", "nextUrl", "next_url", "pageUrl", "loadMoreUrl",
    ]
    private static let marks = ["%d", "%25d", "{{#}}", "{page}", "{{page}}", "__page__", "[page]"]
    /// Values of one script that are looked at.
    private static let maxVisits = 2_000

    init(_ document: Document, context: PageContext) {
        let scripts = document.root.descendants.contains { node in
            node.name == .script && node.text(limit: 1 << 18).lowercased().includes("nfinite")
        }
        guard scripts else {
            next = nil
            return
        }
        next = ScrollSettings.template(in: ScriptLiterals(of: document).values)
            .flatMap { ScrollSettings.fill($0, context: context) }
    }

    private static func template(in values: [LooseValue]) -> String? {
        var open = values
        var visits = 0
        while let value = open.popLast(), visits < maxVisits {
            visits += 1
            for member in value.members {
                if keys.contains(member.key), let text = member.value.text,
                    marks.contains(where: text.contains)
                {
                    return text
                }
                open.append(member.value)
            }
            open += value.elements
        }
        return nil
    }

    private static func fill(_ template: String, context: PageContext) -> Address? {
        for mark in marks {
            guard let start = template.firstRange(of: mark) else { continue }
            let before = String(template[..<start.lowerBound])
            let after = String(template[start.upperBound...])
            guard let other = context.resolve(before + "2" + after),
                let base = context.resolve(before + "0" + after)
            else { return nil }
            let prefix = base.text.dropLast(after.utf8.count + 1)
            let series = PageNumbers.Series(before: String(prefix), after: after)
            guard let own = series.value(in: context.address.text) else { return other }
            return context.resolve(before + "\(own + 1)" + after)
        }
        return nil
    }
}

extension String {
    /// Where `part` first occurs.
    fileprivate func firstRange(of part: String) -> Range<Index>? {
        var at = startIndex
        while at < endIndex {
            if self[at...].hasPrefix(part) { return at..<index(at, offsetBy: part.count) }
            at = index(after: at)
        }
        return nil
    }
}
