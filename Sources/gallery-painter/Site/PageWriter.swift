/// Writes the pages, in markup as galleries on the web have it: lazy pictures in figures, a pager, and around them
/// the logos and icons that no reader of pictures wants.
struct PageWriter {
    /// All the pages' plates.
    var pages: [[Plate]]
    /// The plates recommended on the first page.
    var recommended: [Plate]

    /// The name of the file of page `number`, counted from 1.
    static func name(_ number: Int) -> String { number == 1 ? "index.html" : "page-\(number).html" }

    /// The text of page `number`, counted from 1.
    func page(_ number: Int) -> String {
        var lines = head(number) + SiteFrame.header
        lines += [
            "<main id=\"content\">",
            "  <h1>Motor Racing</h1>",
            "  <p class=\"intro\">Ninety-six prints from the pit wall, the hairpin and the road home.</p>",
            "  <div class=\"grid masonry-grid\">",
        ]
        lines += pages[number - 1].flatMap { FigureMarkup(plate: $0).lines }
        lines += ["  </div>"] + pager(number)
        if number == 1 { lines += recommendations() }
        return (lines + ["</main>"] + SiteFrame.footer).joined(separator: "\n") + "\n"
    }

    private func head(_ number: Int) -> [String] {
        var lines = [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<title>Motor Racing &ndash; \(SiteFrame.name)</title>",
            "<link rel=\"stylesheet\" href=\"assets/site.css\">",
            "<script src=\"assets/lazy.js\" defer></script>",
        ]
        if number > 1 {
            lines.append("<link rel=\"prev\" href=\"\(Self.name(number - 1))\">")
        }
        if number < pages.count {
            lines.append("<link rel=\"next\" href=\"\(Self.name(number + 1))\">")
        }
        return lines + ["</head>", "<body class=\"collection collection-motor-racing\">"]
    }

    private func pager(_ number: Int) -> [String] {
        var lines = ["  <div class=\"pager\">"]
        if number > 1 {
            lines.append(
                "    <a rel=\"prev\" href=\"\(Self.name(number - 1))\">&lsaquo; Previous</a>")
        }
        for other in 1...pages.count {
            lines.append(
                other == number
                    ? "    <span class=\"current\" aria-current=\"page\">\(other)</span>"
                    : "    <a href=\"\(Self.name(other))\">\(other)</a>")
        }
        if number < pages.count {
            lines.append("    <a rel=\"next\" href=\"\(Self.name(number + 1))\">Next &rsaquo;</a>")
        }
        return lines + ["  </div>"]
    }

    private func recommendations() -> [String] {
        [
            "  <section class=\"recommended\">", "  <h2>You may also like</h2>",
            "  <div class=\"grid\">",
        ]
            + recommended.flatMap { FigureMarkup(plate: $0).lines } + ["  </div>", "  </section>"]
    }
}
