import Basics
import Glibc
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Changes of files that the program's end comes between.
    @Suite("Files and the end") struct FileChangeTests {
        let folder: ScratchFolder
        private let size = 48 << 20

        /// A picture followed by so many zeros that copying them takes a while.
        init() throws {
            folder = try ScratchFolder()
            let picture = PixelBuffer(
                filledWith: ProgramGallery.color(1), size: PixelSize(width: 60, height: 40))
            let path = try folder.write(ImageEncoder.jpeg(picture), to: "pics/large.jpg")
            #expect(truncate(path, size) == 0)
        }

        private func sizeOfCopy() -> Int? {
            FileIdentity(path: folder.path + "/copies/large.jpg")?.size
        }

        private func started() throws -> ProgramScreen {
            let screen = try ProgramScreen([folder.path + "/pics"], in: folder)
            #expect(screen.wait { $0.position == "1/1" }, "\(screen.screen.text)")
            return screen
        }

        @Test(
            "a program that is killed while it copies leaves the whole copy or none, and the file")
        func killed() throws {
            for _ in 1...5 {
                let screen = try started()
                screen.type(":copy! \(folder.path)/copies\r")
                let hasBegun = screen.wait { _ in access(folder.path + "/copies", F_OK) == 0 }
                #expect(hasBegun)
                screen.process.signal(SIGKILL)
                _ = screen.waitForExit()
                #expect([nil, size].contains(sizeOfCopy()))
                unlink(folder.path + "/copies/large.jpg")
                #expect(FileIdentity(path: folder.path + "/pics/large.jpg")?.size == size)
            }
        }

        @Test(
            "q ends the program once the files under way are copied, into a folder made after a question"
        )
        func quitting() throws {
            let screen = try started()
            screen.type(":copy \(folder.path)/copies\r")
            #expect(screen.waitFor("There is no such folder"))
            #expect(access(folder.path + "/copies", F_OK) != 0)
            screen.type("\r")
            #expect(screen.wait { _ in access(folder.path + "/copies", F_OK) == 0 })
            // On a fast disk all may be copied by now.
            screen.type("q\r")
            #expect(screen.waitForExit() == .code(0))
            #expect(sizeOfCopy() == size)
            #expect(fileNames(in: folder.path + "/copies", limit: 10) == ["large.jpg"])
        }
    }
}
