import Basics
import Dispatch
import Gallery
import Network

/// What the program is taught: recipes for pages, by examples, and how pictures look.
extension BrowserModel {
    /// Adds the pictures of a folder, without an argument of the one shown, to those that are known by their look.
    func learnLooks(inFolder text: String) {
        if services.state == nil { return show("nothing is kept (--no-state)") }
        findPlace(text.isEmpty ? "." : text) { [weak self] result in
            guard let self else { return }
            guard let address = try? result.get().address else {
                return show("\(text): is no folder")
            }
            show("indexing \(texts.text(address))")
            services.index?.index(
                address, completion: onMain { [display] in display.show("\($0) pictures indexed") })
        }
    }

    /// Shows everything on the gallery's pages that could be a picture, or only its pictures again.
    func showAll() {
        guard let teaching = services.teaching, let section = level.currentSection,
            section.folder == nil
        else { return show("a folder is shown whole anyway") }
        level.unwanted = []
        let isShown = teaching.toggle(section.firstPages)
        gallery.reload(fromCache: true)
        show(isShown ? Self.howToTeach : "the gallery only")
    }

    /// Has the gallery's pages drawn by the browser, or no longer.
    func toggleRendering() throws {
        try checkRights()
        guard let toggle = services.toggleRendering else {
            return show("there is no browser to draw pages")
        }
        guard let section = level.currentSection, section.address.isOnWeb else {
            return show("only pages of the web are drawn by a browser")
        }
        let isRendered = toggle(section.firstPages)
        gallery.reload(fromCache: true)
        show(isRendered ? "drawn by the browser" : "as the server sends it")
    }

    private static let howToTeach = "mark two that are wanted, go to one that is not, :learn"

    /// Makes a recipe that finds the marked pictures and not the selected one, and asks whether to keep it.
    func learn() {
        let level = level
        guard let learn = services.learn, let teaching = services.teaching,
            let picture = level.selectedPicture, level.marks.count > 1,
            !level.marks.contains(picture.image)
        else { return show(Self.howToTeach) }
        let unwanted = level.unwanted.union([picture.image])
        let examples = RecipeExamples(
            page: picture.page, wanted: level.marks, unwanted: unwanted.subtracting(level.marks))
        request = context.request { answer in
            learn(examples, answer)
        } receive: { [weak self] (result: Result<RecipeLesson, PageError>) in
            guard let self else { return }
            endRequest(nil)
            switch result {
            case .failure(let error): show("nothing learnt: \(error)")
            case .success(let lesson):
                level.unwanted = unwanted
                ask(about: lesson, in: teaching, host: picture.page.host)
            }
        }
    }

    /// Shows what a recipe finds, and asks whether to keep it; if not, all is as before.
    private func ask(about lesson: RecipeLesson, in teaching: RecipeTeaching, host: String) {
        let here = level.here
        teaching.adopt(lesson)
        gallery.reload(fromCache: true)
        dialogs.ask(
            Question(
                title: "Keep this recipe?",
                message: "\(lesson.count) of \(lesson.total) pictures on this page",
                detail: lesson.item, answer: "Keep",
                accept: { [told = onMain(display.show)] in
                    DispatchQueue.global().asyncGuarded { told(teaching.save(lesson, host: host)) }
                },
                dismiss: { [weak self] in
                    teaching.discardLatest()
                    self?.gallery.reload(fromCache: true, at: here)
                }))
    }
}
