import Basics
import Network
import Raster
import TestSupport

@testable import Browser
@testable import Gallery

/// A folder of files, which have numbers besides their names.
@MainActor final class FolderWalk: EventWalk {
    var random: SeededRandom
    var fault: String?
    var trail: [String] = []
    var line: String?
    let rig: Rig
    private let watch = FolderWatch()
    /// Below /proc nothing is looked up on the disk when a picture is opened, which would take its time.
    private static let folder = Address(path: "/proc/pics", isFolder: true)

    /// The files by name, what the last page had, and those in the folder "/proc/pics/0" and in the trash.
    private var files: [String: Int] = [:]
    private var shown: [String: Int] = [:]
    private var moved: [String: Int] = [:]
    private var trashed: [String: Int] = [:]
    private var changed: (names: Set<String>, renamed: [String: String]) = ([], [:])
    private var isReading = false
    private var count = 0
    /// The file that has to be selected once the next page has come.
    private var awaited: Int?
    /// What was selected when a line was opened, or a filter began, and has not been left since.
    private var origin: Int?
    private var originName: String?
    private var returns: Int?
    private var works = 0
    /// Whether the viewer was opened from the grid.
    private var isOpenedHere = false

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        var source = Source(argument: "pics", address: Self.folder)
        // As if a picture file had been named.
        if seed % 2 == 0 {
            source.start = Picture(
                variants: [.init(address: Address(path: "/proc/pics/a11.jpg"))], page: Self.folder,
                title: "a11.jpg")
        }
        rig = Rig(
            [], rows: 400, sources: [source], watch: watch)
        for _ in 0..<9 { addFile() }
        if seed % 2 == 0 { files["a11.jpg"] = files["a11.jpg"] ?? 1000 }
        read()
    }

    private func addFile() {
        count += 1
        let name = "\("abc".randomElement(using: &random) ?? "a")\(count % 5)\(count).jpg"
        files[name] = count
        changed.names.insert(name)
    }

    /// The number of a shown picture's file; nil for the album.
    private func number(of image: Address?) -> Int? {
        image?.filePath.flatMap { shown[String($0.dropFirst("/proc/pics/".count))] }
    }

    func keyPressed() { awaited = nil }

    private var selected: Int? { number(of: level.selectedPicture?.image) }
    private var marks: Set<Int> { Set(level.marks.compactMap { number(of: $0) }) }

    func step() {
        switch chance(20) {
        case 0..<9: key()
        case 9..<12: change()
        case 12..<14: tell()
        case 14..<17: read()
        case 17: report()
        case 18: perform(["right", "left", "mark", "back", "down"][chance(5)])
        default: rig.main.drain()
        }
        // What another program does is the reader's doing here.
        if trail.last?.hasPrefix("remote") == true { (origin, returns) = (nil, nil) }
        _ = rig.draw()
        isOpenedHere = isOpenedHere && rig.model.viewer.isOpen
        expect(
            rig.gallery == nil
                || level.marks.count { $0.filePath?.hasPrefix("/proc/pics/0/") != true }
                    == marks.count,
            "marks of no file: \(level.marks)")
    }

    private func key() {
        let isTyping = rig.draw().bottom.lead != nil
        let keys: [Key] =
            isTyping
            ? ["a", "b", "1", .escape, .escape, .enter]
            : [
                "l", "h", "l", "g", "m", "m", "V", "f", "/", .delete, .delete, .enter, .escape,
                .escape, "U", "q", "K",
            ]
        let key = keys[chance(keys.count)]
        let (before, wasViewer) = (selected, rig.model.viewer.isOpen)
        let (lead, isAsked) = (rig.draw().bottom.lead, rig.dialog != nil)
        // What other programs have done by now is known before files are changed.
        let isAtRest = changed.names.isEmpty && rig.pages.waiting.isEmpty
        if [Key.delete, "U", "K"].contains(key), !isAtRest { return }
        if key == "K" { return moveBelow() }
        let drawn = drawnMarks
        let effects = press(key)
        rig.main.drain()
        if rig.files.count > works, case (let path, .trash)? = rig.files.works.first {
            _ = path
            checkWorks(drawn: drawn, before: before, wasViewer: wasViewer, isAsked: isAsked)
        }
        works = rig.files.count
        if key == "q", wasViewer, isOpenedHere, lead == nil, !isAsked {
            expect(
                !effects.contains(.quit) && rig.dialog?.title != "Quit?",
                "q quits from the gallery's viewer")
        }
        if !wasViewer, key == .enter { isOpenedHere = true }
        if isAsked { return }
        if lead == nil, key == "f" || key == "/" {
            (origin, returns) = (before, key == "f" ? before : nil)
            originName = shown.first { $0.value == before }?.key
        } else if lead != nil, key == .escape {
            let wanted = lead?.hasPrefix("/") == true ? origin : returns
            // The line does not follow renames.
            if let wanted, isShown(wanted), shown[originName ?? ""] == wanted {
                expect(selected == wanted, "Esc goes to \(selected ?? 0), not back to \(wanted)")
            }
            (origin, returns) = (nil, lead?.hasPrefix("/") == true ? returns : nil)
        } else if lead == nil, key == .escape, !wasViewer, let wanted = returns, awaited == nil {
            if rig.message == "all shown", shown.values.contains(wanted) {
                expect(selected == wanted, "without the filter \(selected ?? 0), not \(wanted)")
                returns = nil
            }
        } else if lead == nil || lead?.hasPrefix("/") == true {
            returns = nil
        }
    }

    private func isShown(_ number: Int?) -> Bool {
        guard let name = shown.first(where: { $0.value == number })?.key else { return false }
        return level.sections[0].arrangement.shown.contains {
            level.sections[0].pictures[$0].title == name
        }
    }

    /// The files of the tiles that are drawn as marked.
    private var drawnMarks: Set<Int> {
        guard let gallery = rig.gallery else { return marks }
        return Set(gallery.tiles.filter(\.isMarked).compactMap { shown[$0.title] })
    }

    /// What is trashed is what is drawn as marked, or the picture selected; in the viewer never without that, unless asked.
    private func checkWorks(
        drawn: Set<Int>, before: Int?, wasViewer: Bool, isAsked: Bool
    ) {
        let numbers = Set(rig.files.works.compactMap { number(of: Address(path: $0.path)) })
        trail.append("trash \(numbers.sorted())")
        expect(numbers.count == rig.files.works.count, "trashes no file that is shown")
        if isAsked { return }
        if wasViewer {
            expect(before.map(numbers.contains) == true, "trashes what is not on the screen")
        } else {
            expect(
                numbers == (drawn.isEmpty ? Set([before].compactMap(\.self)) : drawn),
                "trashes \(numbers), drawn as marked are \(drawn)")
        }
    }

    private func moveBelow() {
        guard rig.draw().bottom.lead == nil, rig.dialog == nil else { return }
        for scalar in ":move /proc/pics/0".unicodeScalars { _ = press(.character(scalar)) }
        _ = press(.enter)
        works = rig.files.count
        (origin, awaited) = (nil, nil)
    }

    /// Another program adds, removes or renames files, several times in a row.
    private func change() {
        guard rig.model.fileProgress.isEmpty else { return }
        for _ in 0..<1 + chance(3) {
            let names = files.keys.sorted()
            guard let name = names.randomElement(using: &random), chance(4) > 0, names.count > 3
            else {
                addFile()
                continue
            }
            let number = files.removeValue(forKey: name)
            changed.names.insert(name)
            if chance(4) == 0 { continue }
            // A name that was just given up may be taken again.
            let old = changed.names.sorted().first { files[$0] == nil && $0 != name }
            let new = chance(3) > 0 ? old ?? "b\(count)x.jpg" : "b\(count)y.jpg"
            count += 1
            files[new] = number
            changed.names.insert(new)
            changed.renamed.follow([name: new])
            trail.append("\(name) → \(new)")
        }
    }

    private var told: FolderWatch.Change {
        let path = { "/proc/pics/" + $0 }
        let renamed = changed.renamed.map { (path($0), path($1)) }
        return .files(
            Set(changed.names.map(path)), renamed: Dictionary(uniqueKeysWithValues: renamed))
    }

    private func tell() {
        guard !isReading, !changed.names.isEmpty else { return }
        watch.tell(Self.folder, told)
        (changed, isReading) = (([], [:]), true)
        rig.main.drain()
        trail.append("told")
    }

    /// Answers the load of the folder, if it is being read.
    private func read() {
        // What has been changed until then is known at the latest with the page.
        if rig.pages.waiting.isEmpty { return }
        if !changed.names.isEmpty {
            watch.tell(Self.folder, told)
            changed = ([], [:])
            rig.main.drain()
        }
        rig.pages.set(.success(page), at: Self.folder)
        let (marks, selected, before) = (marks, selected, shown)
        let old = level.sections[0].arrangement.shown.map { level.sections[0].pictures[$0].title }
        // A move that waits for the page goes on with it.
        let wasHeld =
            level.hidden != nil || level.selection == nil || rig.model.gallery.pendingMove != nil
        rig.pages.release(Self.folder)
        shown = files
        rig.main.drain()
        isReading = !rig.pages.waiting.isEmpty
        trail.append("page")
        let left = marks.intersection(files.values)
        // A new file under a marked one's name is what a program has saved.
        expect(
            self.marks.isSuperset(of: left)
                && self.marks.subtracting(left).isDisjoint(with: before.values),
            "marks \(marks) are now \(self.marks)")
        defer { awaited = nil }
        guard let selected, !wasHeld else { return }
        let name = before.first { $0.value == selected }?.key ?? ""
        let place = old.firstIndex(of: name) ?? 0
        let near = (1...old.count).lazy.flatMap { [place + $0, place - $0] }
            .filter(old.indices.contains).map { old[$0] }.first { self.isShown(self.shown[$0]) }
        if isShown(awaited) {
            expect(self.selected == awaited, "\(self.selected ?? 0), not \(awaited ?? 0)")
        } else if isShown(selected) {
            expect(self.selected == selected, "\(self.selected ?? 0), no longer \(selected)")
        } else if shown[name] == nil, !files.values.contains(selected), let near {
            expect(
                self.selected == shown[near],
                "\(self.selected ?? 0), not \(shown[near] ?? 0), is nearest to \(selected)")
        }
    }

    private var page: Page {
        var pictures = files.keys.sorted().map { name in
            Picture(
                variants: [.init(address: Address(path: "/proc/pics/" + name))], page: Self.folder,
                title: name)
        }
        if let cover = moved.keys.min() {
            pictures.insert(
                Picture(
                    variants: [.init(address: Address(path: "/proc/pics/0/" + cover))],
                    link: Address(path: "/proc/pics/0", isFolder: true), page: Self.folder,
                    title: "0",
                    kind: .album), at: 0)
        }
        return Page(address: Self.folder, title: "pics", pictures: PictureList(pictures))
    }

    /// What was asked of the files is done, or fails for those that are gone.
    private func report() {
        guard !rig.model.fileProgress.isEmpty else { return }
        var (done, failures): ([FileWork], [String]) = ([], [])
        for (path, change) in rig.files.works {
            let name = path.atLastSlash.name
            switch change {
            case .trash:
                guard let number = files.removeValue(forKey: name) else {
                    failures.append(name + ": is gone")
                    continue
                }
                trashed["\(number)"] = number
                done.append(("/trash/\(number)", .restore(path)))
            case .move:
                guard let number = files.removeValue(forKey: name), moved[name] == nil else {
                    failures.append(name + ": is gone")
                    continue
                }
                moved[name] = number
                done.append(("/proc/pics/0/" + name, .restore(path)))
            case .restore(let place, _):
                let old = place.atLastSlash.name
                let isBelow = path.hasPrefix("/proc/pics/0/")
                guard files[old] == nil, let number = isBelow ? moved[name] : trashed[name] else {
                    failures.append(name + ": is taken")
                    continue
                }
                if isBelow { moved[name] = nil }
                files[old] = number
                done.append((place, .restore(path)))
                awaited = number
            default: failures.append(name)
            }
        }
        trail.append("done \(done.map(\.path))")
        rig.files.report(done, failures: failures)
        rig.main.drain()
    }
}
