import Basics
import Dispatch
import Pipeline
import Testing

@testable import halftone

/// Paths completed while one types.
@Suite("Sources to open") struct SourceFinderTests {
    @Test("a completion that is no longer wanted does not look at the disk")
    func cancelled() {
        let queue = DispatchQueue(label: "sources")
        let finder = SourceFinder(workingFolder: "/", home: "", completing: queue)
        let found = Locked<[[String]]>([])
        queue.suspend()
        let old = finder.paths(beginningWith: "/pro", in: nil) { paths in
            found.withLock { $0.append(paths) }
        }
        _ = finder.paths(beginningWith: "/de", in: nil) { paths in
            found.withLock { $0.append(paths) }
        }
        old.cancel()
        queue.resume()
        queue.sync {}
        #expect(found.withLock(\.self) == [["/dev/"]])
    }
}
