import Basics
import Dispatch
import Glibc
package import Network
import Pipeline

/// Pages drawn by a browser that is installed: one for all of them, started with the first and ended a minute after the last.
///
/// Usable from any thread but the main one, as its functions wait for the browser. All that it reaches goes through a `ForwardProxy`.
package final class PageRenderer: Sendable {
    private struct State {
        var browser: DevTools?
        var proxy: ForwardProxy?
        /// The number of open tabs, and of all that have been opened.
        var open = 0, opened = 0
    }

    private let programs: [[String]]
    private let script: String
    private let folder: String
    private let fetcher: FetchStage
    private let limit: Int
    private let patience: Double
    private let state = Locked(State())
    /// Starts browsers, one at a time.
    private let starting = DispatchQueue(label: "halftone.browser.start")

    /// In seconds; how long a browser without a page is kept.
    private static let idle = 60
    /// The browser's arguments: no window, nothing kept, nothing asked of its maker, and no way past the proxy.
    private static let arguments = [
        "--headless", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
        "--disable-extensions", "--disable-sync", "--disable-background-networking",
        "--disable-component-update", "--disable-breakpad", "--mute-audio", "--hide-scrollbars",
        "--window-size=1280,1200", "--proxy-bypass-list=<-loopback>",
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
    package init(
        _ programs: [[String]], script: String, in folder: String, limit: Int, fetcher: FetchStage,
        patience: Double = 30
    ) {
        (self.programs, self.script, self.folder) = (programs, script, folder)
        (self.limit, self.fetcher, self.patience) = (limit, fetcher, patience)
    }

    /// Opens a page in a tab of its own, which is closed when it is released; returns it and the page, as HTML, once it is drawn.
    ///
    /// - Parameter referer: the page that named the address, which decides what may be reached; nil if the user did.
    package func open(
        _ address: Address, referer: Address?
    ) throws(FetchError) -> (tab: Tab, page: Response) {
        let (browser, proxy) = try starting.sync {
            Result { () throws(FetchError) in try started() }
        }.get()
        let pass = proxy.admit(address, referer: referer, limit: limit)
        let context: LooseValue
        do throws(FetchError) {
            let answer = try browser.call(
                "Target.createBrowserContext",
                [
                    "disposeOnDetach": true, "proxyBypassList": "<-loopback>",
                    "proxyServer": .text("http://127.0.0.1:\(proxy.port)"),
                ])
            context = answer["browserContextId"] ?? .null
        } catch {
            pass.revoke()
            throw error
        }
        state.withLock { ($0.open, $0.opened) = ($0.open + 1, $0.opened + 1) }
        let tab = Tab(of: browser, context, pass: pass, fetcher: fetcher) {
            [weak self] in self?.tabClosed()
        }
        guard let script = smallFile(script, limit: 1 << 20) else {
            throw .other("cannot read \(script)")
        }
        return (tab, try tab.open(address, script: String(decoding: script, as: UTF8.self)))
    }

    /// Ends the browser and all that it has opened.
    package func end() {
        let (browser, proxy) = state.withLock { state in
            defer { (state.browser, state.proxy) = (nil, nil) }
            return (state.browser, state.proxy)
        }
        browser?.end()
        proxy?.end()
    }

    private func tabClosed() {
        let opened = state.withLock { state in
            state.open -= 1
            return state.open == 0 ? state.opened : nil
        }
        guard let opened else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.idle)) {
            [weak self] in
            if self?.state.withLock({ $0.open == 0 && $0.opened == opened }) == true { self?.end() }
        }
    }

    /// Returns the browser that runs, or starts one.
    private func started() throws(FetchError) -> (DevTools, ForwardProxy) {
        let (browser, proxy) = state.withLock { ($0.browser, $0.proxy) }
        if let browser, let proxy, !browser.isOver { return (browser, proxy) }
        guard geteuid() != 0 || programs.contains(where: { $0.contains("--no-sandbox") }) else {
            throw .other("a browser runs as root only with --no-sandbox in \"browser-program\"")
        }
        let new: ForwardProxy
        if let proxy { new = proxy } else { new = try ForwardProxy(fetcher: fetcher) }
        var name = (folder + "/halftone-browser-XXXXXX").cPath
        guard mkdtemp(&name) != nil else { throw FetchError(errno) }
        let profile = String(systemName: name)
        let arguments =
            Self.arguments + [
                "--user-data-dir=" + profile, "--proxy-server=http://127.0.0.1:\(new.port)",
                "about:blank",
            ]
        var started: DevTools?
        for program in programs where started == nil {
            started = DevTools(program + arguments, in: profile, patience: patience)
        }
        guard let started else {
            rmdir(profile.cPath)
            throw .other(
                "no browser is installed that could draw it (Debian's package is chromium)")
        }
        state.withLock { ($0.browser, $0.proxy) = (started, new) }
        return (started, new)
    }
}
