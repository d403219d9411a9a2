import Basics
import Gallery
import Network

/// What other programs may ask and do.
extension BrowserModel {
    /// Returns a property as JSON; nil if there is none of this name.
    ///
    /// `selection` is a record as of `--json`, `marked` the marked names, `section` and `place` the title and address of what is shown,
    /// `progress` what the bottom line says of it, `layout` how its pictures are laid out, `viewer` whether one is open, and `ended`
    /// whether the section is complete.
    public func property(_ name: String) -> String? {
        let level = gallery.level
        switch name {
        case "selection":
            guard let id = level.selection, let picture = level.selectedPicture else {
                return "null"
            }
            let section = (level.places[id.section] ?? 0) + 1
            return PictureRecord(picture, section: section, index: id.index + 1).line
        case "marked":
            let names = level.marked.map { JSONString.quoted($0.name) }
            return "[" + names.joined(separator: ",") + "]"
        case "section": return JSONString.quoted(level.currentSection?.title ?? "")
        case "place": return JSONString.quoted(level.currentSection?.address.text ?? "")
        case "progress": return JSONString.quoted(progress)
        case "layout": return JSONString.quoted(gallery.layout.rawValue)
        case "viewer": return String(viewer.isOpen)
        case "ended":
            return String(level.currentSection.map { !$0.mayGrow && $0.failure == nil } ?? false)
        default: return nil
        }
    }

    /// Runs a line as after `:`; returns what is wrong with it, in one line.
    ///
    /// Other programs are run and files changed only if `allowsAll`.
    public func perform(_ line: String, allowsAll: Bool) -> String? {
        let line = String(line.drop { ": ".contains($0) })
        isDeliberate = true
        display.stateChanged()
        let call = try? context.options.keys.call(line, in: lineContext)
        let reachesOut = call.map { Command.reachingOut.contains($0.row.command) } ?? false
        if line.hasPrefix("!") || reachesOut, !allowsAll { return "needs --ipc-commands all" }
        return run(lines: [":" + line]) ? nil : display.message
    }
}

extension Command {
    /// The commands that run other programs or change files, and the answer to a question whether to.
    static let reachingOut: Set<Command> = [
        .run, .openElsewhere, .trash, .copy, .move, .rename, .rotateFile, .undo, .accept,
    ]
}
