import Basics
import Dispatch
import Glibc
package import Network

/// A browser and the proxy through which it reaches all that it does; they end when nobody holds them any more.
final class RunningBrowser: Sendable {
    let tools: DevTools
    let proxy: ForwardProxy
    /// In seconds: how long it is kept without a page.
    private let idle: Double

    init(_ tools: DevTools, _ proxy: ForwardProxy, idle: Double) {
        self.tools = tools
        self.proxy = proxy
        self.idle = idle
    }

    deinit {
        tools.end()
        proxy.end()
    }

    /// Stays for the next page.
    func linger() {
        DispatchQueue.global().asyncAfter(deadline: .now() + idle) { [self] in
            withExtendedLifetime(self) {}
        }
    }
}

/// Pages drawn by a browser that is installed: one for all of them, started with the first and ended a minute after the last.
///
/// Usable from any thread but the main one, as its functions wait for the browser. All that it reaches goes through a `ForwardProxy`.
package final class PageRenderer: Sendable {
    /// The browser that runs, if any.
    struct Running {
        weak var browser: RunningBrowser?
    }

    private let programs: [[String]]
    private let script: String
    private let folder: String
    private let fetcher: FetchStage
    private let limit: Int
    private let patience: Double
    private let idle: Double
    let running = Locked(Running())

    /// The browser's arguments: no window, nothing kept, nothing asked of its maker, no page slower than another, and no way past the proxy.
    private static let arguments = [
        "--headless", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
        "--disable-extensions", "--disable-sync", "--disable-background-networking",
        "--disable-component-update", "--disable-breakpad", "--mute-audio", "--hide-scrollbars",
        "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
        "--window-size=1280,1200", "--block-new-web-contents", "--proxy-bypass-list=<-loopback>",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--disable-quic",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    ]

    /// Creates a renderer that starts the first of `programs` that is installed, with a profile in a new folder below `folder`.
    ///
    /// - Parameters:
    ///   - programs: names or paths, and their arguments.
    ///   - script: the path of `page.js`.
    ///   - limit: the most bytes that a page may load.
    ///   - patience: after how many seconds a browser that says nothing is given up.
    ///   - idle: after how many seconds without a page the browser ends.
    package init(
        _ programs: [[String]], script: String, in folder: String, limit: Int, fetcher: FetchStage,
        patience: Double = 30, idle: Double = 60
    ) {
        self.programs = programs
        self.script = script
        self.folder = folder
        self.limit = limit
        self.fetcher = fetcher
        self.patience = patience
        self.idle = idle
    }

    /// Returns a new tab for a page, which is opened by its `advance`.
    ///
    /// - Parameter referer: the page that named the address, which decides what may be reached; nil if the user did.
    package func tab(for address: Address, referer: Address?) throws(FetchError) -> Tab {
        guard let script = smallFile(script, limit: 1 << 20) else {
            throw .other("cannot read \(script)")
        }
        let browser = try running.withLock { running throws(FetchError) in
            if let browser = running.browser, !browser.tools.isOver { return browser }
            let browser = try start()
            running.browser = browser
            return browser
        }
        return try Tab(
            for: address, referer: referer, limit: limit, in: browser,
            script: String(utf8: script))
    }

    private func start() throws(FetchError) -> RunningBrowser {
        guard geteuid() != 0 || programs.contains(where: { $0.contains("--no-sandbox") }) else {
            throw .other("a browser runs as root only with --no-sandbox in \"browser-program\"")
        }
        var name = "\(folder)/halftone-browser-XXXXXX".cPath
        guard mkdtemp(&name) != nil else { throw FetchError(errno) }
        let profile = String(systemName: name)
        let proxy = try ForwardProxy(fetcher: fetcher)
        let arguments =
            Self.arguments + [
                "--user-data-dir=\(profile)", "--proxy-server=http://127.0.0.1:\(proxy.port)",
                "about:blank",
            ]
        for program in programs {
            if let tools = DevTools(program + arguments, in: profile, patience: patience) {
                return RunningBrowser(tools, proxy, idle: idle)
            }
        }
        proxy.end()
        rmdir(profile.cPath)
        throw .other("no browser is installed that could draw it (Debian's package is chromium)")
    }
}
