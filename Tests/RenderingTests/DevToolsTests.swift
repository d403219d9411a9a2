import Basics
import Glibc
import Network
import Rendering
import TestSupport
import TestTraits
import Testing

/// Programs of ours in place of a browser, which say what none would.
@Suite("Browsers that are none", .onOwnThread) struct DevToolsTests {
    init() { signal(SIGPIPE, SIG_IGN) }

    /// Tries to open a page in a program; returns why it cannot be.
    private func failure(
        of program: [String], in folder: ScratchFolder, patience: Double = 60
    ) throws -> String {
        let address = try #require(Address("http://127.0.0.1:9/"))
        let renderer = PageRenderer(
            [["no-such-browser"], program + ["--no-sandbox"]], script: #filePath, in: folder.path,
            limit: 1 << 20, fetcher: FetchStage(options: NetworkOptions()), patience: patience,
            idle: 0)
        do {
            _ = try renderer.tab(for: address, referer: nil).advance()
            return ""
        } catch {
            return "\(error)"
        }
    }

    /// Whether all that the program has started is gone in the end, and its profile with it.
    private func isGone(_ folder: ScratchFolder) -> Bool {
        let process = pid_t(
            String(decoding: folder.read("process"), as: UTF8.self).filter(\.isNumber))
        for _ in 0..<2_000 {
            let names = fileNames(in: folder.path, limit: 10) ?? []
            if process.map(isRunning) == false, names == ["process"] { return true }
            usleep(20_000)
        }
        return false
    }

    @Test(
        "whatever it says, the page fails with a reason, and nothing is left",
        arguments: [
            ("printf 'garbage\\0' >&4; sleep 600", "ended"),
            ("exit 3", "ended"),
            ("kill -9 $$", "ended"),
            // A message without an end.
            ("yes >&4", "ended"),
            ("yes '[[[[[[[[[[[[[[[[' >&4", "ended"),
            (
                "for i in 1 2 3 4 5 6 7 8; do printf '[[[[[[[[[[[[[[[[' >&4; done; printf '\\0' >&4; cat",
                "ended"
            ),
            (
                "head -c 1 <&3; printf '{\"id\":1,\"error\":{\"message\":\"\\033[2Jno\"}}\\0' >&4; sleep 600",
                "says: [2Jno"
            ),
        ])
    func saysWhatever(_ script: String, _ reason: String) throws {
        let folder = try ScratchFolder()
        let text = try failure(
            of: ["sh", "-c", "echo $$ > $TMPDIR/../process; " + script], in: folder)
        #expect(text.contains(reason), "\(text)")
        #expect(isGone(folder))
    }

    @Test(
        "one that neither answers nor reads is given up",
        arguments: ["kill -STOP $$", "sleep 600 & exit"])
    func hangs(_ script: String) throws {
        let folder = try ScratchFolder()
        let text = try failure(
            of: ["sh", "-c", "echo $$ > $TMPDIR/../process; " + script], in: folder,
            patience: 0.2)
        #expect(text.contains("never rest"), "\(text)")
        #expect(isGone(folder))
    }

    @Test("answers without content are no page") func saysNothing() throws {
        let folder = try ScratchFolder()
        let program = """
            import json, os
            open(os.environ["TMPDIR"] + "/../process", "w").write(str(os.getpid()))
            told = os.fdopen(3, "rb")
            tell = os.fdopen(4, "wb")
            message = b""
            while byte := told.read(1):
                message += byte
                if byte == b"\\0":
                    answer = {"id": json.loads(message[:-1])["id"], "result": {}}
                    tell.write(json.dumps(answer).encode() + b"\\0")
                    tell.flush()
                    message = b""
            """
        let text = try failure(of: ["python3", "-c", program], in: folder)
        #expect(text.contains("no page of the web"), "\(text)")
        #expect(isGone(folder))
    }

    @Test("a program that is not there is named") func missing() throws {
        let folder = try ScratchFolder()
        let renderer = PageRenderer(
            [["no-such-browser", "--no-sandbox"]], script: #filePath, in: folder.path, limit: 1,
            fetcher: FetchStage(options: NetworkOptions()))
        let address = try #require(Address("http://127.0.0.1:9/"))
        #expect(throws: FetchError.self) {
            _ = try renderer.tab(for: address, referer: nil)
        }
        #expect(fileNames(in: folder.path, limit: 10) == [])
    }
}
