import Foundation
import Testing

@testable import Gallery

/// `make fit`: finds the weights of facts about groups in labelled pages by logistic regression, and writes the report.
@Suite(.serialized) struct FitTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let report = URL(filePath: #filePath).appending(
        path: "../../../../Resources/Reports/weights.md"
    ).standardized
    private static let foldCount = 10
    private static let penalty = 10.0
    /// How much a page of the tests counts: their frames are alike.
    private static let shareOfFixtures = 0.3

    /// Every page of the corpus, and those in the folders of `PAGES`.
    private static func pages() throws -> [LabelledPage] {
        var pages = try CorpusTests.fixtures.filter { $0.type == "text/html" }.map(
            LabelledPage.init)
        for path in (environment["HALFTONE_PAGES"] ?? "").split(separator: " ").map(String.init) {
            let url = URL(filePath: path, directoryHint: .isDirectory)
            for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
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

    private static func regression(
        _ pages: some Sequence<(page: LabelledPage, groups: [LabelledPage.Group])>
    ) -> LogisticRegression {
        LogisticRegression(
            pages.flatMap { page, groups in
                groups.compactMap { group in
                    group.isGallery.map {
                        LogisticRegression.Example(
                            values: group.values, isGallery: $0,
                            share: page.isFixture ? shareOfFixtures : 1)
                    }
                }
            }, penalty: penalty)
    }

    @Test("weights are fitted and compared", .enabled(if: environment["HALFTONE_FIT"] != nil))
    func fit() throws {
        let pages = try Self.pages().map { (page: $0, groups: $0.groups()) }
        let fitted = Self.regression(pages)
        let folds = (0..<Self.foldCount).map { fold in
            Self.regression(pages.filter { Self.fold(of: $0.page) != fold })
        }
        func sum(of values: [Double], without fact: Int?) -> Double {
            let terms = zip(GalleryFact.all, values).map { $0.weight * $1 }
            return terms.indices.reduce(GalleryFact.constant) { $1 == fact ? $0 : $0 + terms[$1] }
        }
        func results(_ sum: (LabelledPage, [Double]) -> Double) -> [LabelledPage.Result] {
            pages.map { page, groups in page.result(groups.filter { sum(page, $0.values) > 0 }) }
        }
        let inUse = results { sum(of: $1, without: nil) }
        let facts = GalleryFact.all.enumerated().map { place, fact in
            let without = results { sum(of: $1, without: place) }
            let changed = zip(inUse, without)
            return
                "| \(fact.name) | \(fact.weight) | \(String(format: "%.2f", fitted.weights[place])) | "
                + "\(changed.count { $0.isRight && !$1.isRight }) | \(changed.count { !$0.isRight && $1.isRight }) |"
        }
        func row(_ name: String, _ results: [LabelledPage.Result]) -> String {
            "| \(name) | "
                + [true, false].map { isFixture in
                    let own = zip(pages, results).filter { $0.0.page.isFixture == isFixture }.map(
                        \.1)
                    guard !own.isEmpty else { return "– | – | –" }
                    let means = [\LabelledPage.Result.recall, \.precision].map { path in
                        String(
                            format: "%.3f",
                            own.reduce(0) { $0 + $1[keyPath: path] } / Double(own.count))
                    }
                    return means.joined(separator: " | ")
                        + " | \(own.count(where: \.isRight))/\(own.count)"
                }.joined(separator: " | ") + " |"
        }
        let text = """
            # Weights

            The facts by which the scraper tells a page's gallery from its other groups of pictures, with their weights in logits: those \
            in use, and those that logistic regression finds in \(pages.count) labelled pages with \(pages.reduce(0) { $0 + $1.groups.count }) \
            groups. The last columns say how many pages are right only with a fact, and only without it. Made by `make fit`, `PAGES=` \
            naming folders of labelled pages besides those of the tests.

            | fact | in use | fitted | needed by | harms |
            | --- | --- | --- | --- | --- |
            | constant | \(GalleryFact.constant) | \(String(format: "%.2f", fitted.constant)) | – | – |
            \(facts.joined(separator: "\n"))

            The groups alone, before copies are joined and other sources are read: the mean recall and precision of a page, and the pages \
            without any error, on pages of the tests and on others; last with each page judged by weights that were fitted without the \
            pages of its site (\(Self.foldCount) parts).

            | weights | recall, tests | precision | right | recall, others | precision | right |
            | --- | --- | --- | --- | --- | --- | --- |
            \(row("in use", inUse))
            \(row("fitted", results { fitted.sum(of: $1) }))
            \(row("fitted to other sites", results { folds[Self.fold(of: $0)].sum(of: $1) }))

            """
        try text.write(to: Self.report, atomically: true, encoding: .utf8)
        print(text)
    }

    @Test("the report lists the weights in use")
    func reported() throws {
        let report = try String(contentsOf: Self.report, encoding: .utf8)
        for fact in GalleryFact.all {
            #expect(report.contains("\n| \(fact.name) | \(fact.weight) |"))
        }
    }

    @Test("facts that tell galleries from others get weights of the right direction, others none")
    func regression() {
        let examples = (0..<40).map { number in
            LogisticRegression.Example(
                values: [number % 2 == 0 ? 1 : 0, number % 4 < 2 ? 1 : 0],
                isGallery: number % 20 == 1 || number % 2 == 0 && number % 20 != 0, share: 1)
        }
        let found = LogisticRegression(examples, penalty: 0.001)
        // Odds of nine to one for the first fact, and of one to nine without it.
        #expect(abs(found.weights[0] - 2 * log(9)) < 0.2)
        #expect(abs(found.weights[1]) < 0.2)
        #expect(found.sum(of: [1, 0]) > 0 && found.sum(of: [0, 1]) < 0)
    }
}
