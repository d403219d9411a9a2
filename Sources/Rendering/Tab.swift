import Basics
import Glibc
package import Network
import Pipeline

/// A page that a browser shows, in a browser context of its own, as tabs of one context cannot be told apart.
///
/// Usable from any thread but the main one, as its functions wait for the browser. It is closed when it is released.
package final class Tab: Sendable {
    /// What the page's script says of the page.
    private struct Look {
        /// How often something that may be a picture has come or changed.
        var changes: Int
        /// Whether the page is scrolled to its end.
        var isAtEnd: Bool
    }

    private struct State {
        /// The identifiers of the tab and of its session, before it is open empty.
        var target = "", session = ""
        /// The identifiers of the requests whose answers may change the page.
        var requests: Set<String> = []
        /// How often the page has been looked at since something happened on it or its network.
        var looks = 0
        /// When more was last loaded.
        var advancedAt = 0.0
    }

    private let state = Locked(State())
    private let browser: RunningBrowser
    private var tools: DevTools { browser.tools }
    private var fetcher: FetchStage { browser.proxy.fetcher }
    private let pass: Pass
    private let context: LooseValue
    private let script: String

    /// How often nothing has happened on a page that is drawn: half a second, or longer where the page itself is slow.
    private static let quietLooks = 9
    /// In seconds: after what time what is there counts.
    private static let patience = 8.0
    /// In seconds, from one attempt to load more to the next.
    private static let pace = 1.0
    /// The length of a page in characters at which it is cut off.
    private static let maxCharacters = 16 << 20
    /// More than any page has at once.
    private static let maxRequests = 10_000
    /// The types of requests whose answers may change the page.
    private static let awaited: Set<String> = ["Document", "Stylesheet", "Script", "XHR", "Fetch"]
    /// Stands for every picture while the page lays itself out: an SVG of 400 × 300.
    private static let placeholder: LooseValue =
        "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI0MDAiIGhlaWdodD0iMzAwIi8+"

    /// Creates a browser context for a page, which may load `limit` bytes and gets `script` (`page.js`); `referer` is the page that named
    /// it, nil if the user did.
    init(
        for page: Address, referer: Address?, limit: Int, in browser: RunningBrowser,
        script: String
    ) throws(FetchError) {
        self.browser = browser
        self.script = script
        pass = browser.proxy.admit(page, referer: referer, limit: limit)
        let context = try browser.tools.call(
            "Target.createBrowserContext",
            [
                "disposeOnDetach": true, "proxyBypassList": "<-loopback>",
                "proxyServer": "http://127.0.0.1:\(browser.proxy.port)",
            ])
        self.context = context["browserContextId"] ?? .null
    }

    deinit {
        tools.send("Target.disposeBrowserContext", ["browserContextId": context])
        browser.proxy.dismiss(pass)
        browser.linger()
    }

    /// Opens the page and waits until it is drawn.
    private func open() throws(FetchError) {
        try call("Browser.setDownloadBehavior", ["behavior": "deny", "browserContextId": context])
        let created = try call(
            "Target.createTarget", ["url": "about:blank", "browserContextId": context])
        let target = created["targetId"]?.text ?? ""
        let attached = try call(
            "Target.attachToTarget", ["targetId": "\(target)", "flatten": true])
        let session = attached["sessionId"]?.text ?? ""
        state.withLock { state in
            state.target = target
            state.session = session
        }
        adopt(session)
        for line in fetcher.cookies(for: pass.page) {
            guard let cookie = LooseValue(cookie: line) else { continue }
            tools.send("Network.setCookie", cookie, in: session)
        }
        try call(
            "Page.addScriptToEvaluateOnNewDocument",
            ["worldName": "halftone", "source": "\(script)"])
        let answer = try call("Page.navigate", ["url": "\(pass.page.text)"])
        if let reason = answer["errorText"]?.text {
            throw .other("the browser says: \(reason.oneLine(limit: 200))")
        }
        // A page that never rests counts as it is by then, also one that is too busy to say how it is.
        _ = try? settle(until: SteadyClock.now + Self.patience)
    }

    /// Opens the page, and later scrolls on until something has come, or to the end, where it presses what loads more; returns the page at its
    /// final address as HTML, as it is drawn then, nil if nothing has come, and whether it is scrolled to its end.
    package func advance() throws(FetchError) -> (page: Response?, isAtEnd: Bool) {
        guard !state.current.session.isEmpty else {
            try open()
            return (try response(), false)
        }
        let pause = state.current.advancedAt + Self.pace - SteadyClock.now
        if pause > 0 { usleep(UInt32(pause * 1e6)) }
        let start = SteadyClock.now
        state.withLock { $0.advancedAt = start }
        let deadline = start + Self.patience
        let before = try look(until: deadline)
        var now = before
        while now.changes == before.changes, !now.isAtEnd, SteadyClock.now < deadline {
            try call(
                "Input.dispatchMouseEvent",
                ["type": "mouseWheel", "x": 640, "y": 600, "deltaX": 0, "deltaY": 1_000],
                until: deadline + 1)
            usleep(100_000)
            now = try look(until: deadline)
        }
        now = try settle(until: deadline)
        if now.changes == before.changes, now.isAtEnd,
            try evaluate("halftone.more()", until: deadline) == true
        {
            now = try settle(until: deadline)
        }
        return (now.changes == before.changes ? nil : try response(), now.isAtEnd)
    }

    /// Waits until nothing has happened for a while, at most until `deadline`.
    private func settle(until deadline: Double) throws(FetchError) -> Look {
        var changes = -1
        while true {
            let look = try look(until: deadline)
            let isQuiet = state.withLock { state in
                state.looks = look.changes == changes ? state.looks + 1 : 0
                // Where nothing at all has come, a timer or another kind of connection may be awaited.
                return state.requests.isEmpty && state.looks >= Self.quietLooks && look.changes > 0
            }
            if isQuiet || SteadyClock.now >= deadline { return look }
            changes = look.changes
            usleep(50_000)
        }
    }

    /// Asks the page's script how the page is, at the latest a moment after `deadline`.
    private func look(until deadline: Double) throws(FetchError) -> Look {
        let look = try evaluate("halftone.state()", until: deadline)
        return Look(changes: look["changes"]?.integer ?? 0, isAtEnd: look["ends"] == true)
    }

    private func response() throws(FetchError) -> Response {
        let page = try evaluate(
            "halftone.read(\(Self.maxCharacters))", until: SteadyClock.now + Self.patience)
        guard let address = page["address"]?.text.flatMap(Address.init(_:)), address.isOnWeb else {
            throw .other("the browser shows no page of the web")
        }
        if let status = page["status"]?.integer, status >= 400 { throw .status(status) }
        let left = page["leftOut"]?.integer ?? 0
        let known = try tools.call("Storage.getCookies", ["browserContextId": context])
        fetcher.note(cookies: known["cookies"]?.elements.compactMap(\.cookieLine) ?? [])
        let note =
            "by the browser"
            + (left > 0 ? "; \(left) pictures that scripts drew (canvas, blob:) are left out" : "")
            + (pass.isSpent ? "; it wanted more bytes than --max-bytes allows" : "")
        return Response(
            address: address, mediaType: "text/html", charset: "utf-8",
            headers: [(":rendered", note)], body: (page["html"]?.text ?? "").bytes,
            origin: .network)
    }

    /// Evaluates an expression in the world of our script on the page, of which the page's own scripts see nothing.
    private func evaluate(
        _ expression: String, until deadline: Double
    ) throws(FetchError) -> LooseValue {
        // A moment more, as what is there at the deadline counts.
        let deadline = deadline + 2
        // A page's own frame is called as its tab; its world is made anew where it has left the page.
        let world = try call(
            "Page.createIsolatedWorld",
            ["frameId": "\(state.current.target)", "worldName": "halftone"], until: deadline)
        let answer = try call(
            "Runtime.evaluate",
            [
                "expression": "\(expression)", "returnByValue": true,
                "contextId": world["executionContextId"] ?? 0,
            ], until: deadline)
        return answer["result"]?["value"] ?? .null
    }

    @discardableResult private func call(
        _ method: String, _ parameters: LooseValue, until deadline: Double = .infinity
    ) throws(FetchError) -> LooseValue {
        try tools.call(method, parameters, in: state.current.session, until: deadline)
    }

    /// Watches a session: the tab's, or that of a frame or worker of its page, which waits until then.
    private func adopt(_ session: String) {
        tools.listen(to: session) { [weak self] in self?.receive($0) }
        let commands: KeyValuePairs<String, LooseValue> = [
            "Page.enable": [:], "Network.enable": [:],
            "Fetch.enable": ["handleAuthRequests": true, "patterns": [["urlPattern": "*"]]],
            "Target.setAutoAttach": [
                "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
            ],
            "Runtime.runIfWaitingForDebugger": [:],
        ]
        for (method, parameters) in commands {
            tools.send(method, parameters, in: session)
        }
    }

    /// Handles an event of the page; called on the thread that reads the pipe.
    private func receive(_ event: DevTools.Event) {
        let id = event["requestId"]?.text ?? ""
        switch event.method {
        case "Fetch.requestPaused": answer(event, id)
        case "Fetch.authRequired":
            let answer: LooseValue =
                event["authChallenge"]?["source"] == "Proxy"
                ? [
                    "response": "ProvideCredentials", "username": "\(pass.user)",
                    "password": "\(pass.password)",
                ] : ["response": "CancelAuth"]
            tools.send(
                "Fetch.continueWithAuth",
                ["requestId": "\(id)", "authChallengeResponse": answer], in: event.session)
        case "Network.requestWillBeSent" where Self.awaited.contains(event["type"]?.text ?? ""):
            note { if $0.requests.count < Self.maxRequests { $0.requests.insert(id) } }
        case "Network.loadingFinished", "Network.loadingFailed": note { $0.requests.remove(id) }
        case "Page.javascriptDialogOpening":
            tools.send(
                "Page.handleJavaScriptDialog", ["accept": false], in: event.session)
        case "Target.attachedToTarget": adopt(event["sessionId"]?.text ?? "")
        default: break
        }
    }

    private func note(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.looks = 0
        }
    }

    /// Lets a request go on, but answers those for pictures, which Halftone fetches itself, and for what no gallery needs.
    private func answer(_ event: DevTools.Event, _ id: String) {
        let type = event["resourceType"]?.text ?? ""
        if ["Image", "Media", "Font"].contains(type) {
            return tools.send(
                "Fetch.fulfillRequest",
                [
                    "requestId": "\(id)", "responseCode": 200, "body": Self.placeholder,
                    "responseHeaders": [
                        ["name": "Content-Type", "value": "image/svg+xml"],
                        ["name": "Access-Control-Allow-Origin", "value": "*"],
                    ],
                ], in: event.session)
        }
        let request = event["request"]
        let address = request?["url"]?.text.flatMap(Address.init(_:))
        if type == "Document", event["frameId"]?.text == state.current.target, let address {
            pass.navigate(to: address)
        }
        var parameters: LooseValue = ["requestId": "\(id)"]
        if let own = address.map(fetcher.ownFields), !own.isEmpty {
            let given = (request?["headers"]?.members ?? []).map { ($0.key, $0.value.text ?? "") }
            let fields = (given + own).map { name, value -> LooseValue in
                ["name": "\(name)", "value": "\(value)"]
            }
            parameters = ["requestId": "\(id)", "headers": .array(fields)]
        }
        tools.send("Fetch.continueRequest", parameters, in: event.session)
    }
}

