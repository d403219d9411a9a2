import Basics
import Dispatch
import Glibc
public import Pipeline

/// Tells what other programs change in folders (inotify(7)).
///
/// Changes are collected until none has come for a moment, and a subscriber hears of the next ones only once it has dealt with the last.
public final class FolderWatch: Sendable {
    /// What has changed in a folder.
    public enum Change: Sendable {
        /// The files with these names were written, added or removed; renamed ones also have their last names by their first.
        case files(Set<String>, renamed: [String: String])
        /// Anything: there were more changes than the kernel or this program keeps.
        case everything
        /// Nothing will be heard of, for this reason.
        case unheard(String)
    }

    private struct Folder {
        var number: Int32?
        var subscribers: [Int: Receiver<Change>] = [:]
        var names: Set<String> = []
        var renamed: [String: String] = [:]
        var isOverrun = false
        /// Whether the subscribers are dealing with changes.
        var isBusy = false
        /// Whether `tell` will be called.
        var isScheduled = false
        /// When the first and last of these changes came, and when the subscribers were last told, in seconds of a steady clock.
        var first: Double?
        var last = 0.0
        var told = 0.0
        /// The time from telling the subscribers until they had dealt with it.
        var cost = 0.0

        /// When to tell of the changes; nil if there are none, or the subscribers are busy.
        var due: Double? {
            guard let first, !isBusy else { return nil }
            return max(
                min(last + FolderWatch.quiet, first + FolderWatch.longestWait),
                told + cost / FolderWatch.busyShare)
        }

        /// Returns the changes and forgets them.
        mutating func take(at now: Double) -> Change {
            defer {
                first = nil
                names = []
                renamed = [:]
                isOverrun = false
                isBusy = true
                told = now
            }
            return isOverrun ? .everything : .files(names, renamed: renamed)
        }
    }

    private struct State {
        var descriptor: Int32 = -1
        var source: (any DispatchSourceRead)?
        var folders: [String: Folder] = [:]
        /// Those of each watch: a folder may have several, by links.
        var paths: [Int32: Set<String>] = [:]
        /// The file last moved out of a folder; the same cookie tells where it was moved to.
        var moved: (cookie: UInt32, path: String, name: String)?
        var lastSubscriber = 0

        mutating func endIfUnused(_ watch: Int32) {
            guard paths[watch, default: []].isEmpty else { return }
            paths[watch] = nil
            inotify_rm_watch(descriptor, watch)
        }
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "halftone.watch")

    /// Seconds without a further change after which a change is told, and the longest wait: files are seen within half a second.
    private static let quiet = 0.1
    private static let longestWait = 0.35
    /// Reading a folder again may take this share of the time.
    private static let busyShare = 0.25
    /// More names than this are not kept.
    private static let maxNames = 1_000
    private static let mask =
        UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
        | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    /// Creates a watch; nothing is opened until a folder is read that somebody subscribed to.
    public init() {}

    /// Calls `onChange` on a queue of its own after changes in the folder at `path`, from when it is next read, and not again before `resume`.
    public func subscribe(
        to path: String, onChange: @escaping Receiver<Change>
    ) -> Subscription {
        let number = state.withLock { state in
            state.lastSubscriber += 1
            state.folders[path, default: Folder()].subscribers[state.lastSubscriber] = onChange
            return state.lastSubscriber
        }
        return Subscription(onCancel: { [self] in
            state.withLock { state in
                state.folders[path]?.subscribers[number] = nil
                guard let folder = state.folders[path], folder.subscribers.isEmpty else { return }
                state.folders[path] = nil
                guard let watch = folder.number else { return }
                state.paths[watch]?.remove(path)
                state.endIfUnused(watch)
            }
        })
    }

    /// Lets the subscribers to `path` hear of the next changes, once they have dealt with the last ones.
    public func resume(_ path: String) {
        state.withLock { state in
            guard let folder = state.folders[path], folder.isBusy else { return }
            state.folders[path]?.isBusy = false
            state.folders[path]?.cost = SteadyClock.now - folder.told
        }
        schedule(path)
    }

