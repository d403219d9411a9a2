public import Basics
import Collector
import Gallery
import Network
public import Raster

/// Changing the files of pictures, one command at a time, and undoing that.
extension BrowserModel {
    /// Changes the files of the marked pictures, or of the selected one, as `change` says for the folder or name typed, if there is to be one.
    ///
    /// The message tells what was done: "moved 3 files to ~/keep". A command without its folder or name is typed on.
    func changeFiles(
        _ verb: String, _ command: Command? = nil, _ call: CommandCall? = nil,
        _ change: @escaping (String) -> FileChange
    ) throws {
        try checkRights()
        let isRenaming = command == .rename
        if let command, call?.argument == "" {
            let file = isRenaming ? level.chosenPictures.first?.largest.filePath : nil
            return prompt.open(
                .command, text: "\(command.rawValue) \(file?.atLastSlash.name ?? "")")
        }
        choose { [weak self] orders in
            guard let self else { return }
            let pictures = orders.map(\.picture)
            let paths = pictures.filter { $0.kind == .picture }.compactMap(\.largest.filePath)
            if paths.count < max(1, pictures.count) {
                return show(
                    pictures.contains { $0.kind == .album }
                        ? "only for pictures, not for albums"
                        : "only for files on this disk: s saves pictures of the web")
            }
            if isRenaming, paths.count > 1 {
                return show("only one file can be renamed at a time")
            }
            guard let call else {
                return begin(paths.map { ($0, change("")) }, verb, "")
            }
            let target = isRenaming ? call.argument : gallery.path(call.argument)
            let shown = texts.shortened(target)
            let works = paths.map { ($0, change(target)) }
            let start = { [weak self] in self?.begin(works, verb, " to \(shown)") ?? () }
            if isRenaming || call.isForced { return start() }
            services.files?.isFolder(
                target,
                answer: onMain { [dialogs] isFolder in
                    if isFolder { return start() }
                    dialogs.ask(
                        Question(
                            title: "There is no such folder", message: shown, answer: "Make it",
                            accept: start))
                })
        }
    }

    /// Turns files for good as `name` says, or without one as the picture in the viewer is turned.
    func turnFiles(_ name: String) throws {
        let place = Command.turns.firstIndex(of: name)
        let turn = place.map { Turn(quarters: $0 + 1, isMirrored: $0 > 2) } ?? viewer.rotation
        guard viewer.isOpen && name.isEmpty || place != nil, turn != Turn() else {
            return show("turn the picture in the viewer first, or say how")
        }
        try changeFiles("turned") { _ in .turn(turn) }
    }

    /// Undoes the last of these commands.
    func undoFiles() throws {
        try checkRights()
        guard let works = fileHistory.last else { return show("nothing to undo") }
        begin(works.reversed(), "undone:", "", isUndo: true)
    }

    private func begin(
        _ works: [FileWork], _ verb: String, _ place: String, isUndo: Bool = false
    ) {
        guard fileProgress.isEmpty, let files = services.files else {
            return show("files cannot be changed now")
        }
        fileProgress = verb
        files.change(
            works,
            report: onMain { [weak self] undoing, left, failures, rest in
                guard let self else { return }
                let done = undoing.count
                let all = done + failures.count + rest
                let name = (isUndo ? undoing : works).first?.path.atLastSlash.name ?? ""
                let files = done == all ? "\(all) files" : "\(done) of \(all)"
                fileProgress = "\(verb) \(done == 1 && all == 1 ? name : files)\(place)"
                guard rest == 0 else { return }
                let hint = isUndo || undoing.isEmpty ? "" : ": U undoes it"
                show(([fileProgress + hint] + failures.suffix(1)).joined(separator: "; "))
                fileProgress = ""
                if isUndo {
                    fileHistory.removeLast()
                    if !left.isEmpty { fileHistory.append(left.reversed()) }
                } else if hint != "" {
                    fileHistory.append(undoing)
                }
                if case .turn? = works.first?.change { viewer.beginPicture() }
                fileFailures += failures
                let paths = (works + undoing).map(\.path)
                var renamed: [Address: Address] = [:]
                for case (let new, .restore(let old, _)) in undoing
                where new.atLastSlash.folder == old.atLastSlash.folder {
                    renamed[Address(path: old)] = Address(path: new)
                }
                if isUndo, case (let path, .restore)? = undoing.last, let id = level.selection,
                    path.atLastSlash.folder == "\(gallery.folder ?? "")/"
                {
                    gallery.head(to: .place(Address(path: path), number: id.index + 1))
                }
                for level in gallery.levels {
                    level.renamed.follow(renamed)
                    level.sections.forEach { $0.follow(paths) }
                }
            })
    }
}

/// What is to be done with a file.
public enum FileChange: Sendable {
    case trash
    /// Into a folder, which is made if it is missing.
    case copy(String), move(String)
    /// Another name in the same folder.
    case rename(String)
    /// The picture in a JPEG, for good.
    case turn(Turn)
    /// Back to this path, and removed from the trash's list.
    case restore(String, info: String? = nil)
    /// Removed, as long as it is still the same.
    case remove(FileIdentity?)
}

/// The path of a file, and what is to be done with it.
public typealias FileWork = (path: String, change: FileChange)

/// What takes the changes made so far back, what may succeed another time, one line for each failure, and how many works are still to be
/// done.
public typealias FileReport = (
    undoing: [FileWork], left: [FileWork], failures: [String], rest: Int
)
