import Basics
import Dispatch
import Gallery
import Glibc
import Network
import Pipeline
import State
import TestSupport
import Testing

@testable import Collector

/// Saving into real folders.
@Suite("Saving pictures")
struct SavingTests {
    private let fetcher: GatedFetcher
    private let scratch: ScratchFolder
    private var folder: String { scratch.path }

    /// Enough of a PNG to be told as one.
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [1, 2, 3]

    init() throws {
        fetcher = GatedFetcher()
        scratch = try ScratchFolder()
    }

    private func save(
        _ title: String, bytes: [UInt8] = Self.png, into path: String? = nil
    ) -> Result<String, SaveError> {
        let address = Address(path: "/\(title.hashValue)")
        fetcher.answer(address, with: bytes)
        return save(title, at: address, into: path)
    }

    private func save(
        _ title: String, at address: Address, into path: String? = nil, in chosen: String = "",
        as template: String? = nil, withRecord: Bool = false
    ) -> Result<String, SaveError> {
        var options = PictureSaver.Options(target: path ?? folder)
        options.template = template.flatMap { try? NameTemplate($0) }
        options.writesRecords = withRecord
        let saver = PictureSaver(fetcher: fetcher, options: options)
        var order = SaveOrder(
            Picture(variants: [Picture.Variant(address: address)], page: address, title: title))
        order.target = chosen
        let done = DispatchSemaphore(value: 0)
        let result = Locked<Result<String?, SaveError>?>(nil)
        saver.save(order) { answer in
            result.withLock { $0 = answer }
            done.signal()
        }
        guard done.wait(timeout: .testDeadline) == .success else {
            return .failure(.notWritten("no answer"))
        }
        return result.withLock(\.self)?.map { $0.map(Self.checkedName) ?? "known" }
            ?? .failure(.notWritten("no answer"))
    }

    /// Returns the name in a path to an existing file.
    private static func checkedName(_ path: String) -> String {
        #expect(path.hasPrefix("/") && access(path, F_OK) == 0, "\(path)")
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    private func names() -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    private func contents(_ name: String) -> [UInt8] {
        smallFile(folder + "/" + name, limit: 1 << 20) ?? []
    }

    @Test("a picture is saved completely under its title, with no other file left in the folder")
    func whole() {
        #expect(save("Dawn") == .success("Dawn.png"))
        #expect(names() == ["Dawn.png"])
        #expect(contents("Dawn.png") == Self.png)
    }

    @Test("an existing file is never overwritten, nor a symlink's target")
    func neverOver() {
        #expect(save("Dawn") == .success("Dawn.png"))
        #expect(save("Dawn", bytes: Self.png + [9]) == .success("Dawn (2).png"))
        symlink("/tmp/halftone-nowhere-\(getpid())", folder + "/Dusk.png")
        #expect(save("Dusk") == .success("Dusk (2).png"))
        #expect(access("/tmp/halftone-nowhere-\(getpid())", F_OK) != 0)
        #expect(contents("Dawn.png") == Self.png)
        #expect(names() == ["Dawn (2).png", "Dawn.png", "Dusk (2).png", "Dusk.png"])
    }

    @Test("pictures of one name are numbered, and found again by their contents")
    func oneName() {
        _ = save("Same", bytes: Self.png)
        for round in 1...2 {
            let saver = PictureSaver(
                fetcher: fetcher, options: PictureSaver.Options(target: folder))
            for batch in 0..<2 {
                let numbers = batch * 10..<batch * 10 + 10
                let paths = Locked<[String?]>([])
                let done = DispatchGroup()
                for number in numbers {
                    let address = Address(path: "/same/\(number)")
                    fetcher.answer(address, with: Self.png + [UInt8(number)])
                    let variants = [Picture.Variant(address: address)]
                    done.enter()
                    saver.save(
                        SaveOrder(Picture(variants: variants, page: address, title: "Same"))
                    ) { result in
                        paths.withLock { $0.append((try? result.get()) ?? nil) }
                        done.leave()
                    }
                }
                #expect(done.wait(timeout: .testDeadline) == .success)
                let wanted = numbers.map { "\(folder)/Same (\($0 + 2)).png" }
                let found = paths.withLock { $0.compactMap(\.self) }
                #expect(Set(found) == Set(round == 1 ? wanted : []))
            }
        }
        #expect(names().count == 21)
    }

    @Test("a record replaces nothing: picture and record get the next number that both can have")
    func recordBeside() throws {
        let address = Address(path: "/x")
        fetcher.answer(address, with: Self.png)
        try scratch.write("mine", to: "Dawn.png.json")
        symlink(folder + "/nowhere", folder + "/Dawn (2).png.json")
        for _ in 1...2 {
            let result = save("Dawn", at: address, withRecord: true)
            #expect(["Dawn (3).png", "known"].contains(try? result.get()))
        }
        #expect(contents("Dawn.png.json") == Array("mine".utf8))
        #expect(contents("Dawn (3).png.json").starts(with: "{".utf8))
        #expect(
            names() == [
                "Dawn (2).png.json", "Dawn (3).png", "Dawn (3).png.json", "Dawn.png.json",
            ])
    }

