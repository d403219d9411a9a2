import Basics
import Network
import Raster
import TestSupport
import Testing
import Thumbnails

@testable import Browser
@testable import Gallery

/// The commands that change files; the files themselves stay.
@MainActor @Suite("File commands") struct FileCommandTests {
    private static let folder = Address(path: "/pics", isFolder: true)

    private static func page(_ names: [String]) -> Page {
        Page(
            address: folder, title: "pics",
            pictures: PictureList(
                names.map { name in
                    Picture(
                        variants: [.init(address: Address(path: "/pics/" + name))], page: folder,
                        title: name)
                }))
    }

    private func shown(_ names: [String] = ["a.jpg", "b.jpg", "c.jpg"]) -> Rig {
        var options = BrowserOptions()
        options.home = "/home/me"
        let rig = Rig(
            [], options: options, sources: [Source(argument: "pics", address: Self.folder)])
        rig.pages.set(.success(Self.page(names)), at: Self.folder)
        rig.loadPages()
        return rig
    }

    private func run(_ line: String, in rig: Rig) {
        rig.type(":" + line)
        rig.press(.enter)
        // The folder is looked for.
        rig.main.drain()
    }

    @Test("Del trashes the selected picture's file; once it is gone, the next one is selected")
    func trash() {
        let rig = shown()
        rig.type("l")
        rig.press(.delete)
        #expect(rig.files.works.map(\.path) == ["/pics/b.jpg"])
        guard case .trash? = rig.files.works.first?.change else {
            Issue.record("not trashed")
            return
        }
        rig.pages.set(.success(Self.page(["a.jpg", "c.jpg"])), at: Self.folder)
        rig.files.report([("/trash/b.jpg", .restore("/pics/b.jpg", info: "/trash/b.info"))])
        rig.settle()
        #expect(rig.message == "trashed b.jpg: U undoes it")
        #expect(rig.titles == ["a.jpg", "c.jpg"] && rig.selected == "c.jpg")
        rig.press(.delete)
        rig.pages.set(.success(Self.page(["a.jpg"])), at: Self.folder)
        rig.files.report([("/trash/c.jpg", .restore("/pics/c.jpg", info: "/trash/c.info"))])
        rig.settle()
        #expect(rig.selected == "a.jpg", "the one before the last")
    }

