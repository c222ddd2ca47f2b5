import Bus
import Contract
import JSON
import Loop

/// The stream of one page.
@LoopActor final class EventPage {
    let stream: HTTPStream
    /// Whether its session is still one.
    let isAllowed: @LoopActor () -> Bool
    private let services: Services
    /// What the page has received; nil before its first event.
    private var positions: EventPositions?
    private var phase = Phase.waiting

    private enum Phase {
        /// It is not known yet where the logs end.
        case waiting
        /// The page gets what it has missed; newer events wait.
        case catchingUp([Held])
        case live
    }
    private typealias Held = (service: ServiceName, events: [AnyEvent], place: EventPositions.Place)

    /// - Parameter last: what the page has received; nil: nothing, or it cannot be read.
    init(
        _ stream: HTTPStream, after last: EventPositions?, _ services: Services,
        isAllowed: @escaping @LoopActor () -> Bool
    ) {
        self.stream = stream
        self.isAllowed = isAllowed
        self.services = services
        positions = last
        stream.write(Array("retry: \(ConsoleLimits.reconnect.count)\n\n".utf8))
    }

    /// Shows that this side is there, and finds out whether the other one is.
    func beat() { stream.write(Array(": here\n\n".utf8)) }

    /// The logs end here: the page gets what it has missed, or is told to read everything again.
    func begin(at present: EventPositions) {
        guard case .waiting = phase else { return }
        guard let positions, let missed = Self.missed(positions, present) else { return reset(to: present) }
        guard !missed.isEmpty else {
            self.positions = present
            phase = .live
            return
        }
        phase = .catchingUp([])
        Task { @LoopActor in await self.catchUp(missed, present) }
    }

    /// The page has to read everything again. Events from here on follow.
    func reset(to present: EventPositions) {
        positions = present
        phase = .live
        send("reset", Array("{}".utf8))
    }

    func take(_ service: ServiceName, _ events: [AnyEvent], _ place: EventPositions.Place) {
        switch phase {
        case .waiting: break
        case .catchingUp(var held):
            held.append((service, events, place))
            let count = held.reduce(0) { $0 + $1.events.count }
            guard count <= ConsoleLimits.heldMax else { return stream.close() }
            phase = .catchingUp(held)
        case .live: send(service, events, place)
        }
    }

    // MARK: what it has missed

    private typealias Missed = [(service: ServiceName, after: EventPositions.Place, to: Int64)]

    /// - Returns: nil if it cannot be given one by one.
    private static func missed(_ have: EventPositions, _ present: EventPositions) -> Missed? {
        var missed: Missed = []
        for service in EventPositions.services {
            guard let now = present[service], let then = have[service] else { return nil }
            if now == then { continue }
            let count = now.sequence - then.sequence
            guard count > 0, count <= ConsoleLimits.missedMax else { return nil }
            missed.append((service, then, now.sequence))
        }
        return missed
    }

    private func catchUp(_ missed: Missed, _ present: EventPositions) async {
        do throws(ServiceError) {
            for (service, after, end) in missed { try await read(service, after, to: end) }
        } catch {
            // The log was cut or is another one, or the service stopped meanwhile.
            guard case .catchingUp(let held) = phase else { return }
            reset(to: present)
            return deliverHeld(from: held)
        }
        guard case .catchingUp(let held) = phase else { return }
        positions = present
        phase = .live
        deliverHeld(from: held)
    }

    private func deliverHeld(from held: [Held]) {
        for one in held { send(one.service, one.events, one.place) }
    }

    private func read(
        _ service: ServiceName, _ place: EventPositions.Place, to end: Int64
    ) async throws(ServiceError) {
        var place = place
        while place.sequence < end, !stream.isClosed {
            let params = EventsRead.Params(
                after: place.sequence, limit: end - place.sequence, run: place.run.isEmpty ? nil : place.run)
            let answer = try await services.client(service.rawValue).call(EventsRead.self, params)
            // The phase is another one if the page was told to read everything again.
            guard case .catchingUp = phase else { return }
            guard answer.through > place.sequence else {
                throw ServiceError(.logTrimmed, "the log ends early", remedy: "Read everything again.")
            }
            place = EventPositions.Place(sequence: answer.through, run: answer.run ?? place.run)
            // What is no event violates the contract, and is left out.
            send(service, answer.events.compactMap { try? AnyEvent.decode($0.bytes) }, place)
        }
    }

    // MARK: writing

    private func send(_ service: ServiceName, _ events: [AnyEvent], _ place: EventPositions.Place) {
        for (index, event) in events.enumerated() {
            let isLast = index == events.count - 1
            positions?[service] =
                isLast
                ? place
                : EventPositions.Place(
                    sequence: event.head.sequence.value, run: event.head.run ?? LogRun.before)
            send(event.head.type, event.data?.bytes ?? Array("null".utf8))
        }
        if events.isEmpty { positions?[service] = place }
    }

    private func send(_ type: String, _ data: [UInt8]) {
        var frame = Array("event: \(type)\ndata: ".utf8)
        // Between two members a line end is a blank; inside a string JSON has none.
        frame += data.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        frame += Array("\nid: \(positions?.text ?? "")\n\n".utf8)
        stream.write(frame)
    }
}
