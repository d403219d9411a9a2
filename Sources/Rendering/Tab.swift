import Basics
import Dispatch
import Glibc
package import Network
import Pipeline

/// A page that a browser shows, in a browser context of its own, as tabs of one context cannot be told apart.
///
/// Usable from any thread but the main one, as its functions wait for the browser.
package final class Tab: Sendable {
    /// What the page's script says of the page.
    private struct Look: Equatable {
        /// How often something that may be a picture has come or changed.
        var changes = 0
        /// Whether the page is scrolled to its end.
        var isAtEnd = false
    }

    private struct State {
        /// The identifiers of the tab and of its session, before it is open empty.
        var target = "", session = ""
        /// The identifiers of the requests whose answers may change the page.
        var requests: Set<String> = []
        /// When something last happened on the page or its network.
        var changedAt = SteadyClock.now
        /// The page's HTTP status.
        var status: Int?
        /// When more was last loaded.
        var advancedAt = 0.0
    }

    private let state = Locked(State())
    private let browser: DevTools
    private let fetcher: FetchStage
    private let pass: Pass
    private let context: LooseValue
    private let whenClosed: Action

    /// In seconds: how long nothing happens on a page that is drawn, and after what time what is there counts.
    private static let quiet = 0.5, patience = 8.0
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

    /// Creates the tab of a browser context; `whenClosed` runs when the tab has been released.
    init(
        of browser: DevTools, _ context: LooseValue, pass: Pass, fetcher: FetchStage,
        whenClosed: @escaping Action
    ) {
        (self.browser, self.context, self.pass, self.fetcher) = (browser, context, pass, fetcher)
        self.whenClosed = whenClosed
    }

    deinit {
        browser.send("Target.disposeBrowserContext", ["browserContextId": context])
        pass.revoke()
        whenClosed()
    }

    /// Goes to `address` and waits until the page is drawn, with `script` on every page; returns it as HTML, at its final address.
    func open(_ address: Address, script: String) throws(FetchError) -> Response {
        _ = try browser.call(
            "Browser.setDownloadBehavior", ["behavior": "deny", "browserContextId": context])
        let created = try browser.call(
            "Target.createTarget", ["url": "about:blank", "browserContextId": context])
        let target = created["targetId"]?.text ?? ""
        let attached = try browser.call(
            "Target.attachToTarget", ["targetId": .text(target), "flatten": true])
        let session = attached["sessionId"]?.text ?? ""
        state.withLock { ($0.target, $0.session) = (target, session) }
        adopt(session)
        for cookie in fetcher.cookies(for: address) {
            try call(
                "Network.setCookie",
                [
                    "name": .text(cookie.name), "value": .text(cookie.value),
                    "domain": .text(cookie.domain), "path": .text(cookie.path),
                    "secure": .flag(cookie.isSecure),
                ])
        }
        try call("Page.enable")
        try call(
            "Page.addScriptToEvaluateOnNewDocument",
            ["worldName": "halftone", "source": .text(script)])
        let answer = try call("Page.navigate", ["url": .text(address.text)])
        if let reason = answer["errorText"]?.text {
            throw .other("the browser says: \(reason.oneLine(limit: 200))")
        }
        // A page that never rests counts as it is by then.
        let deadline = SteadyClock.now + Self.patience
        _ = try settle(until: deadline)
        let page = try response()
        let status = state.withLock(\.status) ?? 200
        if status >= 400 { throw .status(status) }
        return page
    }

    /// Scrolls on until something has come, or to the end, where it presses what loads more; returns the page as it is then, nil if nothing
    /// has come, and whether it is scrolled to its end.
    package func advance() throws(FetchError) -> (page: Response?, isAtEnd: Bool) {
        let pause = state.withLock(\.advancedAt) + Self.pace - SteadyClock.now
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
                until: deadline)
            usleep(100_000)
            now = try look(until: deadline)
        }
        now = try settle(until: deadline)
        if now.changes == before.changes, now.isAtEnd,
            try evaluate("halftone.more()", until: deadline) == true
        {
            now = try settle(until: deadline)
        }
        let page = now.changes == before.changes ? nil : try response()
        return (page, now.isAtEnd)
    }

    /// Waits until nothing has happened for a while, at most until `deadline`.
    private func settle(until deadline: Double) throws(FetchError) -> Look {
        var last = Look(changes: -1)
        while true {
            let look = try look(until: deadline)
            let now = SteadyClock.now
            let isQuiet = state.withLock { state in
                if look.changes != last.changes { state.changedAt = now }
                return state.requests.isEmpty && now - state.changedAt >= Self.quiet
            }
            if isQuiet || now >= deadline { return look }
            last = look
            usleep(50_000)
        }
    }

    /// Asks the page's script how the page is, at the latest a moment after `deadline`.
    private func look(until deadline: Double) throws(FetchError) -> Look {
        let text = try evaluate("halftone.state()", until: deadline).text ?? ""
        let value = LooseParser.value(of: Array(text.utf8))
        return Look(
            changes: value?["changes"]?.integer ?? 0, isAtEnd: value?["ends"] == true)
    }

    private func response() throws(FetchError) -> Response {
        let html = try evaluate("halftone.html(\(Self.maxCharacters))").text ?? ""
        let place = try evaluate("location.href").text ?? ""
        guard let address = Address(place), address.isOnWeb else {
            throw .other("the browser shows no page of the web")
        }
        let left = try evaluate("halftone.leftOut").integer ?? 0
        let known = try browser.call("Storage.getCookies", ["browserContextId": context])
        fetcher.note(cookies: known["cookies"]?.elements.compactMap(Cookie.init(_:)) ?? [])
        let note =
            "by the browser"
            + (left > 0 ? "; \(left) pictures that scripts drew (canvas, blob:) are left out" : "")
            + (pass.isOverLimit ? "; it wanted more bytes than --max-bytes allows" : "")
        return Response(
            address: address, mediaType: "text/html", charset: "utf-8",
            headers: [(":rendered", note)], body: Array(html.utf8), origin: .network)
    }

    /// Evaluates an expression in the world of our script on the page, of which the page's own scripts see nothing.
    private func evaluate(
        _ expression: String, until deadline: Double = .infinity
    ) throws(FetchError) -> LooseValue {
        // A moment more, as what is there at the deadline counts.
        let deadline = deadline + 2
        // A page's own frame is called as its tab; its world is made anew where it has left the page.
        let world = try call(
            "Page.createIsolatedWorld",
            ["frameId": .text(state.withLock(\.target)), "worldName": "halftone"],
            until: deadline)
        let answer = try call(
            "Runtime.evaluate",
            [
                "expression": .text(expression), "returnByValue": true,
                "contextId": world["executionContextId"] ?? 0,
            ], until: deadline)
        return answer["result"]?["value"] ?? .null
    }

    @discardableResult private func call(
        _ method: String, _ parameters: LooseValue = [:], until deadline: Double = .infinity
    ) throws(FetchError) -> LooseValue {
        try browser.call(method, parameters, in: state.withLock(\.session), until: deadline)
    }

    /// Watches a session: the tab's, or that of a frame or worker of its page, which waits until then.
    private func adopt(_ session: String) {
        browser.listen(to: session) { [weak self] in self?.receive($0) }
        let commands: KeyValuePairs<String, LooseValue> = [
            "Network.enable": [:],
            "Fetch.enable": ["handleAuthRequests": true, "patterns": [["urlPattern": "*"]]],
            "Target.setAutoAttach": [
                "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
            ],
            "Runtime.runIfWaitingForDebugger": [:],
        ]
        for (method, parameters) in commands { browser.send(method, parameters, in: session) }
    }

    /// Handles an event of the page; called on the thread that reads the pipe.
    private func receive(_ event: DevTools.Event) {
        let id = event["requestId"]?.text ?? ""
        let type = event["type"]?.text ?? ""
        switch event.method {
        case "Fetch.requestPaused": answer(event, id)
        case "Fetch.authRequired":
            let isOurs = event["authChallenge"]?["source"]?.text == "Proxy"
            let answer: LooseValue =
                isOurs
                ? [
                    "response": "ProvideCredentials", "username": .text(pass.user),
                    "password": .text(pass.password),
                ] : ["response": "CancelAuth"]
            browser.send(
                "Fetch.continueWithAuth",
                ["requestId": .text(id), "authChallengeResponse": answer], in: event.session)
        case "Network.requestWillBeSent" where Self.awaited.contains(type):
            note { if $0.requests.count < Self.maxRequests { $0.requests.insert(id) } }
        case "Network.loadingFinished", "Network.loadingFailed": note { $0.requests.remove(id) }
        case "Network.responseReceived" where id == event["loaderId"]?.text:
            note {
                if event.session == $0.session { $0.status = event["response"]?["status"]?.integer }
            }
        case "Page.javascriptDialogOpening":
            browser.send("Page.handleJavaScriptDialog", ["accept": false], in: event.session)
        case "Target.attachedToTarget": adopt(event["sessionId"]?.text ?? "")
        default: break
        }
    }

    private func note(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.changedAt = SteadyClock.now
        }
    }

    /// Lets a request go on, but answers those for pictures, which Halftone fetches itself, and refuses what no gallery needs.
    private func answer(_ event: DevTools.Event, _ id: String) {
        let (method, parameters): (String, LooseValue)
        switch event["resourceType"]?.text {
        case "Image":
            method = "Fetch.fulfillRequest"
            parameters = [
                "requestId": .text(id), "responseCode": 200, "body": Self.placeholder,
                "responseHeaders": [
                    ["name": "Content-Type", "value": "image/svg+xml"],
                    ["name": "Access-Control-Allow-Origin", "value": "*"],
                ],
            ]
        case "Media", "Font":
            method = "Fetch.failRequest"
            parameters = ["requestId": .text(id), "errorReason": "BlockedByClient"]
        default:
            method = "Fetch.continueRequest"
            let address = event["request"]?["url"]?.text.flatMap(Address.init(_:))
            let own = address.map(fetcher.ownFields) ?? []
            var headers = event["request"]?["headers"]?.members.map { ($0.key, $0.value) } ?? []
            headers += own.map { ($0.name, .text($0.value)) }
            let fields = headers.map { name, value -> LooseValue in
                ["name": .text(name), "value": value]
            }
            parameters =
                own.isEmpty
                ? ["requestId": .text(id)]
                : ["requestId": .text(id), "headers": .array(fields)]
        }
        browser.send(method, parameters, in: event.session)
    }
}

extension Cookie {
    /// Reads a cookie that the browser reports.
    fileprivate init?(_ value: LooseValue) {
        guard let name = value["name"]?.text, let text = value["value"]?.text,
            let domain = value["domain"]?.text, let path = value["path"]?.text
        else { return nil }
        self.init(
            domain: domain, path: path, isSecure: value["secure"] == true, name: name, value: text)
    }
}