    @Test("in another order the picture that took the place of a trashed one is selected")
    func trashInOrder() {
        let rig = shown(["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
        run("sort -title", in: rig)
        rig.type("gl")
        #expect(rig.titles == ["d.jpg", "c.jpg", "b.jpg", "a.jpg"] && rig.selected == "c.jpg")
        rig.press(.delete)
        rig.pages.set(.success(Self.page(["a.jpg", "b.jpg", "d.jpg"])), at: Self.folder)
        rig.files.report([("/trash/c.jpg", .restore("/pics/c.jpg"))])
        rig.settle()
        #expect(rig.titles == ["d.jpg", "b.jpg", "a.jpg"] && rig.selected == "b.jpg")
    }

    @Test("U undoes the last command, then the one before, each as a whole")
    func undo() {
        let rig = shown()
        rig.type("U")
        #expect(rig.message == "nothing to undo")
        rig.press(.delete)
        rig.files.report([("/trash/a.jpg", .restore("/pics/a.jpg"))])
        rig.settle()
        rig.type("mlm")
        run("move ~/keep", in: rig)
        rig.files.report([
            ("/home/me/keep/a.jpg", .restore("/pics/a.jpg")),
            ("/home/me/keep/b.jpg", .restore("/pics/b.jpg")),
        ])
        rig.settle()
        rig.type("U")
        #expect(rig.files.works.map(\.path) == ["/home/me/keep/b.jpg", "/home/me/keep/a.jpg"])
        rig.files.report([("/pics/b.jpg", .restore("x")), ("/pics/a.jpg", .restore("x"))])
        rig.settle()
        #expect(rig.message == "undone: 2 files")
        run("undo", in: rig)
        #expect(rig.files.works.map(\.path) == ["/trash/a.jpg"])
        rig.files.report([], left: rig.files.works, failures: ["a.jpg: no"])
        rig.settle()
        #expect(rig.message == "undone: 0 of 1; a.jpg: no")
        run("undo", in: rig)
        #expect(rig.files.works.map(\.path) == ["/trash/a.jpg"], "what may succeed now")
        rig.files.report([], failures: ["a.jpg: no"])
        rig.settle()
        rig.type("U")
        #expect(rig.message == "nothing to undo")
    }

    @Test("the marked files are moved or copied; what was done and a failure are one line")
    func marked() {
        let rig = shown()
        rig.type("M")
        #expect(rig.position == "1/3 · 3 marked")
        run("move ~/keep", in: rig)
        #expect(rig.files.works.map(\.path) == ["/pics/a.jpg", "/pics/b.jpg", "/pics/c.jpg"])
        let targets = rig.files.works.map { work -> String in
            if case .move(let folder) = work.change { folder } else { "" }
        }
        #expect(Set(targets) == ["/home/me/keep"])
        rig.files.report([("/home/me/keep/a.jpg", .restore("/pics/a.jpg"))])
        rig.settle()
        #expect(rig.draw().bottom.progress == "moved 1 of 3 to ~/keep")
        rig.press(.delete)
        #expect(rig.message == "files cannot be changed now" && rig.files.count == 1)
        rig.pages.set(.success(Self.page(["b.jpg"])), at: Self.folder)
        rig.files.report(
            [
                ("/home/me/keep/a.jpg", .restore("/pics/a.jpg")),
                ("/home/me/keep/c.jpg", .restore("/pics/c.jpg")),
            ], failures: ["b.jpg: Permission denied"])
        rig.settle()
        #expect(rig.message == "moved 2 of 3 to ~/keep: U undoes it; b.jpg: Permission denied")
        #expect(rig.draw().bottom.progress == "")
        #expect(rig.titles == ["b.jpg"])
        #expect(rig.position == "1/1 · 1 marked", "what is gone is no longer marked")
        run("copy rel", in: rig)
        guard case .copy("/pics/rel")? = rig.files.works.first?.change else {
            Issue.record("not copied")
            return
        }
        rig.files.report([("/pics/rel/b.jpg", .remove(nil))])
        rig.settle()
        #expect(rig.message == "copied b.jpg to /pics/rel: U undoes it")
        #expect(rig.position == "1/1 · 1 marked")
    }

    @Test("a renamed picture stays selected, also after undoing that")
    func rename() {
        let rig = shown()
        rig.type("l")
        run("rename z.jpg", in: rig)
        rig.pages.set(.success(Self.page(["a.jpg", "c.jpg", "z.jpg"])), at: Self.folder)
        rig.files.report([("/pics/z.jpg", .restore("/pics/b.jpg"))])
        rig.settle()
        #expect(rig.message == "renamed b.jpg to z.jpg: U undoes it")
        #expect(rig.selected == "z.jpg")
        rig.type("U")
        rig.pages.set(.success(Self.page(["a.jpg", "b.jpg", "c.jpg"])), at: Self.folder)
        rig.files.report([("/pics/b.jpg", .restore("/pics/z.jpg"))])
        rig.settle()
        #expect(rig.selected == "b.jpg")
        rig.type("M")
        run("rename y.jpg", in: rig)
        #expect(rig.message == "only one file can be renamed at a time" && rig.files.count == 2)
    }

    @Test("a command without its folder or name is typed on, with the name that is to be changed")
    func missingNames() {
        let rig = shown()
        rig.type("l")
        for (line, typed) in [
            ("move", ":move "), ("copy", ":copy "), ("rename", ":rename b.jpg"),
        ] {
            run(line, in: rig)
            #expect(rig.draw().bottom.lead == typed)
            rig.press(.escape)
        }
        #expect(rig.files.count == 0)
    }

    @Test("a folder that is not there is made after a question, or at once with !")
    func newFolder() {
        let rig = shown()
        rig.files.missing = ["/pics/new", "/home/me/new"]
        run("move new", in: rig)
        #expect(rig.files.count == 0 && rig.dialog?.message == "/pics/new")
        rig.press(.escape)
        #expect(rig.files.count == 0 && rig.dialog == nil)
        run("copy ~/new", in: rig)
        #expect(rig.dialog?.message == "~/new")
        rig.press(.enter)
        guard case .copy("/home/me/new")? = rig.files.works.first?.change else {
            Issue.record("not copied")
            return
        }
        rig.files.report([("/home/me/new/a.jpg", .remove(nil))])
        rig.settle()
        run("move! new", in: rig)
        #expect(rig.dialog == nil && rig.files.count == 2)
    }

    @Test("a typed path is relative to the folder shown, also where pictures are saved")
    func relative() {
        let rig = shown()
        run("w keep", in: rig)
        #expect(rig.saving.folders == ["/pics/keep"])
        run("w ../x.cbz", in: rig)
        run("w ~/x", in: rig)
        run("w /x", in: rig)
        #expect(rig.saving.folders.dropFirst() == ["/pics/../x.cbz", "/home/me/x", "/x"])
        let web = Rig()
        web.loadPages()
        run("w keep", in: web)
        #expect(web.saving.folders == [(realPath(".") ?? "") + "/keep"])
    }

    @Test("files of one picture are counted")
    func companions() {
        let rig = shown()
        rig.press(.delete)
        rig.files.report([
            ("/trash/a.jpg", .restore("/pics/a.jpg")), ("/trash/a.dng", .restore("/pics/a.dng")),
        ])
        rig.settle()
        #expect(rig.message == "trashed 2 files: U undoes it")
    }

    @Test(
        "names from other programs lead to the command",
        arguments: ["rm", "delete", "mv /x", "move! /x"])
    func synonyms(line: String) {
        let rig = shown()
        run(line, in: rig)
        #expect(rig.files.count == 1)
    }

    @Test("pictures of the web, and albums, are not changed")
    func web() {
        let rig = Rig()
        rig.loadPages()
        for line in ["trash", "move x", "copy x", "rename x", "rotate-file right"] {
            run(line, in: rig)
            #expect(rig.message == "only for files on this disk: s saves pictures of the web")
        }
        let albums = Rig([], sources: [Source(argument: "pics", address: Self.folder)])
        let album = Rig.picture(0, 0, 0, kind: .album)
        albums.pages.set(
            .success(Page(address: Self.folder, title: "", pictures: [album])), at: Self.folder)
        albums.loadPages()
        albums.press(.delete)
        #expect(albums.message == "only for pictures, not for albums")
        #expect(rig.files.count == 0)
    }

    @Test("no key that was not typed changes a file")
    func haste() {
        let rig = shown()
        for key in [Key.delete, "U"] {
            rig.model.handle(.key(key), isTyped: false)
            #expect(rig.message == "too fast to have been typed: press the key again")
        }
        for line in ["trash", "move x", "copy x", "rename x", "rotate-file right", "undo"] {
            rig.type(":" + line)
            rig.model.handle(.key(.enter), isTyped: false)
            #expect(rig.files.count == 0)
            rig.press(.escape)
        }
    }

    @Test(
        "files are turned as named",
        arguments: [
            ("right", Turn(quarters: 1)), ("half", Turn(quarters: 2)), ("left", Turn(quarters: 3)),
            ("flip", Turn(isMirrored: true)),
            ("flip-vertical", Turn(quarters: 2, isMirrored: true)),
        ])
    func turning(name: String, turn: Turn) {
        var flipped = Turn()
        flipped.flip(isVertical: true)
        #expect(flipped == Turn(quarters: 2, isMirrored: true))
        let rig = shown()
        run("rotate-file " + name, in: rig)
        guard case .turn(let asked)? = rig.files.works.first?.change else {
            Issue.record("not turned")
            return
        }
        #expect(asked == turn)
    }

    @Test("in the viewer a file is turned as its picture is; then that is drawn again, unturned")
    func turningAsSeen() {
        let rig = shown()
        run("rotate-file", in: rig)
        #expect(rig.message == "turn the picture in the viewer first, or say how")
        run("rotate-file upside", in: rig)
        #expect(rig.files.count == 0)
        rig.press(.enter)
        rig.loadPictures()
        rig.type(")|")
        rig.loadPictures()
        var seen = Turn(quarters: 1)
        seen.flip(isVertical: false)
        #expect(rig.model.viewer.rotation == seen)
        run("rotate-file nonsense", in: rig)
        #expect(rig.files.count == 0)
        run("rotate-file", in: rig)
        guard case .turn(let asked)? = rig.files.works.first?.change else {
            Issue.record("not turned")
            return
        }
        #expect(asked == seen)
        let address = Address(path: "/pics/a.jpg")
        let before = rig.thumbnails.requests.count
        rig.files.report([("/pics/a.jpg", .turn(seen))])
        rig.settle()
        #expect(rig.model.viewer.rotation == Turn())
        let again = rig.thumbnails.requests.dropFirst(before).first { $0.address == address }
        #expect(again.map { $0.generation > .any } == true && again?.turn == Turn())
        #expect(
            rig.viewer?.picture.isReady == true, "the old cells stay until the new ones are there")
        rig.press(.escape)
        rig.type(":rotate-file")
        rig.press(.enter)
        #expect(rig.message == "turn the picture in the viewer first, or say how")
    }

    @Test(
        "in the viewer the next picture follows a trashed one, fitted and unturned; none closes it")
    func viewer() {
        let rig = shown()
        rig.type("l")
        rig.press(.enter)
        rig.loadPictures()
        rig.type(")+++")
        #expect(rig.model.viewer.zoom.isZoomed)
        rig.press(.delete)
        #expect(rig.files.works.map(\.path) == ["/pics/b.jpg"])
        rig.pages.set(.success(Self.page(["a.jpg", "c.jpg"])), at: Self.folder)
        rig.files.report([("/trash/b.jpg", .restore("/pics/b.jpg"))])
        rig.settle()
        #expect(rig.viewer != nil && rig.model.gallery.level.selectedPicture?.title == "c.jpg")
        #expect(rig.model.viewer.rotation == Turn() && !rig.model.viewer.zoom.isZoomed)
        rig.press(.delete)
        rig.pages.set(.success(Self.page(["a.jpg"])), at: Self.folder)
        rig.files.report([("/trash/c.jpg", .restore("/pics/c.jpg"))])
        rig.settle()
        #expect(rig.viewer != nil && rig.model.gallery.level.selectedPicture?.title == "a.jpg")
        rig.press(.delete)
        rig.pages.set(.failure(.noPictures), at: Self.folder)
        rig.files.report([("/trash/a.jpg", .restore("/pics/a.jpg"))])
        rig.settle()
        #expect(rig.gallery != nil && rig.notes == [noPicturesNote])
    }

    @Test("a copy elsewhere leaves the viewer as it is")
    func viewerStays() {
        let rig = shown()
        rig.press(.enter)
        rig.loadPictures()
        rig.type(")+++")
        let (rotation, zoom) = (rig.model.viewer.rotation, rig.model.viewer.zoom)
        run("copy /keep", in: rig)
        rig.files.report([("/keep/a.jpg", .remove(nil))])
        rig.settle()
        #expect(
            rig.model.viewer.rotation == rotation && rig.model.viewer.zoom.factor == zoom.factor)
    }

