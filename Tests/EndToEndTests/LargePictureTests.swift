import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Local pictures larger than a download may be.
    @Suite("Large pictures") struct LargePictureTests {
        @Test("--max-bytes refuses no local picture, alone, in a folder or in the viewer")
        func large() throws {
            let folder = try ScratchFolder()
            let path = try folder.write(
                ProgramPictures.png(ProgramGallery.color(1)),
                to: "large/\(ProgramGallery.title(1)).png")
            // A hole costs nothing.
            truncate(path, 80 << 20)
            let alone = try ProgramRun(["--print", "--size", "20x8", path], in: folder)
            #expect(alone.code == 0 && alone.errors.isEmpty, "\(alone.errors)")
            let screen = try ProgramScreen(
                ["--max-bytes", "1", folder.path + "/large"], in: folder)
            #expect(screen.waitForThumbnails([1]), "\(screen.screen.text)")
            screen.type(Keys.enter)
            #expect(
                screen.wait {
                    $0.colors(in: CellRect(x: 20, y: 5, columns: 40, rows: 10))
                        == [CellColor(ProgramGallery.color(1))]
                }, "\(screen.screen.text)")
            truncate(path, 1 << 31)
            let beyond = try ProgramRun(["--print", "--size", "20x8", path], in: folder)
            #expect(
                beyond.errors.first?.hasSuffix("larger than the 1024 MB allowed") == true,
                "\(beyond.errors)")
        }
    }
}
