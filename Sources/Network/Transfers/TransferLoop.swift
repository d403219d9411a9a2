import Basics
import CCurl
import Pipeline
import Synchronization
import Trace

/// The loop of the transfer thread: executes commands, passes waiting requests to libcurl, waits for sockets.
///
/// Confined to that thread.
final class TransferLoop {
    /// Loads libcurl with its TLS library, once; must be complete before other threads use it.
    static let isLoaded = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    /// The poll timeout in milliseconds when there is nothing to do: a day, as libcurl has no infinite timeout.
    private static let maxWait = 86_400_000.0
    /// The maximum number of requests in flight in total; sockets and memory are finite.
    private static let usualSlots = 48
    /// The absolute maximum: beyond the usual limit, a host without a slot still gets one, so that stalled hosts do not block others.
    private static let maxSlots = 256
    /// The number of hosts above which idle ones are dropped.
    private static let maxHosts = 256
    /// More than libcurl sends with a request.
    private static let maxCookies = 150

    let settings: Transfers.Settings
    /// The transfers by number.
    var transfers: [Int: Transfer] = [:]
    /// The queues by origin.
    var hosts: [String: HostQueue] = [:]
    /// When the next tries are due, and when file servers must have sent something, by their transfers' numbers, in seconds of
    /// `SteadyClock`.
    var pausing: [Int: Double] = [:]
    var partials = PartialStore()

    private let multi: UnsafeMutableRawPointer
    private let commands: TransferCommands
    private var runningCount = 0 {
        didSet {
            commands.inFlightCount.store(runningCount, ordering: .relaxed)
            tracer.count("transfers", runningCount)
        }
    }
    /// libcurl's share handles with the cookies of files, once a host that these are for is contacted, and of other origins.
    private var cookies: [String: UnsafeMutableRawPointer] = [:]
    /// Names with fixed addresses, in libcurl's format.
    private let pinnedNames: UnsafeMutablePointer<curl_slist>?
    private var idleHandles: [UnsafeMutableRawPointer] = []
    private var isEnding = false

    var options: NetworkOptions { settings.options }
    var tracer: Tracer { settings.tracer }
    var peers: KnownPeers { settings.peers }