    @Test("a folder is completed from the working folder, a command's choices from its own")
    func completion() {
        let rig = shown()
        rig.type(":rotate-file fl")
        rig.press(.tab)
        #expect(rig.draw().bottom.label.hasPrefix(":rotate-file flip"))
    }

    /// The addresses and names of files that another program has renamed.
    private func change(_ watch: FolderWatch, _ names: [String], renamed: [(String, String)]) {
        var pairs: [String: String] = [:]
        for (old, new) in renamed { pairs.follow(["/pics/" + old: "/pics/" + new]) }
        watch.tell(Self.folder, .files(Set(names.map { "/pics/" + $0 }), renamed: pairs))
    }

    @Test("marks and the selection follow files that are renamed one after the other")
    func renamedInARow() {
        let watch = FolderWatch()
        let rig = Rig([], sources: [Source(argument: "pics", address: Self.folder)], watch: watch)
        rig.pages.set(.success(Self.page(["1.png", "2.png", "3.png", "5.png"])), at: Self.folder)
        rig.loadPages()
        rig.type("mlll")
        #expect(rig.selected == "5.png")
        rig.pages.set(.success(Self.page(["2.png", "3.png", "4.png", "99.png"])), at: Self.folder)
        change(
            watch, ["1.png", "2.png", "3.png", "4.png", "5.png", "99.png"],
            renamed: [
                ("3.png", "4.png"), ("2.png", "3.png"), ("1.png", "2.png"), ("5.png", "tmp"),
                ("tmp", "99.png"),
            ])
        rig.settle()
        #expect(rig.selected == "99.png")
        rig.press(.delete)
        #expect(rig.files.works.map(\.path) == ["/pics/2.png"])
    }

