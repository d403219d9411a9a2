import Raster

/// The tables of the report.
struct ArtReportTables {
    let results: [ArtResults]
    let costs: [ArtTask: DrawingCost]
    let checks: [Report.Check]

    private static let programs = ["halftone", "chafa", "timg"]

    /// All tables as HTML.
    var html: String {
        """
        <h2 id="figures">Figures</h2>
        <p>Means over the 24 pictures; each program's best options for each figure.</p>
        \(ArtTask.sizes.map(figures).joined(separator: "\n"))
        <h2 id="defaults">Default against default</h2>
        <p>In 24-bit colours on a terminal that does not say what else it can: Halftone's quadrants and eighth blocks, chafa's blocks, \
        eighths and lines, as they come and at chafa's best. Measured in 8×16 parts of a cell; lines are as wide as in DejaVu Sans Mono.</p>
        \(defaults)
        <h2 id="light">In light</h2>
        <p>PSNR in one reading for all: near, held against means of light; from afar, both blurred by a cell, in light. Halftone as it \
        comes and with its best options. Then what is kept of the contrast of details, as it comes.</p>
        \(light)
        <h2 id="classes">By class</h2>
        <p>How much nearer than chafa Halftone comes, PSNR in dB, mean of both sizes.</p>
        \(classes(\.psnr))
        <p>The same blurred.</p>
        \(classes(\.softPSNR))
        <h2 id="cost">CPU time</h2>
        <p>Microseconds a cell, one thread.</p>
        \(cost)
        <h2 id="limits">Limits</h2>
        \(limits)
        """
    }

    private var defaults: String {
        let head =
            "<tr><th><th class=\"sep\" colspan=\"3\">PSNR, dB<th class=\"sep\" colspan=\"3\">SSIM<tr><th>"
            + String(repeating: "<th>halftone<th>chafa<th>its best", count: 2)
        let rows = results.filter(\.task.isDefault).map { results in
            let scores = [
                results.ownChoice("halftone"), results.ownChoice("chafa"), results.mean("chafa"),
            ]
            func group(_ digits: Int, _ figure: (ArtScore) -> Double) -> String {
                scores.enumerated().map { place, score in
                    cell(
                        score.map { fixed(figure($0), digits) }, isOwn: place == 0,
                        isFirst: place == 0)
                }.joined()
            }
            return "<tr><td>\(results.task.size.columns)×\(results.task.size.rows)"
                + group(1, \.psnr) + group(3, \.ssim)
        }
        return table(head: head, body: rows.joined(separator: "\n"))
    }

    private func figures(_ size: CellSize) -> String {
        let groups = ["PSNR, dB", "blurred, dB", "SSIM", "ΔE", "KB"]
        let names = Self.programs.map { $0 } + ["optimum"]
        var head = "<tr><th>\(size.columns)×\(size.rows) cells"
        for (index, group) in groups.enumerated() {
            head += "<th class=\"sep\" colspan=\"\(index < 2 ? 4 : 3)\">\(group)"
        }
        head += "<tr><th>"
        for index in groups.indices {
            for (place, name) in names.prefix(index < 2 ? 4 : 3).enumerated() {
                head += place == 0 ? "<th class=\"sep\">\(name)" : "<th>\(name)"
            }
        }
        let rows = results.filter { $0.task.size == size && !$0.task.isDefault }.map(row).joined(
            separator: "\n")
        return table(head: head, body: rows)
    }

    private func row(_ results: ArtResults) -> String {
        let means = Self.programs.map { results.mean($0) }
        let best = results.optimum.isEmpty ? nil : ArtScore.mean(results.optimum)
        func group(_ digits: Int, _ values: [Double?]) -> String {
            values.enumerated().map { place, value in
                cell(value.map { fixed($0, digits) }, isOwn: place == 0, isFirst: place == 0)
            }.joined()
        }
        return "<tr><td>\(results.task.title)"
            + group(1, means.map { $0?.psnr } + [best?.psnr])
            + group(1, means.map { $0?.softPSNR } + [best?.softPSNR])
            + group(3, means.map { $0?.ssim }) + group(2, means.map { $0?.deltaE })
            + group(1, means.map { $0.map { $0.bytes / 1000 } })
    }

