import Basics
import Pipeline
import TestSupport
import Testing

@testable import Network

/// How gently servers are asked, and the settings for single hosts.
@Suite struct PaceTests {
    @Test("seconds, or a range of them", arguments: ["0", "1.5", "1-3", "0.1-0.25"])
    func pauses(text: String) throws {
        let ends = text.split(separator: "-").compactMap { Double($0) }
        #expect(try PaceOptions.pause(text) == ends[0]...ends[ends.count - 1])
    }

    @Test(
        "anything else is no pause",
        arguments: ["", "-", "-1", "1-", "3-1", "1-2-3", "x", "nan", "1-inf", "3600", "1,5"])
    func mistakenPauses(text: String) {
        #expect(throws: PaceError.self) { try PaceOptions.pause(text) }
    }

    @Test(
        "a rate is written as for curl",
        arguments: [("1000", 1000), ("200k", 204_800), ("1M", 1 << 20), ("1.5m", 3 << 19)])
    func rates(text: String, bytes: Int) throws {
        #expect(try PaceOptions.rate(text) == bytes)
    }

    @Test(
        "anything else is no rate",
        arguments: ["", "k", "0", "-1", "1x", "1kk", "inf", "infk", "nank", "٣"])
    func mistakenRates(text: String) {
        #expect(throws: PaceError.self) { try PaceOptions.rate(text) }
    }

    @Test(
        "after a request, its host gets none before the pause is over, and another host does",
        arguments: ["options", "site", "recipe"])
    func pausing(place: String) async throws {
        let scene = try Scene(pinnedNames: ["a.example", "b.example"]) { options in
            var slow = PaceOptions()
            slow.pause = 86_400...86_400
            options.allowsPrivate = true
            switch place {
            case "options": options.pace = slow
            case "site":
                options.sites["a.example"] = options
                options.sites["a.example"]?.pace = slow
            default:
                options.paceOfPage = { [slow] in
                    $0.text.hasSuffix("/gallery") ? slow : PaceOptions()
                }
            }
        }
        let hosts = ["a", "b"].map { "http://\($0).example:\(scene.server.port)" }
        scene.server.route(below: "/") { _ in .bytes([1], type: "image/png") }
        _ = try await scene.get(hosts[0] + "/1", referer: hosts[0] + "/gallery")
        let waiting = try [Priority.urgent, .prefetch].map {
            scene.fetcher.started(try scene.request(hosts[0] + "/2"), priority: $0)
        }
        _ = try await scene.get(hosts[1] + "/3")
        #expect(scene.server.count(of: "/2") == 0)
        for one in waiting {
            one.subscription?.cancel()
            #expect(await one.result().failure == .cancelled)
        }
    }

    @Test("after the pause the next request goes out, also a retry")
    func afterPause() async throws {
        let scene = try Scene { $0.pace.pause = 0...0.01 }
        scene.server.route("/a") { $0.number == 1 ? .status(503) : .bytes([1], type: nil) }
        for _ in 1...3 { _ = try await scene.get("/a", generation: .next()) }
        #expect(scene.server.count(of: "/a") == 4)
    }

    @Test("a host gets no request before what it has sent would have arrived at its rate")
    func rate() async throws {
        var queue = HostQueue(limit: 6, pageLimits: TokenBucket.Limits(), now: 0)
        queue.insert(HostQueue.Entry(priority: .urgent, number: 1))
        queue.throttle(for: 0.5, since: 1)
        queue.throttle(for: 0.25, since: 1.1)
        queue.throttle(for: 0.25, since: 3)
        #expect(queue.next(at: 3.2) == nil && queue.due(after: 3) == 3.25)
        #expect(queue.next(at: 3.25)?.number == 1)
        let scene = try Scene { $0.pace.rate = 200_000 }
        scene.server.route("/a") { _ in .bytes([UInt8](repeating: 1, count: 40_000), type: nil) }
        let start = SteadyClock.now
        for _ in 1...2 { _ = try await scene.get("/a", generation: .next()) }
        // The second request waits until the first would have ended.
        #expect(SteadyClock.now - start >= 0.2)
    }