    @Test("in the viewer the reader is asked if others are marked and the picture shown is not")
    func viewerAndMarks() {
        let rig = shown()
        rig.type("mlml")
        rig.press(.enter)
        #expect(!rig.draw().bottom.isMarked)
        rig.press(.delete)
        #expect(rig.dialog?.title == "2 marked, and not this one" && rig.files.count == 0)
        #expect(rig.dialog?.message == "c.jpg")
        #expect(rig.dialog?.answers.map(\.title) == ["This one", "Marked", "Dismiss"])
        #expect(rig.dialog?.answers.map(\.key) == ["Enter", "m", "Esc"])
        rig.press(.escape)
        #expect(rig.files.count == 0 && rig.viewer != nil)
        rig.press(.delete, .enter)
        #expect(rig.files.works.map(\.path) == ["/pics/c.jpg"])
        rig.files.report([], failures: ["c.jpg: no"])
        rig.settle()
        run("move ~/keep", in: rig)
        rig.type("m")
        rig.main.drain()
        #expect(rig.files.works.map(\.path) == ["/pics/a.jpg", "/pics/b.jpg"])
        rig.files.report([], failures: ["a.jpg: no", "b.jpg: no"])
        rig.settle()
        rig.type("m")
        #expect(rig.draw().bottom.isMarked)
        rig.press(.delete)
        #expect(rig.dialog == nil && rig.files.works.count == 3)
        rig.files.report([], failures: ["a", "b", "c"])
        rig.settle()
        rig.type("ms")
        #expect(rig.dialog != nil && rig.saving.titles == [])
        rig.model.handle(.key("m"), isTyped: false)
        #expect(rig.dialog != nil && rig.message.hasPrefix("too fast"))
        rig.type("m")
        #expect(rig.saving.titles == ["a.jpg", "b.jpg"])
    }

