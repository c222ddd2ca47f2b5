import Units

/// Who is signed in, in memory only: a restart of the console asks again.
///
/// `screentime open` asks the console, over the bus, for a ticket, because there the kernel says who asks.
/// The browser redeems it once for a session, whose id is in a cookie.
final class Sessions {
    /// One browser that is signed in.
    struct Session {
        /// Sent back with everything that changes something; a page of another origin cannot read it.
        let csrf = Secret()
        fileprivate(set) var lastUse: Milliseconds
        fileprivate let began: Milliseconds
        fileprivate var allowance = Allowance()
    }

    /// Bounds, in the milliseconds of the clock that callers pass, which never steps.
    enum Bounds {
        /// A ticket that was not redeemed by then is worthless.
        static let ticketLife: Milliseconds = 60_000
        static let ticketsMax = 8
        /// Without a request.
        static let idleLife: Milliseconds = .hours(12)
        static let life: Milliseconds = .hours(24 * 7)
        /// A further one ends the one that was idle the longest.
        static let sessionsMax = 32
    }

    private var tickets: [Secret: Milliseconds] = [:]
    private var sessions: [Secret: Session] = [:]

    var count: Int { sessions.count }

    /// A ticket for one sign-in.
    func makeTicket(now: Milliseconds) -> Secret {
        dropExpired(now)
        if tickets.count >= Bounds.ticketsMax, let oldest = tickets.min(by: { $0.value < $1.value }) {
            tickets[oldest.key] = nil
        }
        let ticket = Secret()
        tickets[ticket] = now
        return ticket
    }

    /// Begins a session.
    /// - Returns: its id; nil if there is no such ticket, or not any more.
    func redeem(_ given: String?, now: Milliseconds) -> Secret? {
        dropExpired(now)
        guard let ticket = tickets.keys.first(where: { $0.matches(given) }) else { return nil }
        tickets[ticket] = nil
        if sessions.count >= Bounds.sessionsMax,
            let idlest = sessions.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            sessions[idlest.key] = nil
        }
        let id = Secret()
        sessions[id] = Session(lastUse: now, began: now)
        return id
    }

    /// The session with this id, as it is used now; nil if there is none, or not any more.
    func use(_ given: String?, now: Milliseconds) -> Session? {
        dropExpired(now)
        guard let id = sessions.keys.first(where: { $0.matches(given) }) else { return nil }
        sessions[id]?.lastUse = now
        return sessions[id]
    }

    /// Counts a request of this session.
    /// - Returns: how long it should have waited; nil if it may go on.
    func spend(_ given: String?, now: Milliseconds) -> Milliseconds? {
        guard let id = sessions.keys.first(where: { $0.matches(given) }) else { return nil }
        return sessions[id]?.allowance.spend(now)
    }

    /// Signs out.
    func end(_ given: String?) {
        if let id = sessions.keys.first(where: { $0.matches(given) }) { sessions[id] = nil }
    }

    private func dropExpired(_ now: Milliseconds) {
        tickets = tickets.filter { now - $0.value < Bounds.ticketLife }
        sessions = sessions.filter {
            now - $0.value.lastUse < Bounds.idleLife && now - $0.value.began < Bounds.life
        }
    }
}

/// How many requests a session may make: many at once, as a page does that opens, but not for long.
struct Allowance {
    static let atOnce: Int64 = 300
    static let aSecond: Int64 = 50
    /// In thousandths of a request.
    private var left = atOnce * 1_000
    private var countedAt: Milliseconds?

    /// - Returns: how long to wait until the next request; nil if this one may go on.
    mutating func spend(_ now: Milliseconds) -> Milliseconds? {
        if let countedAt { left = min(Self.atOnce * 1_000, left + (now - countedAt).count * Self.aSecond) }
        countedAt = now
        guard left >= 1_000 else { return Milliseconds((1_000 - left + Self.aSecond - 1) / Self.aSecond) }
        left -= 1_000
        return nil
    }
}
