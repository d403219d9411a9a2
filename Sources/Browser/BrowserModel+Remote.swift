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
            let section = (level.sectionPlaces[id.section] ?? 0) + 1
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

    /// Runs a line as after `:`; `answer` is called once, with what is wrong with it in one line, if need be after a SOURCE has been
    /// looked for.
    ///
    /// Other programs are run and files changed only if `allowsAll`. What covers the gallery or viewer, such as a question, is the
    /// reader's: the line applies to what is below.
    public func perform(
        _ line: String, allowsAll: Bool, answer: @escaping (_ failure: String?) -> Void
    ) {
        beginInput(in: viewContext)
        let before = request
        let isDone = run(Line(text: line, origin: .remote(allowsAll: allowsAll)))
        if request === before || !isDone { return answer(isDone ? nil : display.message) }
        requestAnswer = answer
    }

    /// Answers the program that asked for what is requested, if one did.
    func endRequest(_ failure: String?) {
        requestAnswer?(failure)
        requestAnswer = nil
    }
}
