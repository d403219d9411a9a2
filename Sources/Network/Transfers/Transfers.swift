import Pipeline
import Trace

/// Transfers from servers: libcurl on one thread of its own, most urgent first, so many at once to a host.
///
/// The thread starts with the first order and sleeps without waking while nothing is to do. Dropping the last reference cancels everything
/// and ends it. May be used from every thread.
final class Transfers: Sendable {
    /// What is told of the end, once, on the transfer thread; must not block.
    typealias Completion = @Sendable (Result<TransferAnswer, FetchError>) -> Void

    private let options: NetworkOptions
    private let retries: RetryPolicy
    private let tracer: Tracer
    private let pinnedNames: [String]
    private let paceLimits: Pace.Limits
    private let orders = TransferQueue()
    private let arrivals = ArrivalBoard()

    /// Makes the way to servers; `pinnedNames` are `host:port:address` triples that go before name resolution.
    init(
        options: NetworkOptions, retries: RetryPolicy? = nil, pinnedNames: [String] = [],
        paceLimits: Pace.Limits = Pace.Limits(), tracer: Tracer = .disabled
    ) {
        self.options = options
        self.retries = retries ?? RetryPolicy(retries: options.retries)
        self.pinnedNames = pinnedNames
        self.paceLimits = paceLimits
        self.tracer = tracer
    }

    deinit { orders.add(.end) }

    /// Requests that are with a server at this moment; those that wait for their turn do not count.
    var inFlightCount: Int { orders.inFlightCount }

    /// Puts an order in line; cancelling tells it `cancelled`.
    func start(
        _ order: TransferOrder, priority: Priority, completion: @escaping Completion
    ) -> Subscription {
        let number = orders.nextNumber()
        if orders.add(.start(number, order, priority, completion)) {
            startThread()
        }
        return Subscription(
            onCancel: { [orders] in orders.add(.cancel(number)) },
            onPriority: { [orders] priority in orders.add(.prioritise(number, priority)) })
    }

    /// Tells of a body while it comes in, as `ArrivalBoard` does, and at once of what has come before.
    func watch(_ address: Address, receive: @escaping ArrivalBoard.Receive) -> Subscription {
        let watch = arrivals.watch(address, receive: receive)
        orders.add(.show(address))
        return watch
    }

    /// How much has come of an address that is watched.
    func progress(of address: Address) -> FetchProgress? { arrivals.progress(of: address) }

    private func startThread() {
        let isStarted = startTransferThread {
            [orders, options, retries, pinnedNames, paceLimits, arrivals, tracer] in
            let loop = TransferLoop(
                orders: orders, options: options, retries: retries, pinnedNames: pinnedNames,
                paceLimits: paceLimits, arrivals: arrivals, tracer: tracer)
            loop?.run()
            orders.close(loop == nil ? .other("libcurl does not start") : .cancelled)
        }
        if !isStarted {
            orders.close(.other("the system has no thread left for transfers"))
        }
    }
}
