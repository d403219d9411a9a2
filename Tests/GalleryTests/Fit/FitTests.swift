import Foundation
import Testing

@testable import Gallery

/// `make fit`: compares the weights of signs with those that logistic regression finds in labelled pages, and writes the report.
@Suite(.serialized) struct FitTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let report = URL(filePath: #filePath).appending(
        path: "../../../../Resources/Reports/weights.md"
    ).standardized
    private static let foldCount = 10
    /// How close fitted weights stay to those made by hand, from freely to closely.
    private static let penalties = [0.1, 1, 10]

    /// Every page of the corpus, and those in the folders of `PAGES`.
    private static func pages() throws -> [LabelledPage] {
        var pages = try CorpusTests.fixtures.filter { $0.type == "text/html" }.map(
            LabelledPage.init)
        if let folder = environment["HALFTONE_PAGES"] {
            let url = URL(filePath: folder, directoryHint: .isDirectory)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
                let folder = url.appending(path: name)
                guard
                    FileManager.default.fileExists(
                        atPath: folder.appending(path: "truth.json").path)
                else { continue }
                pages.append(try LabelledPage(folder: folder))
            }
        }
        return pages
    }

    /// The part of the pages that a site is in: judged by weights that were fitted to the others.
    private static func fold(of page: LabelledPage) -> Int {
        Int(page.site.utf8.reduce(5381 as UInt32) { $0 &* 33 ^ UInt32($1) } % UInt32(foldCount))
    }

    private struct Row {
        let name: String
        let results: [LabelledPage.Result]

        /// Returns its cells for pages of the corpus and for others.
        func cells(_ pages: [LabelledPage]) -> String {
            [true, false].map { isCorpus in
                let own = zip(pages, results).filter { $0.0.site.hasPrefix("corpus/") == isCorpus }
                guard !own.isEmpty else { return "– | – | –" }
                let count = Double(own.count)
                return [
                    own.reduce(0) { $0 + $1.1.recall } / count,
                    own.reduce(0) { $0 + $1.1.precision } / count,
                ].map { String(format: "%.4f", $0) }.joined(separator: " | ")
                    + " | \(own.count { $0.1.recall == 1 && $0.1.precision == 1 })/\(own.count)"
            }.joined(separator: " | ")
        }
    }

    @Test("weights are fitted and compared", .enabled(if: environment["HALFTONE_FIT"] != nil))
    func fit() throws {
        let pages = try Self.pages()
        let examples = pages.map { $0.examples() }
        var rows = [Row(name: "by hand", results: pages.map { $0.result(with: .standard) })]
        for penalty in Self.penalties {
            let fitted = (0..<Self.foldCount).map { fold in
                let others = zip(pages, examples).filter { Self.fold(of: $0.0) != fold }.map(\.1)
                return Weights(
                    LogisticRegression(others, near: .standard, penalty: penalty).points)
            }
            rows.append(
                Row(
                    name: "fitted, penalty \(penalty)",
                    results: pages.map { $0.result(with: fitted[Self.fold(of: $0)]) }))
        }
        let fits = Self.penalties.map {
            LogisticRegression(examples, near: .standard, penalty: $0).points
        }
        var counts: [Sign: (of: Int, right: Int)] = [:]
        for example in examples.joined() {
            for sign in example.signs {
                counts[sign, default: (0, 0)].of += 1
                if example.isPicture { counts[sign, default: (0, 0)].right += 1 }
            }
        }
        let signs = Sign.allCases.map { sign in
            let count = counts[sign] ?? (0, 0)
            return "| \(sign.name) | \(Weights.standard[sign]) | "
                + fits.map { "\($0[sign] ?? 0)" }.joined(separator: " | ")
                + " | \(count.of) | \(count.of == 0 ? "–" : "\(100 * count.right / count.of) %") |"
        }
        let text = """
            # Weights

            The signs by which the scraper tells the pictures of a gallery from others, with their weights in points: those in use, \
            made by hand, and those that logistic regression finds in \(pages.count) labelled pages with \
            \(examples.joined().count) candidates, kept close to the former by a penalty. The last columns say how many candidates \
            have a sign, and how many of these are pictures of the gallery. Made by `make fit`, `PAGES=` naming a folder of labelled \
            pages besides those of the tests.

            | sign | in use | \(Self.penalties.map { "penalty \($0)" }.joined(separator: " | ")) | candidates | pictures |
            | --- | --- | \(Self.penalties.map { _ in "---" }.joined(separator: " | ")) | --- | --- |
            \(signs.joined(separator: "\n"))

            Each page judged by weights that were fitted without the pages of its site (\(Self.foldCount) parts): the mean recall and \
            precision of a page, and the pages without any error, on pages of the tests and on others.

            | weights | recall, tests | precision | perfect | recall, others | precision | perfect |
            | --- | --- | --- | --- | --- | --- | --- |
            \(rows.map { "| \($0.name) | \($0.cells(pages)) |" }.joined(separator: "\n"))

            """
        try text.write(to: Self.report, atomically: true, encoding: .utf8)
        print(text)
    }

    @Test("the report lists the weights in use")
    func reported() throws {
        let report = try String(contentsOf: Self.report, encoding: .utf8)
        for sign in Sign.allCases {
            #expect(report.contains("\n| \(sign.name) | \(Weights.standard[sign]) |"))
        }
    }

    @Test(
        "signs that tell pictures from others get weights of the right direction; unseen ones keep theirs"
    )
    func regression() {
        let pages = (0..<40).map { page in
            [
                LabelledPage.Example(signs: [.content, .small], isPicture: page % 10 != 0),
                LabelledPage.Example(signs: [.content, .lightbox], isPicture: page % 10 == 0),
                LabelledPage.Example(signs: [.content], isPicture: page % 2 == 0),
            ]
        }
        let points = LogisticRegression(pages, near: .standard, penalty: 0.001).points
        // The odds of nine to one are 2.2 logits, of one to one none.
        #expect(points[.small] == 45)
        #expect(points[.lightbox] == -45)
        #expect(points[.content] == 0)
        #expect(points[.figure] == Weights.standard[.figure])
    }
}