    /// Creates the loop; nil if libcurl cannot be set up.
    init?(commands: TransferCommands, settings: Transfers.Settings) {
        guard Self.isLoaded, let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.commands = commands
        self.settings = settings
        pinnedNames = settings.pinnedList
        // Connections kept open for the next request; more would be rude to the servers.
        halftone_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 64)
        commands.setSleeper(multi)
    }

    deinit {
        idleHandles.forEach { curl_easy_cleanup($0) }
        curl_multi_cleanup(multi)
        curl_slist_free_all(pinnedNames)
        cookies.values.forEach { curl_share_cleanup($0) }
    }

    /// Runs until the `end` command, then cancels all remaining transfers.
    func run() {
        while !isEnding {
            commands.take().forEach(obey)
            if isEnding { break }
            resumeDue()
            startNext()
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            // A freed slot is filled before waiting.
            if collectFinished() { continue }
            curl_multi_poll(multi, nil, 0, millisecondsToWait(), nil)
        }
        commands.setSleeper(nil)
        for transfer in transfers.values { fail(transfer, .cancelled) }
    }

    private func obey(_ command: TransferCommand) {
        switch command {
        case .start(let task):
            let address = task.request.address
            let transfer = Transfer(
                task,
                isGuarded: address.isOnWeb && task.request.referer.map(settings.isPublic) ?? false)
            transfers[task.number] = transfer
            task.flow.arrive("transfers")
            guard
                address.isOnWeb
                    || options.fileServers.login(for: address, from: task.request.referer) != nil
            else { return fail(transfer, .other("only the user may name a file server")) }
            enqueue(transfer)
        case .cancel(let number): transfers[number].map(cancel)
        case .prioritise(let number, let priority):
            guard let transfer = transfers[number] else { return }
            transfer.isAbandoned = false
            transfer.priority = priority
            if case .waiting(let entry) = transfer.state {
                hosts[transfer.address.origin]?.remove(entry)
                insert(transfer)
            }
        case .report(let address):
            for transfer in transfers.values where transfer.request.address == address {
                if case .running(let exchange) = transfer.state { exchange.reportArrival() }
            }
        case .proceed: break
        case .end: isEnding = true
        }
    }

    private func resumeDue() {
        let now = SteadyClock.now
        for (number, due) in pausing where due <= now {
            pausing[number] = nil
            guard let transfer = transfers[number] else { continue }
            guard case .running(let exchange) = transfer.state else {
                enqueue(transfer)
                continue
            }
            watch(exchange)
            // libcurl itself does not notice that a listing stalls.
            if pausing[number] ?? 0 <= now { finish(exchange, CURLE_OPERATION_TIMEDOUT) }
        }
    }

    private func watch(_ exchange: Exchange) {
        guard exchange.transfer.address.isOnFileServer, exchange.options.pace.rate == nil else {
            return
        }
        // Twice, as it may also take as long to connect.
        let patience = Double(2 * exchange.options.timeout)
        pausing[exchange.transfer.number] = exchange.arrivedAt + patience
    }

    private func millisecondsToWait() -> Int32 {
        let now = SteadyClock.now
        let due = hosts.values.compactMap { $0.due(after: now) } + pausing.values
        let wait = due.min().map { min(max(0, $0 - now) * 1000, Self.maxWait) }
        // Rounded up, as otherwise the last millisecond would be spent spinning.
        return Int32(wait ?? Self.maxWait) + 1
    }

    /// Queues a transfer at its host, or ends it at once if it may not go there.
    func enqueue(_ transfer: Transfer) {
        // Names that must be resolved are judged when the socket is opened. Hosts known to be private are refused here, so that no
        // connection left open by an allowed request is reused for a forbidden one.
        let address = transfer.address
        var refusal =
            isForbiddenPrivate(transfer) && settings.isPrivateHost(address)
            ? .privateAddress(address.host)
            : hosts[address.origin]?.refusal(at: SteadyClock.now)
        if refusal == nil, case .failure(let failure)? = options.secrets(for: address)?.login?() {
            refusal = failure
        }
        guard let refusal else { return insert(transfer) }
        transfer.state = .idle
        if refusal == .cancelled {
            // The program that knows the password may be asking the user for another.
            pausing[transfer.number] = SteadyClock.now + 0.1
        } else {
            fail(transfer, refusal)
        }
    }

    private func insert(_ transfer: Transfer) {
        let entry = HostQueue.Entry(
            priority: transfer.priority, number: transfer.number, takesToken: isFollowed(transfer))
        transfer.state = .waiting(entry)
        withHost(transfer.address) { $0.insert(entry) }
    }

    /// Whether a transfer is for a page named by a public page: pages the user typed are fetched at once, and servers on this machine or
    /// network are the user's own.
    private func isFollowed(_ transfer: Transfer) -> Bool {
        let request = transfer.request
        return request.purpose != .picture && request.referer != nil && transfer.redirectCount == 0
            && settings.isPublic(transfer.address)
    }

    func withHost(_ address: Address, _ change: (inout HostQueue) -> Void) {
        let now = SteadyClock.now
        let origin = address.origin
        if hosts[origin] == nil, hosts.count >= Self.maxHosts {
            hosts = hosts.filter { !$0.value.isIdle(at: now) }
        }
        let own = options.at(address.host)
        change(
            &hosts[
                origin,
                default: HostQueue(
                    limit: address.scheme == "sftp"
                        ? own.connectionsPerSSHHost : own.connectionsPerHost,
                    pageLimits: settings.pageLimits, now: now)])
    }

    /// Passes waiting requests to libcurl, the most urgent first, while their hosts have room.
    private func startNext() {
        guard !hosts.isEmpty else { return }
        let now = SteadyClock.now
        while let (origin, entry) = next(at: now) {
            hosts[origin]?.start(entry, at: now)
            runningCount += 1
            guard let transfer = transfers[entry.number] else { continue }
            transfer.state = .idle
            if let failure = start(transfer) {
                freeSlot(of: origin)
                fail(transfer, failure)
            }
        }
    }

    private func next(at now: Double) -> (origin: String, entry: HostQueue.Entry)? {
        guard runningCount < Self.maxSlots else { return nil }
        var best: (origin: String, entry: HostQueue.Entry)?
        for (origin, host) in hosts
        where host.runningCount == 0 || runningCount < Self.usualSlots {
            guard let entry = host.next(at: now),
                settings.backlog.admits(entry.priority.level),
                best.map({ $0.entry < entry }) ?? true
            else { continue }
            best = (origin, entry)
        }
        return best
    }

    private func start(_ transfer: Transfer) -> FetchError? {
        guard let handle = idleHandles.popLast() ?? curl_easy_init() else {
            return .other("out of memory")
        }
        let exchange = Exchange(
            handle: handle, transfer: transfer, settings: settings,
            isGuarded: isForbiddenPrivate(transfer),
            partial: transfer.wantsWhole || transfer.request.part != nil
                ? nil : partials.take(transfer.partialKey))
        exchange.configure()
        halftone_curl_set_list(handle, CURLOPT_RESOLVE, pinnedNames)
        withHost(transfer.address) { host in
            if let rate = exchange.options.pace.rate {
                halftone_curl_set_size(
                    handle, CURLOPT_MAX_RECV_SPEED_LARGE, curl_off_t(rate / host.share + 1))
            }
            if let pause = exchange.options.pace.pause {
                host.close(until: SteadyClock.now + .random(in: pause))
            }
        }
        let file = options.cookieFile(for: transfer.address)
        if file != nil || !exchange.hasOwnCookies {
            shareCookies(with: handle, of: transfer.address.origin, file: file)
        }
        guard curl_multi_add_handle(multi, handle) == CURLM_OK else {
            recycle(handle)
            return .other("libcurl takes no more transfers")
        }
        transfer.state = .running(exchange)
        watch(exchange)
        options.traffic.withLock { $0.count(transfer.address.host) }
        transfer.startedAt = SteadyClock.now
        transfer.span = tracer.begin("request", detail: transfer.address.text)
        if let partial = exchange.partial {
            tracer.mark("resume", detail: "\(transfer.address.text) from \(partial.body.count)")
        }
        return nil
    }

    /// Makes a handle send the cookies of a file that match its host, or else those that its origin has set; the first time, libcurl reads
    /// the file.
    ///
    /// A share handle alone is not enough: each handle must enable cookies, with an empty file name. The file is never written: cookies set
    /// by servers are kept in memory. All this happens on one thread, so libcurl needs no locks.
    private func shareCookies(
        with handle: UnsafeMutableRawPointer, of origin: String, file: String?
    ) {
        let key = file ?? origin
        let isFirst = cookies[key] == nil
        if isFirst {
            cookies[key] = curl_share_init()
            cookies[key].map { _ = halftone_curl_share_cookies($0) }
        }
        halftone_curl_set_text(handle, CURLOPT_COOKIEFILE, isFirst ? file ?? "" : "")
        halftone_curl_set_pointer(handle, CURLOPT_SHARE, cookies[key])
        // libcurl sends each only where it belongs.
        for line in settings.drawnCookies.current {
            halftone_curl_set_text(handle, CURLOPT_COOKIELIST, line)
        }
    }

    /// Drops cookies that no server has reason to set: as many as are never sent, and those of hosts without end.
    private func boundCookies(of exchange: Exchange) {
        if exchange.headers["set-cookie"] != nil,
            halftone_curl_count_cookies(exchange.handle) > Self.maxCookies
        {
            halftone_curl_set_text(exchange.handle, CURLOPT_COOKIELIST, "ALL")
        }
        guard cookies.count > Self.maxHosts else { return }
        cookies = cookies.filter { curl_share_cleanup($0.value) != CURLSHE_OK }
    }

    /// Takes finished exchanges back from libcurl; false if there are none.
    private func collectFinished() -> Bool {
        var result = CURLE_OK
        var isAny = false
        while let handle = halftone_curl_next_done(multi, &result) {
            isAny = true
            var context: UnsafeMutableRawPointer?
            halftone_curl_get_pointer(handle, CURLINFO_PRIVATE, &context)
            if let exchange = Exchange.of(context) { finish(exchange, result) }
        }
        return isAny
    }

    /// Frees the exchange's handle and slot; must not be called from a libcurl callback.
    func release(_ exchange: Exchange) {
        curl_multi_remove_handle(multi, exchange.handle)
        boundCookies(of: exchange)
        recycle(exchange.handle)
        pausing[exchange.transfer.number] = nil
        freeSlot(of: exchange.transfer.address.origin)
    }

    private func freeSlot(of origin: String) {
        runningCount -= 1
        hosts[origin]?.finish()
        if hosts[origin]?.isIdle(at: SteadyClock.now) == true { hosts[origin] = nil }
    }

    /// Keeps a handle for the next transfer: creating one costs more than resetting one.
    private func recycle(_ handle: UnsafeMutableRawPointer) {
        guard idleHandles.count < 16 else { return curl_easy_cleanup(handle) }
        // A reset keeps the cookies, which are not for the next host.
        halftone_curl_set_pointer(handle, CURLOPT_SHARE, nil)
        curl_easy_reset(handle)
        idleHandles.append(handle)
    }
}