    /// Begins to watch the folder at `path` if somebody subscribed to it; to be called before it is read, so that no change is missed.
    ///
    /// Blocks on the disk.
    func begin(_ path: String) {
        let descriptor = state.withLock { state -> Int32? in
            guard let folder = state.folders[path], folder.number == nil else { return nil }
            if state.descriptor < 0 { open(&state) }
            return state.descriptor
        }
        guard let descriptor else { return }
        let watch = inotify_add_watch(descriptor, path.cPath, Self.mask)
        if watch < 0 {
            // That the folder cannot be read is told by whoever reads it.
            guard ![ENOENT, ENOTDIR, EACCES].contains(errno) else { return }
            return tell(
                path, .unheard("changes here are not seen (no more watches): R looks again"))
        }
        state.withLock { state in
            // The last subscriber may be gone by now.
            guard state.folders[path] != nil else { return state.endIfUnused(watch) }
            state.folders[path]?.number = watch
            state.paths[watch, default: []].insert(path)
        }
        if isOnNetwork(path) {
            tell(path, .unheard("changes made on other machines are not seen here: R looks again"))
        }
    }

    private func open(_ state: inout State) {
        state.descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard state.descriptor >= 0 else { return }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: state.descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.readEvents() }
        source.activate()
        state.source = source
    }

    private func readEvents() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let now = SteadyClock.now
        let changed = state.withLock { state -> Set<String> in
            var changed: Set<String> = []
            while case let count = read(state.descriptor, &buffer, buffer.count), count > 0 {
                buffer[..<count].withUnsafeBytes { bytes in
                    var at = 0
                    while at + MemoryLayout<inotify_event>.size <= bytes.count {
                        let event = bytes.loadUnaligned(fromByteOffset: at, as: inotify_event.self)
                        at += MemoryLayout<inotify_event>.size
                        let end = min(at + Int(event.len), bytes.count)
                        let name = String(systemBytes: bytes[at..<end].prefix { $0 != 0 })
                        at = end
                        Self.note(event, name, at: now, in: &state, &changed)
                    }
                }
            }
            return changed
        }
        changed.forEach(schedule)
    }

    private static func note(
        _ event: inotify_event, _ name: String, at now: Double, in state: inout State,
        _ changed: inout Set<String>
    ) {
        let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
        for path in isOverflow ? Set(state.folders.keys) : state.paths[event.wd, default: []] {
            guard var folder = state.folders[path] else { continue }
            // Hidden files are not shown, but programs write into them and rename them.
            if event.mask & UInt32(IN_MOVED_FROM) != 0 {
                state.moved = (event.cookie, path, name)
            } else if event.mask & UInt32(IN_MOVED_TO) != 0, let old = state.moved,
                old.cookie == event.cookie, old.path == path
            {
                folder.renamed.follow([old.name: name])
            }
            let isOver = event.mask & UInt32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF) != 0
            if isOver {
                folder.number = nil
                state.paths[event.wd] = nil
            }
            if !name.isHiddenName, !name.isEmpty { folder.names.insert(name) }
            folder.isOverrun =
                folder.isOverrun || isOverflow || isOver || folder.names.count > maxNames
            if folder.isOverrun || !folder.names.isEmpty {
                folder.first = folder.first ?? now
                folder.last = now
                changed.insert(path)
            }
            state.folders[path] = folder
        }
    }

    /// Tells the subscribers of a folder what has changed there, once it is time to.
    private func schedule(_ path: String) {
        let due = state.withLock { state -> Double? in
            guard let due = state.folders[path]?.due, state.folders[path]?.isScheduled == false
            else {
                return nil
            }
            state.folders[path]?.isScheduled = true
            return due
        }
        guard let due else { return }
        queue.asyncAfter(deadline: .now() + max(0, due - SteadyClock.now)) { [weak self] in
            self?.tell(path)
        }
    }

    private func tell(_ path: String) {
        let now = SteadyClock.now
        let change = state.withLock { state -> Change? in
            state.folders[path]?.isScheduled = false
            guard let due = state.folders[path]?.due, due <= now else { return nil }
            return state.folders[path]?.take(at: now)
        }
        if let change { tell(path, change) } else { schedule(path) }
    }

    func tell(_ path: String, _ change: Change) {
        let subscribers = state.withLock { Array(($0.folders[path]?.subscribers ?? [:]).values) }
        subscribers.forEach { $0(change) }
    }
}

extension Dictionary where Key == Value {
    /// Adds to what names became that what bears some of them now, or has not been renamed, is `renamed`, all at once.
    public mutating func follow(_ renamed: Self) {
        let before = self
        self = renamed.filter { !before.values.contains($0.key) }
        // What another was renamed to is gone.
        for (old, new) in before where renamed[new] != nil || !renamed.values.contains(new) {
            self[old] = renamed[new] ?? new
        }
    }
}
