import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        "The shipped gallery",
        .enabled(
            if: access(resources + "/Gallery/index.html", R_OK) == 0,
            "it is painted by make gallery"))
    struct ShippedGalleryTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        /// Makes an empty folder to start in.
        private func empty() throws -> String {
            let path = folder.path + "/empty"
            #expect(mkdir(path, 0o700) == 0)
            return path
        }

        @Test("without a SOURCE the shipped gallery opens in colour, with titles, and scrolls")
        func opens() throws {
            let screen = try ProgramScreen(
                [], in: folder, environment: ["HALFTONE_RESOURCES": resources], at: try empty())
            #expect(
                screen.wait { $0.selectedNumber == 1 && $0.halfBlockColors > 100 },
                "\(screen.screen.text)")
            let first = screen.selectedTitle
            #expect(first?.isEmpty == false)
            screen.type("  ")
            #expect(screen.wait { $0.selectedNumber ?? 1 > 6 && $0.halfBlockColors > 100 })
            #expect(screen.selectedTitle != first)
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test("every picture it names exists and can be drawn")
        func isWhole() throws {
            let run = try ProgramRun(
                ["--pages", "all", resources + "/Gallery/index.html"], in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.lines.count >= 24)
            #expect(Set(run.lines).count == run.lines.count)
            let missing = run.lines.filter { line in
                !line.hasPrefix("file://") || access(String(line.dropFirst(7)), R_OK) != 0
            }
            #expect(missing.isEmpty, "\(missing)")
            let sheet = try ProgramRun(
                [
                    "--print", "--pages", "all", "--tile", "8", "--colors", "256",
                    resources + "/Gallery/index.html",
                ], in: folder, seconds: 60)
            #expect(sheet.code == 0, "\(sheet.errors)")
            #expect(!sheet.output.contains("× "))
        }

        @Test("a resource folder without a gallery is reported in one line")
        func missing() throws {
            let screen = try ProgramScreen(
                [], in: folder, environment: ["HALFTONE_RESOURCES": folder.path], at: try empty())
            #expect(screen.waitFor("halftone: "), "\(screen.screen.text)")
            #expect([.code(1), .code(2)].contains(screen.waitForExit()))
        }
    }
}

/// The repository's resource folder, found from the path of the built program.
private let resources: String = {
    var folder = ProgramRun.executable[...]
    while let slash = folder.lastIndex(of: "/") {
        folder = folder[..<slash]
        if access(folder + "/Resources/Gallery", R_OK) == 0 { break }
    }
    return folder + "/Resources"
}()

extension ProgramScreen {
    /// The number of different colours of its half blocks.
    fileprivate var halfBlockColors: Int {
        var colors: Set<CellColor> = []
        for cell in grid.cells where [0x2580, 0x2584].contains(cell.glyph) {
            colors.formUnion(cell.visibleColors)
        }
        return colors.count
    }
}