    @Test("no name leads outside the folder")
    func inside() {
        #expect(save("../../../tmp/out") == .success("tmp-out.png"))
        #expect(names() == ["tmp-out.png"])
    }

    @Test("a template's folders are made below the folder; one that is a link is not followed")
    func templateFolders() throws {
        let address = Address(path: "/dawn")
        let outside = try ScratchFolder()
        fetcher.answer(address, with: Self.png)
        symlink(outside.path, folder + "/out")
        for template in ["out/{name}.{ext}", "out/in/{name}.{ext}", "a/../out/{name}.{ext}"] {
            let isInside = template.hasPrefix("a")
            #expect(
                save("Dawn", at: address, as: template)
                    == (isInside ? .success("Dawn.png") : .failure(.notWritten("Not a directory"))))
        }
        #expect(fileNames(in: outside.path, limit: 9) == [])
        #expect(names() == ["a", "out"] && contents("a/out/Dawn.png") == Self.png)
    }

    @Test("a file that is there already, under this name or with a number, is not written twice")
    func twins() {
        let other = Self.png + [9]
        #expect(save("Dawn", bytes: other) == .success("Dawn.png"))
        #expect(save("Dawn") == .success("Dawn (2).png"))
        #expect(
            save("Dawn") == .success("known") && save("Dawn", bytes: other) == .success("known"))
        #expect(names() == ["Dawn (2).png", "Dawn.png"])
    }

    @Test("what killed programs have left is removed, unless another program saves there")
    func leftovers() throws {
        let parts = [".halftone-\(getppid())-1.part", ".halftone-99999999-1.part"]
        for name in parts + ["halftone-1-1.part"] { _ = try scratch.write(Self.png, to: name) }
        let other = OpenFile(folder, O_DIRECTORY)
        #expect(other.map { flock($0.descriptor, LOCK_SH) } == 0)
        #expect(save("Dawn") == .success("Dawn.png"))
        #expect(names() == (parts + ["Dawn.png", "halftone-1-1.part"]).sorted())
        // A program that another test is starting has the first one's lock until it runs.
        while let other, flock(other.descriptor, LOCK_EX | LOCK_NB) != 0 { poll(nil, 0, 1) }
        #expect(other.map { flock($0.descriptor, LOCK_UN) } == 0)
        #expect(save("Dusk") == .success("Dusk.png"))
        #expect(names() == ["Dawn.png", "Dusk.png", "halftone-1-1.part"])
    }

    /// Saves pictures into an archive, without packing it.
    private func saver(
        of titles: [String], into archive: String, failing reason: SaveError? = nil
    ) -> PictureSaver {
        let saver = PictureSaver(
            fetcher: fetcher, options: PictureSaver.Options(target: "\(folder)/\(archive)"))
        for title in titles {
            let address = Address(path: "/\(title)")
            fetcher.answer(address, with: Self.png + Array(title.utf8))
            let done = DispatchSemaphore(value: 0)
            saver.save(
                SaveOrder(Picture(variants: [.init(address: address)], page: address, title: title))
            ) { result in
                if case .failure(let error) = result {
                    #expect(error == reason)
                } else {
                    #expect(reason == nil)
                }
                done.signal()
            }
            #expect(done.wait(timeout: .testDeadline) == .success)
        }
        return saver
    }

    private func packing(_ saver: PictureSaver) -> SaveError? {
        let (failure, done) = (Locked<SaveError?>(nil), DispatchSemaphore(value: 0))
        saver.pack { error in
            failure.withLock { $0 = error }
            done.signal()
        }
        #expect(done.wait(timeout: .testDeadline) == .success)
        return failure.withLock(\.self)
    }

    /// The names of the pictures in an archive.
    private func packed(_ name: String) throws -> [String] {
        try Tool.output(of: "unzip", ["-Z1", "\(folder)/\(name)"]).filter {
            $0.hasSuffix(".png")
        }
    }

    @Test("a folder beside an archive that is a link, or of something else, stays as it is")
    func foreignParts() throws {
        let outside = try ScratchFolder()
        try outside.write("secret", to: "tax.txt")
        try outside.write("hidden", to: ".config")
        symlink(outside.path, folder + "/a.cbz.part")
        let isLink = saver(
            of: ["Dawn"], into: "a.cbz", failing: .notWritten("a.cbz.part: Not a directory"))
        #expect(packing(isLink) == .notWritten("a.cbz.part: Not a directory"))
        #expect(rename(outside.path, folder + "/b.cbz.part") == 0)
        let foreign = SaveError.refused("b.cbz.part is of something else: move it away")
        #expect(packing(saver(of: ["Dawn"], into: "b.cbz", failing: foreign)) == foreign)
        #expect(
            fileNames(in: folder + "/b.cbz.part", limit: 9, isAll: true)?.sorted()
                == [".config", "tax.txt"])
        #expect(names() == ["a.cbz.part", "b.cbz.part"])
    }

    @Test("what is no picture of the archive stays beside it")
    func othersInParts() throws {
        let saver = saver(of: ["Dawn"], into: "a.cbz")
        let parts = folder + "/a.cbz.part"
        try scratch.write("secret", to: "tax.txt")
        symlink(folder + "/tax.txt", parts + "/link.png")
        #expect(mkdir(parts + "/sub", 0o777) == 0)
        try scratch.write("hidden", to: "a.cbz.part/.config")
        #expect(packing(saver) == nil)
        #expect(try packed("a.cbz") == ["01 0001 Dawn.png"])
        #expect(
            fileNames(in: parts, limit: 9, isAll: true)?.sorted()
                == [".config", ".halftone", "link.png", "sub"])
        #expect(packing(self.saver(of: ["Dusk"], into: "a.cbz")) == nil)
        #expect(try packed("a (2).cbz") == ["01 0001 Dusk.png"])
    }

    @Test(
        "an archive is one program's at a time; what another one asked for fails, and goes on later"
    )
    func twoPrograms() throws {
        let first = saver(of: ["Dawn"], into: "a.cbz")
        let second = saver(
            of: ["Dusk"], into: "a.cbz", failing: .refused("a.cbz.part is in use"))
        #expect(fetcher.requests.map(\.address.lastPathComponent) == ["Dawn"], "none in vain")
        #expect(packing(second) == .refused("a.cbz.part is in use"))
        #expect(packing(first) == nil)
        #expect(try packed("a.cbz") == ["01 0001 Dawn.png"])
        #expect(packing(saver(of: ["Dusk"], into: "a.cbz")) == nil)
        #expect(try packed("a (2).cbz") == ["01 0001 Dusk.png"])
        #expect(names() == ["a (2).cbz", "a.cbz"])
    }

    @Test(
        "an archive that a killed program has packed is put into its place, and what is in it not packed again"
    )
    func settling() throws {
        #expect(mkdir(folder + "/a.cbz.part", 0o777) == 0)
        for name in [".halftone", ".packed", "old.png", ".halftone-1-1.part"] {
            try scratch.write("x", to: "a.cbz.part/" + name)
        }
        #expect(packing(saver(of: ["Dawn"], into: "a.cbz")) == nil)
        #expect(contents("a.cbz") == Array("x".utf8))
        #expect(try packed("a (2).cbz") == ["01 0001 Dawn.png"])
        #expect(names() == ["a (2).cbz", "a.cbz"])
    }

    @Test("many under way at once get their names in order, each known by then")
    func many() throws {
        let state = StateStore(folder: folder + "/state") { Issue.record("\($0)") }
        let saver = PictureSaver(
            fetcher: fetcher, options: PictureSaver.Options(target: folder + "/new"), state: state)
        let (results, done) = (Locked<[String?]>([]), DispatchSemaphore(value: 0))
        func save(_ numbers: Range<Int>) throws {
            for number in numbers {
                let address = try #require(Address("http://a/\(number)"))
                fetcher.answer(
                    address, with: Self.png + [UInt8(number % 200), UInt8(number / 200)])
                saver.save(
                    SaveOrder(
                        Picture(
                            variants: [.init(address: address)], page: address, title: "Dawn"))
                ) { result in
                    results.withLock { $0.append((try? result.get())?.atLastSlash.name) }
                    done.signal()
                }
            }
            for _ in numbers { #expect(done.wait(timeout: .testDeadline) == .success) }
        }
        try save(0..<600)
        let names = results.withLock(\.self)
        #expect(names == (1...600).map { "Dawn.png".numbered($0) })
        #expect(fileNames(in: folder + "/new", limit: 1000, isAll: true)?.count == 600)
        try save(0..<600)
        #expect(results.withLock { $0.suffix(600).allSatisfy { $0 == nil } })
        #expect(fetcher.requests.count == 600)
    }

    @Test("what several addresses have in common is one file, whether it arrives at once or later")
    func sameContents() throws {
        let state = StateStore(folder: folder + "/state") { Issue.record("\($0)") }
        let saver = PictureSaver(
            fetcher: fetcher, options: PictureSaver.Options(target: folder + "/new"), state: state)
        let (paths, done) = (Locked<[String?]>([]), DispatchSemaphore(value: 0))
        for numbers in [0..<300, 300..<303, 0..<303] {
            for number in numbers {
                let address = try #require(Address("http://a/\(number)"))
                fetcher.answer(address, with: Self.png)
                let picture = Picture(
                    variants: [.init(address: address)], page: address, title: "\(number)")
                saver.save(SaveOrder(picture)) { result in
                    paths.withLock { $0.append(try? result.get()) }
                    done.signal()
                }
            }
            for _ in numbers { #expect(done.wait(timeout: .testDeadline) == .success) }
        }
        #expect(paths.withLock(\.self).compactMap(\.self) == [folder + "/new/0.png"])
        #expect(fileNames(in: folder + "/new", limit: 9, isAll: true) == ["0.png"])
        #expect(fetcher.requests.count == 303)
    }

    @Test("a folder that was removed meanwhile is made again")
    func removedFolder() throws {
        let inner = SaveFolder(path: folder + "/a/b")
        for _ in 1...2 {
            #expect(try inner.write(as: "c") { writeAll(Self.png, to: $0) } == folder + "/a/b/c")
            #expect(unlink(folder + "/a/b/c") == 0 && rmdir(folder + "/a/b") == 0)
        }
    }

    @Test("a picture is saved in the folder chosen for it, which is created if it is missing")
    func chosenFolder() {
        let address = Address(path: "/dawn")
        fetcher.answer(address, with: Self.png)
        #expect(save("Dawn", at: address, in: folder + "/picked") == .success("Dawn.png"))
        #expect(names() == ["picked"])
        #expect(contents("picked/Dawn.png") == Self.png)
    }

    @Test(
        "a missing folder is made with those above it; one that cannot be made is a one-line error")
    func folders() {
        #expect(save("Dawn", into: folder + "/new") == .success("Dawn.png"))
        #expect(names() == ["new"])
        #expect(
            save("Dawn", into: folder + "/new/Dawn.png")
                == .failure(.notWritten("Not a directory")))
        #expect(
            save("Dawn", into: "/proc/a/b")
                == .failure(.notWritten("No such file or directory")))
        #expect(save("Dawn", into: folder + "/a/b/c") == .success("Dawn.png"))
    }

    @Test("a non-picture or failed download leaves no file")
    func failures() {
        #expect(save("Page", bytes: Array("<html>".utf8)) == .failure(.noPicture))
        let missing = save("Gone", at: Address(path: "/gone"))
        #expect(missing == .failure(.notFetched("the server answered 404 Not Found")))
        #expect(names() == [])
    }
}
