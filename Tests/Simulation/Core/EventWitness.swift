import Contract
import Loop
import ServiceKit
import Units

/// Reads the events of all services soon after they are committed, so that the oracle has those, too, that a
/// log no longer keeps; and checks that the logs are gapless, name the right predecessors, and lose nothing
/// that was committed.
@LoopActor final class EventWitness {
    struct Witnessed {
        var event: AnyEvent
        /// When it was committed.
        var time: Instant
    }

    private var seen: [ServiceName: [Witnessed]] = [:]
    private var lastOfType: [ServiceName: [String: Int64]] = [:]
    private unowned let system: SimulatedSystem

    init(_ system: SimulatedSystem) { self.system = system }

    /// All events of a service so far, in order.
    func events(of service: ServiceName) -> [Witnessed] { seen[service] ?? [] }

    /// The data of all events of one type so far, and when they were committed.
    func all<E: EventData>(_ type: E.Type) -> [(data: E, time: Instant)] {
        events(of: E.owner).compactMap { one in decoded(one, E.self).map { ($0, one.time) } }
    }

    /// The data of an event; nil if it has another type.
    func decoded<E: EventData>(_ one: Witnessed, _ type: E.Type) -> E? {
        guard one.event.head.type == E.type else { return nil }
        do { return try one.event.data.map { try E.decode($0.bytes) } } catch {
            system.violate("the event \(one.event.head.id) of type \(E.type) cannot be read: \(error)")
            return nil
        }
    }

    /// Reads what is new.
    func collect() {
        for service in system.services {
            let count = Int64(seen[service.name]?.count ?? 0)
            if service.head < count {
                system.violate("\(service.name.rawValue) had \(count) events, and has \(service.head)")
            } else if service.head > count {
                read(service, after: count)
            }
        }
    }

    private func read(_ service: Service, after count: Int64) {
        do {
            for stored in try service.eventLog.page(after: count, types: [], limit: .max).events {
                let event = try AnyEvent.decode(stored.body)
                add(Witnessed(event: event, time: stored.time), of: service.name)
            }
        } catch {
            system.violate("the log of \(service.name.rawValue) cannot be read: \(error)")
        }
    }

    private func add(_ one: Witnessed, of service: ServiceName) {
        let (sequence, type) = (one.event.head.sequence.value, one.event.head.type)
        let last = Int64(seen[service]?.count ?? 0)
        if sequence != last + 1 {
            system.violate("\(service.rawValue): after the event \(last) comes \(sequence)")
        }
        if one.event.head.previous.value != lastOfType[service]?[type] ?? 0 {
            system.violate("\(service.rawValue): event \(sequence) names another predecessor")
        }
        seen[service, default: []].append(one)
        lastOfType[service, default: [:]][type] = sequence
    }
}
