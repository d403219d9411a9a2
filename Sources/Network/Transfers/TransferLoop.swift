import Basics
import CCurl
import Pipeline
import Trace

/// What the transfer thread does: takes commands, gives waiting orders to libcurl, waits for sockets.
///
/// Confined to that thread.
final class TransferLoop {
    /// Loads libcurl with its TLS library, once; must be finished before other threads use it.
    private static let isLoaded = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    /// Milliseconds in poll when nothing is to do: a day, as libcurl takes no "for ever".
    private static let forEver = 86_400_000

    let multi: UnsafeMutableRawPointer
    let orders: TransferQueue
    let options: NetworkOptions
    let retries: RetryPolicy
    let tracer: Tracer

    var transfers: [Int: Transfer] = [:]
    var lanes: [String: Lane] = [:]
    /// What servers may be asked when; only those that were asked for pages lately, or asked for a pause.
    var paces: [String: Pace] = [:]
    let paceLimits: Pace.Limits
    var runningCount = 0
    /// Orders that wait for their next try.
    var pausing: Set<Int> = []
    /// Bodies that broke off.
    var partials = PartialStore()
    /// Who looks at bodies while they come in.
    let arrivals: ArrivalBoard
    /// Hosts that were reached, with permission, at a private address.
    var privateHosts: Set<String> = []
    /// The cookies for the hosts of SOURCEs, once one of them is asked.
    var cookies: CookieShare?
    /// Names that are not resolved, as libcurl takes them.
    private(set) var pinned: UnsafeMutablePointer<curl_slist>?
    private var idleHandles: [UnsafeMutableRawPointer] = []
    private var isEnding = false

    /// Nil if libcurl cannot be set up.
    init?(
        orders: TransferQueue, options: NetworkOptions, retries: RetryPolicy,
        pinnedNames: [String], paceLimits: Pace.Limits, arrivals: ArrivalBoard,
        tracer: Tracer
    ) {
        guard Self.isLoaded, let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.orders = orders
        self.options = options
        self.retries = retries
        self.paceLimits = paceLimits
        self.arrivals = arrivals
        self.tracer = tracer
        for name in pinnedNames {
            pinned = curl_slist_append(pinned, name) ?? pinned
        }
        halftone_curl_multi_set_long(
            multi, CURLMOPT_MAX_HOST_CONNECTIONS, max(1, options.connectionsPerHost))
        // Kept open for the next request; more than that is rude to the servers.
        halftone_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 64)
        orders.setSleeper(multi)
    }

    deinit {
        idleHandles.forEach { curl_easy_cleanup($0) }
        curl_multi_cleanup(multi)
        curl_slist_free_all(pinned)
    }

    /// Works until told to end; then everything left is cancelled.
    func run() {
        while !isEnding {
            orders.take().forEach(obey)
            if isEnding { break }
            resumeDue()
            startNext()
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            // A slot that became free is filled before waiting.
            if collectDone() { continue }
            curl_multi_poll(multi, nil, 0, Int32(millisecondsToWait()), nil)
        }
        orders.setSleeper(nil)
        for transfer in transfers.values {
            end(transfer, .failure(.cancelled))
        }
    }

    private func obey(_ command: TransferCommand) {
        switch command {
        case .start(let number, let order, let priority, let completion):
            let transfer = Transfer(
                number: number, order: order, priority: priority,
                isGuarded: order.referer.map(isPublic) ?? false, completion: completion)
            transfers[number] = transfer
            enqueue(transfer)
        case .cancel(let number):
            transfers[number].map(leave)
        case .prioritise(let number, let priority):
            guard let transfer = transfers[number] else { return }
            transfer.isLeft = false
            prioritise(transfer, priority)
        case .show(let address):
            for transfer in transfers.values where transfer.order.address == address {
                if case .running(let exchange) = transfer.stage { exchange.showArrival() }
            }
        case .end:
            isEnding = true
        }
    }

    private func prioritise(_ transfer: Transfer, _ priority: Priority) {
        if case .waiting = transfer.stage {
            lanes[transfer.address.origin]?.remove(transfer.place)
            transfer.priority = priority
            lanes[transfer.address.origin]?.insert(transfer.place, isPaced: isPaced(transfer))
        } else {
            transfer.priority = priority
        }
    }

    // MARK: Time

    private func resumeDue() {
        guard !pausing.isEmpty else { return }
        let now = SteadyClock.nanoseconds()
        for transfer in pausing.compactMap({ transfers[$0] }) {
            if case .pausing(let due) = transfer.stage, due <= now {
                pausing.remove(transfer.number)
                enqueue(transfer)
            }
        }
    }

    private func millisecondsToWait() -> Int {
        let now = SteadyClock.nanoseconds()
        let dues = pausing.compactMap { number -> UInt64? in
            guard case .pausing(let due) = transfers[number]?.stage else { return nil }
            return due > now ? due - now : 0
        }
        let due = [dues.min(), nextPaceDue(now: now).map { $0 - now }].compactMap(\.self).min()
        // Rounded up, or the last millisecond is spent spinning.
        return due.map { Int($0 / 1_000_000) + 1 } ?? Self.forEver
    }

    // MARK: Handles

    /// A handle with default options; making one costs more than cleaning one.
    func takeHandle() -> UnsafeMutableRawPointer? {
        idleHandles.popLast() ?? curl_easy_init()
    }

    func giveBack(_ handle: UnsafeMutableRawPointer) {
        guard idleHandles.count < 16 else { return curl_easy_cleanup(handle) }
        // A reset leaves the cookies, which are not for the next host.
        halftone_curl_set_pointer(handle, CURLOPT_SHARE, nil)
        curl_easy_reset(handle)
        idleHandles.append(handle)
    }
}