    private var light: String {
        let names = ["halftone", "its best", "chafa", "timg"]
        let kinds = TestPicture.Kind.contrasted
        let head =
            "<tr><th><th class=\"sep\" colspan=\"4\">near, dB<th class=\"sep\" colspan=\"4\">afar, dB"
            + "<th class=\"sep\" colspan=\"\(kinds.count)\">contrast kept<tr><th>"
            + (names + names + kinds.map(\.rawValue)).map { "<th>\($0)" }.joined()
        let rows = results.filter { !$0.task.isDefault }.map { results -> String in
            let size = results.task.size
            let figures = [\ArtScore.near, \.afar].flatMap { figure in
                results.inLight.enumerated().map { place, score in
                    cell(
                        score.map { fixed($0[keyPath: figure], 1) }, isOwn: place < 2,
                        isFirst: place == 0)
                }
            }
            let contrasts = kinds.map { kind in
                cell(results.mean("halftone", of: kind).map { fixed($0.contrast, 2) })
            }
            return "<tr><td>\(results.task.title) \(size.columns)×\(size.rows)"
                + (figures + contrasts).joined()
        }
        return table(head: head, body: rows.joined(separator: "\n"))
    }

    private func classes(_ figure: (ArtScore) -> Double) -> String {
        let kinds = TestPicture.Kind.allCases
        let head = "<tr><th>" + kinds.map { "<th>\($0.rawValue)" }.joined() + "<th>mean"
        var rows: [String] = []
        for task in ArtTask.all(at: ArtTask.sizes[0]) {
            let sizes = results.filter { $0.task.title == task.title }
            let leads = sizes.map { $0.lead(over: "chafa", figure) }
            guard let first = leads.first, !first.isEmpty else { continue }
            let means = first.indices.map { index in
                leads.reduce(0) { $0 + $1[index].lead } / Double(leads.count)
            }
            let all = sizes.compactMap { results in
                results.mean("chafa").flatMap { peer in
                    results.mean("halftone").map { figure($0) - figure(peer) }
                }
            }
            let mean = all.reduce(0, +) / Double(max(all.count, 1))
            rows.append("<tr><td>\(task.title)" + (means + [mean]).map(lead).joined())
        }
        return table(head: head, body: rows.joined(separator: "\n"))
    }

    /// Returns a difference with a background colour: the further behind, the redder.
    private func lead(_ value: Double) -> String {
        let strength = min(abs(value) / 6, 1) * 0.55
        let hue = value < -0.005 ? "255,90,80" : "90,200,120"
        let sign = value >= 0 ? "+" : "−"
        return
            "<td style=\"background:rgba(\(hue),\(fixed(strength, 2)))\">\(sign)\(fixed(abs(value), 1))"
    }

    private var cost: String {
        let head = "<tr><th><th>halftone<th>its block art alone<th>chafa<th>timg"
        let rows = ArtTask.all(at: ArtTask.sizes[ArtTask.sizes.count - 1]).compactMap { task in
            costs[task].map { cost in
                "<tr><td>\(task.title)"
                    + cell(cost.perCell["halftone"].map { fixed($0, 3) }, isOwn: true)
                    + cell(fixed(cost.artPerCell, 3))
                    + cell(cost.perCell["chafa"].map { fixed($0, 3) })
                    + cell(cost.perCell["timg"].map { fixed($0, 3) })
            }
        }
        return table(head: head, body: rows.joined(separator: "\n"))
    }

    private var limits: String {
        let rows = checks.map { check in
            "<tr><td>\(escaped(check.label))<td>\(check.text)"
                + (check.isKept ? "<td class=\"kept\">kept" : "<td class=\"miss\">missed")
        }
        let kept = checks.count { $0.isKept }
        return "<p>\(kept) of \(checks.count) kept.</p><details><summary>All limits</summary>"
            + "<div class=\"inside\">"
            + table(head: "<tr><th>limit<th>measured<th>", body: rows.joined(separator: "\n"))
            + "</div></details>"
    }

    private func cell(_ text: String?, isOwn: Bool = false, isFirst: Bool = false) -> String {
        let style = [text == nil ? "none" : isOwn ? "own" : nil, isFirst ? "sep" : nil]
            .compactMap { $0 }.joined(separator: " ")
        return (style.isEmpty ? "<td>" : "<td class=\"\(style)\">") + (text ?? "–")
    }

    private func table(head: String, body: String) -> String {
        "<div class=\"scroll\"><table><thead>\(head)</thead><tbody>\n\(body)\n</tbody></table></div>"
    }
}