    @Test("a host that asks to wait is named with its time, and each request is counted")
    func traffic() async throws {
        let scene = try Scene()
        let lines = Locked<[String]>([])
        let (told, tell) = AsyncStream<Void>.makeStream()
        let traffic = scene.fetcher.options.traffic
        traffic.withLock {
            $0.report = { line in
                lines.withLock { $0.append(line) }
                if line.contains("3600") { tell.yield() }
            }
        }
        scene.server.route("/a") {
            $0.number == 1
                ? .status(429, headers: [("Retry-After", "0")]) : .bytes([1], type: nil)
        }
        scene.server.route("/b") { _ in .status(503, headers: [("Retry-After", "3600")]) }
        #expect(try await scene.get("/a").body == [1])
        let other = scene.fetcher.started(try scene.request("/b"), priority: .visible)
        for await _ in told { break }
        other.subscription?.cancel()
        _ = await other.result()
        #expect(
            lines.withLock(\.self)
                == ["127.0.0.1 asks to wait 0 s", "127.0.0.1 asks to wait 3600 s"])
        #expect(traffic.withLock { $0.counts } == ["127.0.0.1": 3])
    }

    @Test(
        "header fields and cookies of a host are for https and its port, unless its entry says so")
    func secrets() throws {
        var options = NetworkOptions()
        for name in ["x.org", "http://y.org", "z.org:8080"] {
            var site = NetworkOptions()
            (site.headers, site.cookieFile) = ([("Own", name)], name)
            options.sites[name] = site
        }
        func sent(_ text: String) throws -> [String?] {
            let address = try #require(Address(text))
            let fields = requestFields(
                of: Request(address, for: .picture), to: address, options: options)
            return [fields["Own"], options.cookieFile(for: address)]
        }
        for (own, others) in [
            ("https://a.x.org/", ["http://x.org/", "https://x.org:8443/", "http://x.org:443/"]),
            ("http://a.y.org/", ["https://y.org/", "http://y.org:8080/"]),
            ("http://z.org:8080/", ["http://z.org/", "https://z.org/"]),
        ] {
            let name =
                own.contains("y.org") ? "http://y.org" : own.contains("x") ? "x.org" : "z.org:8080"
            #expect(try sent(own) == [name, name])
            for other in others { #expect(try sent(other) == [nil, nil], "\(other)") }
        }
        #expect(try sent("https://z.org:8080/") == ["z.org:8080", "z.org:8080"])
    }

    @Test("a host and those below it have settings of their own, the nearest ones")
    func sites() async throws {
        let names = ["x.org", "a.x.org", "b.a.x.org", "ax.org"]
        let server = try LoopbackServer()
        let scene = try Scene(server: server, pinnedNames: names) { options in
            options.allowsPrivate = true
            options.userAgent = "all"
            options.headers = [("Secret", "1")]
            for (name, agent) in [("x.org", "outer"), ("a.x.org", "inner")] {
                var site = options
                (site.userAgent, site.headers) = (agent, [("Own", agent)])
                site.sendsReferer = false
                options.sites[name] = site
                options.sites["\(name):\(server.port)"] = site
            }
        }
        scene.server.route(below: "/") { _ in .bytes([1], type: nil) }
        for name in names {
            let origin = "http://\(name):\(scene.server.port)"
            _ = try await scene.get("\(origin)/\(name)", referer: "\(origin)/page")
        }
        _ = try await scene.get("/source")
        func sent(_ path: String, _ field: String) -> String? {
            scene.server.requests(to: path).first?.header(field)
        }
        let agents = (names + ["source"]).map { sent("/\($0)", "user-agent") }
        #expect(agents == ["outer", "inner", "inner", "all", "all"])
        let own = (names + ["source"]).map { sent("/\($0)", "own") }
        #expect(own == ["outer", "inner", "inner", nil, nil])
        let secrets = (names + ["source"]).map { sent("/\($0)", "secret") }
        #expect(secrets == [nil, nil, nil, nil, "1"])
        #expect(sent("/x.org", "referer") == nil && sent("/ax.org", "referer") != nil)
    }

    @Test("a host of its own settings has its own cookies, and no others")
    func cookies() async throws {
        let folder = try ScratchFolder()
        func file(_ host: String) throws -> String {
            try folder.write("\(host)\tFALSE\t/\tFALSE\t0\tname\t\(host)\n", to: host)
        }
        let (own, all) = (try file("x.org"), try file("127.0.0.1"))
        let server = try LoopbackServer()
        let scene = try Scene(server: server, pinnedNames: ["x.org"]) { options in
            options.allowsPrivate = true
            options.sites["x.org:\(server.port)"] = options
            options.sites["x.org:\(server.port)"]?.cookieFile = own
            options.cookieFile = all
        }
        scene.server.route(below: "/") { _ in .bytes([1], type: nil) }
        _ = try await scene.get("http://x.org:\(scene.server.port)/a")
        _ = try await scene.get("/b")
        let cookies = ["/a", "/b"].map {
            scene.server.requests(to: $0).first?.header("cookie")
        }
        #expect(cookies == ["name=x.org", "name=127.0.0.1"])
    }
}
