import ArtMetrics
import Raster

/// The report as a file: figures, and the drawings side by side.
struct ArtReport {
    /// All measured results.
    let results: [ArtResults]
    /// The costs per cell.
    let costs: [ArtTask: DrawingCost]
    /// The drawings.
    let sheets: [ArtSheet]
    /// The limits and whether they are kept.
    let checks: [Report.Check]

    /// Writes `block-art.html` and a folder of drawings into `folder`.
    func write(into folder: String) throws {
        try makeFolder(folder + "/block-art")
        for sheet in sheets {
            try writeFile(sheet.file, to: "\(folder)/block-art/\(sheet.fileName)")
        }
        try writeFile(Array(page.utf8), to: folder + "/block-art.html")
    }

    private var page: String {
        """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>Halftone: pictures made of characters</title>
        <style>
        \(ArtReportStyle.css)
        </style>
        <main>
        \(ArtReportText.introduction)
        \(ArtReportTables(results: results, costs: costs, checks: checks).html)
        <h2 id="look">Look</h2>
        <p>40×20 cells, each part of a cell as the pixel it is measured as; under each drawing PSNR, the same blurred, SSIM and mean ΔE, of \
        the program's defaults.</p>
        \(sheets.map(gallery).joined(separator: "\n"))
        \(ArtReportText.method)
        </main></html>

        """
    }

    private func gallery(_ sheet: ArtSheet) -> String {
        let rows = sheet.pictures.indices.map { row(sheet, $0) }.joined(separator: "\n")
        let means = results.first { $0.task == sheet.task }
        let words = sheet.columns.dropFirst().compactMap { name in
            means?.mean(name).map { "\(name) \(fixed($0.psnr, 1)) dB" }
        }
        return """
            <details\(sheet.task == sheets.first?.task ? " open" : "")><summary>\(escaped(sheet.task.title))<span>\(words.joined(separator: " · "))</span></summary>
            <div class="inside">
            \(rows)
            </div></details>
            """
    }

    private func row(_ sheet: ArtSheet, _ index: Int) -> String {
        let isText =
            sheet.task.depth == .mono
            && (sheet.task.blocks == .ascii || sheet.task.blocks == .braille)
        let figures = sheet.columns.indices.map { column in
            let picture =
                isText && column > 0
                ? element("pre", escaped(sheet.texts[index][column - 1]))
                : shot(sheet, column: column, row: index)
            let caption =
                column == 0
                ? "<b>\(escaped(sheet.pictures[index].name))</b><br>\(sheet.pictures[index].kind.rawValue)"
                : self.caption(sheet.columns[column], sheet.scores[index][column - 1])
            return element("figure", picture + element("figcaption", caption))
        }
        return element("div", class: "row", figures.joined())
    }

    private func shot(_ sheet: ArtSheet, column: Int, row: Int) -> String {
        let style =
            "--n:\(sheet.columns.count);--m:\(sheet.pictures.count);--x:\(column);--y:\(row);"
            + "background-image:url(block-art/\(sheet.fileName))"
        return "<span class=\"shot\" style=\"\(style)\"></span>"
    }

    private func caption(_ name: String, _ score: ArtScore) -> String {
        "<b>\(name)</b> \(fixed(score.psnr, 1)) · \(fixed(score.softPSNR, 1)) dB<br>"
            + "SSIM \(fixed(score.ssim, 3)) · ΔE \(fixed(score.deltaE, 1))"
    }
}
