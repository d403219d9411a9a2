import TestSupport
import Testing

@testable import State

@Suite("halftone --forget")
struct ForgetTests {
    private let folder: StateFolder

    init() throws { folder = try StateFolder() }

    private func run(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun(
            arguments, in: folder.scratch,
            environment: ["XDG_STATE_HOME": folder.scratch.path + "/state"])
    }

    @Test("empties the database, and says nothing")
    func forgets() throws {
        let store = folder.store()
        store.keep(.sample(1))
        store.finish(milliseconds: 300_000)
        for _ in 1...2 {
            let run = try run(["--forget"])
            #expect(run.code == 0 && run.output == "" && run.errors == [])
        }
        #expect(store.recentPlaces(limit: 9).isEmpty)
        #expect(folder.names == [])
    }

    @Test("without a database it makes none")
    func nothing() throws {
        #expect(try run(["--forget"]).code == 0)
        #expect(folder.names == [])
    }

    @Test("refuses an argument, which may be a host's, and keeps the database")
    func argument() throws {
        let store = folder.store()
        store.keep(.sample(1))
        store.finish(milliseconds: 300_000)
        let run = try run(["--forget", "no-such-folder"])
        #expect(run.code == 2 && run.output == "")
        #expect(run.errors.count == 1 && run.errors.first?.contains("--forget-host") == true)
        #expect(store.recentPlaces(limit: 9).count == 1)
    }

    @Test("a damaged database is gone, too")
    func damaged() throws {
        try folder.write(Array("no database".utf8))
        let run = try run(["--forget"])
        #expect(run.code == 0 && run.errors == [] && folder.names == [])
    }

    @Test("says in one line why it cannot")
    func fails() throws {
        try folder.write([], to: "state.db/file")
        let run = try run(["--forget"])
        #expect(run.code == 1 && run.output == "")
        #expect(run.errors == ["halftone: \(folder.path): Is a directory"])
    }

    @Test("looking at a folder opens no database", arguments: [[], ["--no-state"]])
    func untouched(options: [String]) throws {
        try folder.scratch.write("<p>", to: "page.html")
        _ = try run(options + ["--urls", folder.scratch.path + "/page.html"])
        #expect(folder.names == [])
    }
}