    @Test("behind a filter the reader is asked if marked pictures are hidden")
    func filterAndMarks() {
        let rig = shown()
        rig.type("mlmfc")
        rig.press(.enter, .delete)
        #expect(rig.dialog?.title == "2 marked, and not this one" && rig.selected == "c.jpg")
        rig.press(.enter)
        #expect(rig.files.works.map(\.path) == ["/pics/c.jpg"])
        rig.files.report([], failures: ["c.jpg: no"])
        rig.settle()
        rig.press(.escape)
        rig.type("fb")
        rig.press(.enter, .delete)
        #expect(rig.dialog?.title == "2 marked, and not all shown")
        rig.press(.enter)
        #expect(rig.files.works.map(\.path) == ["/pics/b.jpg"])
    }

    @Test("a range is acted on as it is drawn, and ends up as no mark of its own")
    func openRange() {
        let rig = shown()
        rig.type("Vl")
        #expect(rig.gallery?.tiles.map(\.isMarked) == [true, true, false])
        rig.press(.delete)
        #expect(rig.files.works.map(\.path) == ["/pics/a.jpg", "/pics/b.jpg"])
        rig.files.report([], failures: ["a.jpg: no", "b.jpg: no"])
        rig.settle()
        rig.press(.escape)
        #expect(rig.gallery?.tiles.contains { $0.isMarked } == false)
        rig.type("Vh")
        rig.press(.enter)
        #expect(rig.draw().bottom.isMarked && rig.message == "2 marked", "the viewer ends it")
    }

