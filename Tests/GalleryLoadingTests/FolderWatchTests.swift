import Basics
import Dispatch
import Glibc
import Network
import Pipeline
import TestSupport
import Testing

@testable import Gallery

/// Changes of real folders, as the kernel tells them.
@Suite struct FolderWatchTests {
    private let scratch: ScratchFolder
    private let watch = FolderWatch()
    private let heard = Changes()
    private var path: String { scratch.path + "/" }
    private var gallery: Address { Address(path: scratch.path, isFolder: true) }

    init() throws { scratch = try ScratchFolder() }

    /// The changes told so far.
    private final class Changes: Sendable {
        private let waiting = Locked<[FolderWatch.Change]>([])
        private let arrived = DispatchSemaphore(value: 0)

        @Sendable func note(_ change: FolderWatch.Change) {
            waiting.withLock { $0.append(change) }
            arrived.signal()
        }

        /// Waits for the next change.
        func next() -> FolderWatch.Change? {
            guard arrived.wait(timeout: .testDeadline) == .success else { return nil }
            return waiting.withLock { $0.removeFirst() }
        }

        var count: Int { waiting.withLock(\.count) }
    }

    /// Waits for changes until one mentions `name`; returns all names and renamed files up to then.
    private func changes(until name: String) -> (names: Set<String>, renamed: [String: String]) {
        var (names, renamed): (Set<String>, [String: String]) = ([], [:])
        while !names.contains(name), case .files(let more, let other)? = heard.next() {
            let name = { (file: String) in String(file.dropFirst(path.count)) }
            names.formUnion(more.map(name))
            renamed.merge(other.map { (name($0), name($1)) }) { $1 }
            watch.resume(gallery)
        }
        return (names, renamed)
    }

    private func begun() -> Subscription {
        let subscription = watch.subscribe(to: gallery, onChange: heard.note)
        _ = try? FolderReader(watch: watch).page(at: Address(path: path))
        return subscription
    }

    @Test(
        "files written, linked, removed and moved in or out are told by name, hidden ones are not")
    func names() throws {
        try scratch.write("x", to: "old.jpg")
        let subscription = begun()
        defer { subscription.cancel() }
        try scratch.write("x", to: "written.jpg")
        try scratch.write("x", to: ".hidden.jpg")
        link(path + "written.jpg", path + "linked.jpg")
        symlink("written.jpg", path + "symbolic.jpg")
        unlink(path + "old.jpg")
        rename(path + ".hidden.jpg", path + "shown.jpg")
        rename(path + "linked.jpg", path + "renamed.jpg")
        try scratch.write("x", to: "last.jpg")
        let (names, renamed) = changes(until: "last.jpg")
        #expect(
            names == [
                "written.jpg", "linked.jpg", "symbolic.jpg", "old.jpg", "shown.jpg", "renamed.jpg",
                "last.jpg",
            ])
        #expect(renamed == [".hidden.jpg": "shown.jpg", "linked.jpg": "renamed.jpg"])
    }

    @Test("a file is told again when its writer closes it")
    func halfWritten() throws {
        let subscription = begun()
        defer { subscription.cancel() }
        let file = open(path + "slow.jpg", O_WRONLY | O_CREAT, 0o600)
        #expect(changes(until: "slow.jpg").names == ["slow.jpg"])
        close(file)
        #expect(changes(until: "slow.jpg").names == ["slow.jpg"])
    }

    @Test("nothing more is told before the subscriber has dealt with the last change")
    func pace() throws {
        let subscription = begun()
        defer { subscription.cancel() }
        try scratch.write("x", to: "a.jpg")
        guard case .files(let first, _)? = heard.next() else {
            Issue.record("nothing heard")
            return
        }
        #expect(first == [path + "a.jpg"])
        for number in 0..<200 { try scratch.write("x", to: "\(number).jpg") }
        #expect(heard.count == 0)
        watch.resume(gallery)
        #expect(changes(until: "199.jpg").names.count == 200)
    }

    @Test("more changes than are kept, and the folder's own end, are told as anything")
    func everything() throws {
        let subscription = begun()
        defer { subscription.cancel() }
        try scratch.write("x", to: "first.jpg")
        _ = heard.next()
        for number in 0..<1_500 { symlink("first.jpg", path + "\(number).jpg") }
        watch.resume(gallery)
        guard case .everything? = heard.next() else {
            Issue.record("not told as everything")
            return
        }
        watch.resume(gallery)
        rename(scratch.path, scratch.path + "-moved")
        defer { rename(scratch.path + "-moved", scratch.path) }
        guard case .everything? = heard.next() else {
            Issue.record("the end was not told")
            return
        }
    }

    @Test("more changes than the kernel keeps are told as anything, also of a quiet folder")
    func overflow() throws {
        let quiet = try ScratchFolder()
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let subscriptions = [
            watch.subscribe(to: gallery) { _ in
                begun.signal()
                gate.wait()
            },
            watch.subscribe(
                to: Address(path: quiet.path, isFolder: true), onChange: heard.note),
        ]
        defer { subscriptions.forEach { $0.cancel() } }
        for folder in [path, quiet.path + "/"] {
            _ = try? FolderReader(watch: watch).page(at: Address(path: folder))
        }
        // Holds up the queue that reads what the kernel tells.
        try scratch.write("x", to: "first.jpg")
        #expect(begun.wait(timeout: .testDeadline) == .success)
        let most = try Tool.output(of: "cat", ["/proc/sys/fs/inotify/max_queued_events"])
        let count = try #require(most.first.flatMap { Int($0) })
        for _ in 0...count {
            symlink("first.jpg", path + "a")
            unlink(path + "a")
        }
        gate.signal()
        guard case .everything? = heard.next() else {
            Issue.record("not told as everything")
            return
        }
    }

    @Test("a folder that is watched under two paths is told under both, until each ends")
    func links() throws {
        try scratch.write("x", to: "a/0.jpg")
        let folder = scratch.path + "/a"
        let link = scratch.path + "/b"
        #expect(symlink(folder, link) == 0)
        let others = Changes()
        let subscriptions = [(folder, heard), (link, others)].map { path, changes in
            let subscription = watch.subscribe(
                to: Address(path: path, isFolder: true), onChange: changes.note)
            _ = try? FolderReader(watch: watch).page(at: Address(path: path + "/"))
            return subscription
        }
        try scratch.write("x", to: "a/1.jpg")
        #expect(heard.next() != nil && others.next() != nil)
        subscriptions[1].cancel()
        watch.resume(Address(path: folder, isFolder: true))
        try scratch.write("x", to: "a/2.jpg")
        #expect(heard.next() != nil)
        subscriptions[0].cancel()
    }

    @Test("the kernel watches only what somebody subscribed to, and only as long")
    func kernelWatches() throws {
        func count() -> Int {
            (fileNames(in: "/proc/self/fdinfo", limit: 10_000) ?? []).reduce(0) { sum, name in
                let text = smallFile("/proc/self/fdinfo/" + name, limit: 1 << 20) ?? []
                var status = stat()
                stat(scratch.path, &status)
                let mark = "ino:\(String(status.st_ino, radix: 16)) "
                return sum + (String(utf8: text).contains(mark) ? 1 : 0)
            }
        }
        _ = try? FolderReader(watch: watch).page(at: Address(path: path))
        #expect(count() == 0)
        let subscription = begun()
        #expect(count() == 1)
        let other = begun()
        subscription.cancel()
        #expect(count() == 1)
        other.cancel()
        #expect(count() == 0)
    }
}
