import Basics
import Glibc
import Network
import TestSupport
import Testing

@testable import halftone

/// Opening addresses with a real program.
@Suite("The web browser")
struct WebBrowserTests {
    private func address(_ text: String) -> Address { Address(text) ?? Address(path: "/") }

    @Test("the program receives the address as its only argument, without shell interpretation")
    func argument() throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path
        #expect(mkfifo(folder + "/out", 0o600) == 0)
        let script = "#!/bin/sh\nprintf '%s|' \"$#\" \"$1\" > '\(folder)/out'\n"
        let file = open(folder + "/browser", O_WRONLY | O_CREAT, 0o700)
        _ = script.withCString { write(file, $0, strlen($0)) }
        close(file)
        let browser = WebBrowser(variables: ["BROWSER": "/nonexistent/b:\(folder)/browser"])
        let url = "https://e.example/a;touch$(x)'b?c=1&d"
        #expect(browser.open(address(url)) == "opened in \(folder)/browser")
        let reader = open(folder + "/out", O_RDONLY)
        defer { close(reader) }
        let out = readToEnd(of: reader, expecting: 0, limit: 1 << 20).bytes
        #expect(String(decoding: out, as: UTF8.self) == "1|\(address(url).text)|")
    }

    @Test("a missing browser is skipped, and $BROWSER entries with arguments are ignored")
    func missing() {
        #expect(
            WebBrowser(variables: ["BROWSER": "w3m %s:firefox"]).candidates == [
                "firefox", "xdg-open",
            ])
        #expect(WebBrowser(variables: [:]).candidates == ["xdg-open"])
    }
}
