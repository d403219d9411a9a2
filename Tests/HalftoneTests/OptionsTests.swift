import Browser
import Gallery
import Network
import Raster
import TestSupport
import Testing

@testable import halftone

@Suite("The command line")
struct OptionsTests {
    private func parse(_ arguments: String...) throws(UsageError) -> Options {
        var options = Options()
        try options.apply(arguments)
        return options
    }

    private func mistake(_ arguments: String...) -> String? {
        var options = Options()
        do {
            try options.apply(arguments)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "a number stays within its option's bounds, whatever is given",
        arguments: [
            "--tile", "--pages", "--max-pixels", "--connections", "--timeout", "--retries",
            "--max-bytes", "--cache-size", "--min-rate",
        ])
    func numbers(option: String) {
        for number in monstrousNumbers {
            guard let options = try? parse("\(option)=\(number)") else { continue }
            let values = [
                options.browser.tileColumns, options.maxPixels, options.network.connectionsPerHost,
                options.network.timeout, options.network.retries, options.network.maxBytes,
                options.network.cacheBytes, options.network.minRate,
            ]
            #expect(values.allSatisfy { (0...1 << 40).contains($0) }, "\(number)")
        }
    }

    @Test("a value may follow its option or an equals sign")
    func bothForms() throws {
        #expect(try parse("--tile", "40").browser.tileColumns == 40)
        #expect(try parse("--tile=40").browser.tileColumns == 40)
        #expect(try parse("--header=X-A: b=c").network.headers.first?.value == "b=c")
    }

    @Test(
        "a template for the screen is refused with a name that no picture has",
        arguments: ["--label", "--status", "--window-title"])
    func templates(option: String) throws {
        let known = "{title} {path} {url} {index} of {count}"
        _ = try parse(option, known)
        let reason = mistake(option, "{title} {colour}")
        #expect(
            reason?.contains("{colour} is not one of section, index, ") == true
                && reason?.hasSuffix("rating, url, count") == true, "\(reason ?? "")")
    }

    @Test("local files are printed as paths, and hints left out, only if asked")
    func switches() throws {
        #expect(try !parse().printsPaths && parse("--paths").printsPaths)
        #expect(try parse().browser.showsHints && !parse("--no-hints").browser.showsHints)
    }

    @Test("sort order and filter are parsed, and an unknown order lists the valid ones")
    func order() throws {
        let order = try parse("--sort=date", "--reverse", "--filter", "Rome").browser.order
        #expect(order.key == .date && order.isReversed && order.filter == "Rome")
        #expect(
            mistake("--sort", "colour")
                == "--sort: 'colour': is not one of page, title, name, date, size, pixels, taken, random"
        )
    }

    @Test("short options work alone or combined; an unknown one is rejected")
    func letters() throws {
        let options = try parse("-r0", "-")
        #expect(options.isRecursive && options.isNulSeparated && options.sources == ["-"])
        #expect(mistake("-rx") == "'-rx': is not an option (see --help)")
        #expect(
            mistake("-layout") == "'-layout': is not an option; did you mean --layout? (see --help)"
        )
    }

    @Test(
        "an unreadable file or unwritable folder is reported at start-up, a missing folder made later"
    )
    func files() {
        #expect(mistake("--cookies", "/no/such") == "--cookies: '/no/such': cannot be read")
        #expect(
            mistake("--output=/dev/null/x")
                == "--output: '/dev/null/x': is not a writable folder")
        #expect(mistake("--output=/no/such") == nil)
    }

    @Test("two dashes end the options, a single dash is a source")
    func sources() throws {
        #expect(try parse("a", "-", "--", "--urls").sources == ["a", "-", "--urls"])
    }

    @Test(
        "every option of the table changes a setting, and its default changes none",
        arguments: OptionSpec.all.map(\.name))
    func known(name: String) throws {
        let spec = try #require(OptionSpec.named(name))
        let value: String? =
            switch spec.values {
            case .none: nil
            case .number(let range): String(range.upperBound)
            case .words(let words): words.last { $0 != spec.defaultValue }
            case .file: "/dev/null"
            case .folder: "/tmp"
            case .text:
                [
                    "header": "K: V", "size": "60x30", "place": "80,2", "pause": "1-3",
                    "limit-rate": "1M", "split": "below:30",
                ][name] ?? "x"
            }
        var options = Options()
        try options.apply(["--" + name] + (value.map { [$0] } ?? []))
        #expect("\(options)" != "\(Options())")
        if let value = spec.defaultValue {
            #expect("\(try parse("--\(name)=\(value)"))" == "\(Options())")
        }
        if case .number(let range) = spec.values {
            #expect(mistake("--" + name, "\(range.lowerBound - 1)") != nil)
            #expect(mistake("--" + name, "\(range.upperBound + 1)") != nil)
        }
    }

    @Test("an unknown option suggests the nearest one")
    func nearest() {
        #expect(mistake("--layuot", "grid")?.contains("did you mean --layout?") == true)
        #expect(mistake("--colours=8")?.contains("did you mean --colors?") == true)
        #expect(mistake("--max-b", "8")?.contains("did you mean --max-bytes?") == true)
        #expect(mistake("--zzzzzzzzzz")?.contains("did you mean") == false)
    }

    @Test(
        "an invalid value is rejected with the valid ones",
        arguments: [
            (["--tile", "7"], "8 to 120"), (["--tile", "x"], "8 to 120"),
            (["--layout", "table"], "list, grid, rows"), (["--colors", "3"], "truecolor"),
            (["--tile"], "needs a value"), (["--print=yes"], "takes no value"),
            (["--header", "no colon"], "Name: value"),
            (["--size", "60"], "two numbers around a 'x'"), (["--size", "60x30x2"], "'x'"),
            (["--size", "60x0"], "1 to 1000"), (["--size", "60xb"], "1 to 1000"),
            (["--place", "3x4"], "0 to 9999"), (["--place", "3,-1"], "0 to 9999"),
            (["--split", "left"], "right nor below"), (["--split", "right:99"], "5 to 95"),
            (["--user-agent", "a\r\nX: y"], "control characters"),
        ])
    func wrongValues(arguments: [String], reason: String) {
        var options = Options()
        #expect {
            try options.apply(arguments)
        } throws: { error in
            (error as? UsageError)?.description.contains(reason) == true
        }
    }

    @Test("typed control characters do not reach the terminal")
    func controlCharacters() {
        #expect(mistake("--\u{1B}[2J")?.contains("\u{1B}") == false)
    }

    @Test("the help names every option within 80 columns")
    func help() {
        for spec in OptionSpec.all {
            #expect(HelpText.text.contains("--" + spec.name))
        }
        #expect(HelpText.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("the edit distance counts insertions, deletions and replacements")
    func distance() {
        #expect(editDistance("", "abc") == 3)
        #expect(editDistance("kitten", "sitting") == 3)
        #expect(editDistance("same", "same") == 0)
    }
}
