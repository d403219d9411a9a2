/// Tickets in the order of their turns: a binary heap whose elements know where they stand.
///
/// Entering, leaving from the middle and moving take O(log n) exchanges, so a thousand that wait may all change places
/// while the reader scrolls. (Cormen et al., "Introduction to Algorithms", chapter 6, priority queues with handles.)
struct TicketHeap {
    private var tickets: [WorkTicket] = []
    /// The places given to those who come last, and to those who come first, among equals.
    private var back = 0
    private var front = 0

    var count: Int { tickets.count }
    /// Whose turn is next.
    var first: WorkTicket? { tickets.first }

    /// Lets a ticket in behind its equals.
    mutating func append(_ ticket: WorkTicket) {
        back += 1
        insert(ticket, order: back)
    }

    /// Lets a ticket in before its equals.
    mutating func prepend(_ ticket: WorkTicket) {
        front -= 1
        insert(ticket, order: front)
    }

    /// Takes a ticket out that stands in this line.
    mutating func remove(_ ticket: WorkTicket) {
        guard let place = ticket.place else { return }
        tickets[place].place = nil
        let last = tickets.removeLast()
        guard place < tickets.count else { return }
        put(last, at: place)
        rise(from: place)
        sink(from: last.place ?? place)
    }

    private mutating func insert(_ ticket: WorkTicket, order: Int) {
        ticket.order = order
        tickets.append(ticket)
        ticket.place = tickets.count - 1
        rise(from: tickets.count - 1)
    }

    private mutating func put(_ ticket: WorkTicket, at place: Int) {
        tickets[place] = ticket
        ticket.place = place
    }

    private mutating func rise(from start: Int) {
        let ticket = tickets[start]
        var place = start
        while place > 0, ticket.goesBefore(tickets[(place - 1) / 2]) {
            put(tickets[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        put(ticket, at: place)
    }

    private mutating func sink(from start: Int) {
        let ticket = tickets[start]
        var place = start
        while case let child = nextChild(of: place), child < tickets.count,
            tickets[child].goesBefore(ticket)
        {
            put(tickets[child], at: place)
            place = child
        }
        put(ticket, at: place)
    }

    /// The one of its two children that goes first.
    private func nextChild(of place: Int) -> Int {
        let left = 2 * place + 1
        let hasRight = left + 1 < tickets.count
        return hasRight && tickets[left + 1].goesBefore(tickets[left]) ? left + 1 : left
    }
}
