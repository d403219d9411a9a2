import Basics
import Dispatch
import Glibc
public import Network
public import Pipeline

/// Tells what other programs change in the folders and files that galleries show (inotify(7)).
///
/// Changes are collected until none has come for a moment, and a subscriber hears of the next ones only once it has dealt with the last.
public final class FolderWatch: Sendable {
    /// What has changed of a gallery.
    public enum Change: Sendable {
        /// The files at these paths were written, added or removed; renamed ones also have their last paths by their first.
        case files(Set<String>, renamed: [String: String])
        /// Anything: there were more changes than the kernel or this program keeps.
        case everything
        /// Nothing will be heard of, for this reason.
        case unheard(String)
    }

    private struct Gallery {
        /// The kernel's watches by the paths of the folders.
        var watches: [String: Int32] = [:]
        /// The only files that are shown; nil if all are.
        var shown: Set<String>?
        /// Whether folders are read without being told of changes, as there are no more watches.
        var isPolled = false
        var subscribers: [Int: Receiver<Change>] = [:]
        var paths: Set<String> = []
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
            let longestWait = isOverrun ? FolderWatch.longestFlood : FolderWatch.longestWait
            return max(
                min(last + FolderWatch.quiet, first + longestWait),
                told + cost / FolderWatch.busyShare)
        }