    /// A page with an album of the folder "keep", whose cover is the picture called `cover` there.
    private func page(_ names: [String], cover: String) -> Page {
        var page = Self.page(names)
        page.pictures.insert(
            Picture(
                variants: [.init(address: Address(path: "/pics/keep/" + cover))],
                link: Address(path: "/pics/keep", isFolder: true), page: Self.folder,
                title: "keep", kind: .album), at: 0)
        return page
    }

    @Test(
        "what followed moved pictures is selected, also if the folder that they went to appears before them",
        arguments: [false, true])
    func movedBelow(inViewer: Bool) {
        let rig = shown(["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"])
        rig.type("mlml")
        if inViewer { rig.press(.enter) }
        rig.type("m")
        run("move /pics/keep", in: rig)
        rig.pages.set(.success(page(["d.jpg", "e.jpg"], cover: "a.jpg")), at: Self.folder)
        rig.files.report(
            ["a", "b", "c"].map {
                ("/pics/keep/\($0).jpg", .restore("/pics/\($0).jpg"))
            })
        rig.settle()
        #expect(rig.model.gallery.level.selectedPicture?.title == "d.jpg")
        #expect(rig.model.gallery.level.marks == [], "its cover is not marked")
    }

    @Test("U goes to what it has brought back")
    func undoneThere() {
        let rig = shown()
        rig.press(.delete)
        rig.pages.set(.success(Self.page(["b.jpg", "c.jpg"])), at: Self.folder)
        rig.files.report([("/trash/a.jpg", .restore("/pics/a.jpg"))])
        rig.settle()
        rig.type("lU")
        rig.pages.set(.success(Self.page(["a.jpg", "b.jpg", "c.jpg"])), at: Self.folder)
        rig.files.report([("/pics/a.jpg", .restore("/trash/a.jpg"))])
        rig.settle()
        #expect(rig.selected == "a.jpg" && rig.message == "undone: a.jpg")
    }

    @Test("leaving while files are changed is asked about; what fails then is told at the end")
    func quitting() {
        let rig = shown()
        rig.type("l")
        run("copy /keep", in: rig)
        #expect(rig.press("q") == nil)
        #expect(rig.dialog?.title == "Quit?")
        #expect(rig.dialog?.message == "copied: the rest is done first.")
        #expect(rig.press(.enter) == .quit)
        rig.model.end()
        rig.files.report([], failures: ["b.jpg: no room"])
        rig.settle()
        #expect(rig.model.fileFailures == ["b.jpg: no room"])
    }

    @Test("a failure that has been told on the screen is not told again at the end")
    func toldFailure() {
        let rig = shown()
        rig.press(.delete)
        rig.files.report([], failures: ["a.jpg: no"])
        rig.settle()
        #expect(rig.press("q") == .quit)
        rig.model.end()
        #expect(rig.model.fileFailures == [])
    }
}