/// Cookies, in Netscape's cookie files and in the protocol.
extension LooseValue {
    /// Creates the protocol's cookie from a line; nil for comments and broken ones.
    fileprivate init?(cookie line: Substring) {
        let fields = line.trimmingPrefix("#HttpOnly_").split(
            separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7, !fields[0].hasPrefix("#"), let expiry = Int(fields[4]) else {
            return nil
        }
        self = [
            "domain": "\(fields[0])", "path": "\(fields[2])", "secure": .flag(fields[3] == "TRUE"),
            "expires": .number(expiry == 0 ? -1 : Double(expiry)), "name": "\(fields[5])",
            "value": "\(fields[6])", "httpOnly": .flag(line.hasPrefix("#")),
        ]
    }

    /// The line for a cookie that the browser has, for this run of the program; nil if it is none.
    fileprivate var cookieLine: String? {
        guard let domain = self["domain"]?.text, let path = self["path"]?.text,
            let name = self["name"]?.text, let value = self["value"]?.text
        else { return nil }
        let flags = [domain.hasPrefix("."), self["secure"] == true].map { $0 ? "TRUE" : "FALSE" }
        return [domain, flags[0], path, flags[1], "0", name, value].map(\.withoutControls)
            .joined(separator: "\t")
    }
}