        /// Returns the changes and forgets them.
        mutating func take(at now: Double) -> Change {
            defer {
                first = nil
                paths = []
                renamed = [:]
                isOverrun = false
                isBusy = true
                told = now
            }
            return isOverrun ? .everything : .files(paths, renamed: renamed)
        }
    }

    private struct State {
        var descriptor: Int32 = -1
        var source: (any DispatchSourceRead)?
        var galleries: [Address: Gallery] = [:]
        /// The path of each watch's folder for the galleries that show it; a folder may have several, by links.
        var folders: [Int32: [Address: String]] = [:]
        /// The file last moved out of a folder; the same cookie tells where it was moved to.
        var moved: (cookie: UInt32, gallery: Address, path: String)?
        var lastSubscriber = 0

        /// Ends a gallery's watches of the folders whose paths begin with `path`.
        mutating func end(_ gallery: Address, below path: String = "") {
            for (folder, watch) in galleries[gallery]?.watches ?? [:] where folder.hasPrefix(path) {
                galleries[gallery]?.watches[folder] = nil
                folders[watch]?[gallery] = nil
                endIfUnused(watch)
            }
        }

        mutating func endIfUnused(_ watch: Int32) {
            guard folders[watch, default: [:]].isEmpty else { return }
            folders[watch] = nil
            inotify_rm_watch(descriptor, watch)
        }

        /// Notes what an event tells of, and which galleries have `changed`.
        mutating func note(
            _ event: inotify_event, _ name: String, at now: Double, _ changed: inout Set<Address>
        ) {
            let tells = { (changes: Int32) in event.mask & UInt32(changes) != 0 }
            let isOverflow = tells(IN_Q_OVERFLOW)
            let folders =
                isOverflow ? galleries.mapValues { _ in "" } : self.folders[event.wd] ?? [:]
            for (gallery, folder) in folders {
                let path = folder + name
                // What a program has had shown and removed stays on the screen.
                if tells(IN_DELETE | IN_MOVED_FROM), galleries[gallery]?.shown != nil { continue }
                let isFolder = tells(IN_ISDIR)
                // What is below a folder that is moved has other paths.
                if tells(IN_MOVED_FROM), isFolder { end(gallery, below: "\(path)/") }
                guard var watched = galleries[gallery] else { continue }
                // Hidden files are not shown, but programs write into them and rename them.
                if tells(IN_MOVED_FROM) {
                    moved = (event.cookie, gallery, path)
                } else if tells(IN_MOVED_TO), let old = moved,
                    old.cookie == event.cookie, old.gallery == gallery
                {
                    watched.renamed.follow([old.path: path])
                }
                let isOver = tells(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)
                if isOver {
                    watched.watches[folder] = nil
                    self.folders[event.wd] = nil
                }
                if !name.isHiddenName, !name.isEmpty, watched.shown?.contains(path) ?? true {
                    watched.paths.insert(path)
                }
                watched.isOverrun =
                    watched.isOverrun || isOverflow || watched.paths.count > FolderWatch.maxPaths
                    || isOver && (folder == gallery.filePath || watched.shown != nil)
                    // Other files have the paths of those that were there.
                    || isFolder && tells(IN_MOVED_TO)
                if watched.isOverrun || !watched.paths.isEmpty {
                    watched.first = watched.first ?? now
                    watched.last = now
                    changed.insert(gallery)
                }
                galleries[gallery] = watched
            }
        }
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "halftone.watch")

    /// Seconds without a further change after which a change is told, and the longest wait: files are seen within half a second.
    private static let quiet = 0.1
    private static let longestWait = 0.35
    /// The longest wait for the end of changes that are too many to be told by path.
    private static let longestFlood = 2.0
    /// Seconds after which folders without watches are read again.
    private static let pollSeconds = 30.0
    /// Reading a folder again may take this share of the time.
    private static let busyShare = 0.25
    /// More paths than this are not kept.
    private static let maxPaths = 1_000
    private static let mask =
        UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
        | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    /// Creates a watch; nothing is opened until a folder is read that somebody subscribed to.
    public init() {}

    /// Calls `onChange` on a queue of its own after changes of what `gallery` shows, from when it is next read, and not again before `resume`.
    public func subscribe(
        to gallery: Address, onChange: @escaping Receiver<Change>
    ) -> Subscription {
        let number = state.withLock { state in
            state.lastSubscriber += 1
            state.galleries[gallery, default: Gallery()].subscribers[state.lastSubscriber] =
                onChange
            return state.lastSubscriber
        }
        return Subscription(onCancel: { [self] in
            state.withLock { state in
                state.galleries[gallery]?.subscribers[number] = nil
                guard state.galleries[gallery]?.subscribers.isEmpty == true else { return }
                state.end(gallery)
                state.galleries[gallery] = nil
            }
        })
    }

    /// Lets the subscribers to `gallery` hear of the next changes, once they have dealt with the last ones.
    public func resume(_ gallery: Address) {
        state.withLock { state in
            guard let watched = state.galleries[gallery], watched.isBusy else { return }
            state.galleries[gallery]?.isBusy = false
            state.galleries[gallery]?.cost = SteadyClock.now - watched.told
        }
        schedule(gallery)
    }

    /// Begins to watch the files at `paths`, and only these, as `begin(_:of:)` does.
    func begin(files paths: [String], of gallery: Address) {
        state.withLock { $0.galleries[gallery]?.shown = Set(paths) }
        for folder in Set(paths.map(\.atLastSlash.folder)) { begin(folder, of: gallery) }
    }

    /// Begins to watch the folder at `path` if somebody subscribed to `gallery`, which shows it; to be called before it is read, so that no
    /// change is missed.
    ///
    /// Blocks on the disk.
    func begin(_ path: String, of gallery: Address) {
        let descriptor = state.withLock { state -> Int32? in
            guard let watched = state.galleries[gallery], watched.watches[path] == nil else {
                return nil
            }
            if state.descriptor < 0 { open(&state) }
            return state.descriptor
        }
        guard let descriptor else { return }
        let watch = inotify_add_watch(descriptor, path.cPath, Self.mask)
        if watch < 0 {
            // That the folder cannot be read is told by whoever reads it.
            guard ![ENOENT, ENOTDIR, EACCES].contains(errno) else { return }
            guard path != gallery.filePath else {
                return tell(
                    gallery, .unheard("changes here are not seen (no more watches): R looks again"))
            }
            return poll(gallery)
        }
        state.withLock { state in
            // The last subscriber may be gone by now.
            guard state.galleries[gallery] != nil else { return state.endIfUnused(watch) }
            state.galleries[gallery]?.watches[path] = watch
            state.folders[watch, default: [:]][gallery] = path
        }
        if path == gallery.filePath, isOnNetwork(path) {
            tell(
                gallery, .unheard("changes made on other machines are not seen here: R looks again")
            )
        }
    }

    /// Has the gallery read again after a while, which polls it as long as that finds no watches.
    private func poll(_ gallery: Address) {
        let isPolled = state.withLock { state in
            defer { state.galleries[gallery]?.isPolled = true }
            return state.galleries[gallery]?.isPolled ?? true
        }
        if isPolled { return }
        tell(gallery, .unheard("some folders are only seen every half minute (no more watches)"))
        queue.asyncAfter(deadline: .now() + Self.pollSeconds) { [weak self] in
            self?.state.withLock { state in
                state.galleries[gallery]?.isPolled = false
                state.galleries[gallery]?.first = SteadyClock.now
            }
            self?.schedule(gallery)
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
        let changed = state.withLock { state -> Set<Address> in
            var changed: Set<Address> = []
            while case let count = read(state.descriptor, &buffer, buffer.count), count > 0 {
                buffer[..<count].withUnsafeBytes { bytes in
                    var at = 0
                    while at + MemoryLayout<inotify_event>.size <= bytes.count {
                        let event = bytes.loadUnaligned(fromByteOffset: at, as: inotify_event.self)
                        at += MemoryLayout<inotify_event>.size
                        let end = min(at + Int(event.len), bytes.count)
                        let name = String(systemBytes: bytes[at..<end].prefix { $0 != 0 })
                        at = end
                        state.note(event, name, at: now, &changed)
                    }
                }
            }
            return changed
        }
        changed.forEach(schedule)
    }

    /// Tells the subscribers of a gallery what has changed there, once it is time to.
    private func schedule(_ gallery: Address) {
        let due = state.withLock { state -> Double? in
            guard let watched = state.galleries[gallery], let due = watched.due,
                !watched.isScheduled
            else { return nil }
            state.galleries[gallery]?.isScheduled = true
            return due
        }
        guard let due else { return }
        queue.asyncAfter(deadline: .now() + max(0, due - SteadyClock.now)) { [weak self] in
            self?.tell(gallery)
        }
    }

    private func tell(_ gallery: Address) {
        let now = SteadyClock.now
        let change = state.withLock { state -> Change? in
            state.galleries[gallery]?.isScheduled = false
            guard let due = state.galleries[gallery]?.due, due <= now else { return nil }
            return state.galleries[gallery]?.take(at: now)
        }
        if let change { tell(gallery, change) } else { schedule(gallery) }
    }

    func tell(_ gallery: Address, _ change: Change) {
        let subscribers = state.withLock { $0.galleries[gallery]?.subscribers }
        subscribers?.values.forEach { $0(change) }
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
