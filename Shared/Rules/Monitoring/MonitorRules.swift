import Contract
package import Rules
import Schedules
package import Units

/// The rules of monitored activities: which callback is due when (docs/time.md). A deterministic state
/// machine: it receives registrations and use, and returns what is due. It has no clock, store or bus.
///
/// `due` returns each callback once. An owner that stores what it returns can continue after a restart with
/// `restore`.
package final class MonitorRules {
    /// Loads the use of a member since an instant, for time before the changes passed to `take`.
    package typealias History = (_ member: String, _ from: Instant) throws -> MemberUse

    private let catalogue: SharedCatalogue
    private let history: History?
    var activities: [ActivityName: Activity] = [:]
    private var members: [String: MemberOdometers] = [:]
    var queue = DueQueue()

    /// - Parameter history: loads use from before the start; without it, `take` must receive all use.
    package init(_ catalogue: Catalogue = Catalogue(), history: History? = nil) {
        self.catalogue = SharedCatalogue(catalogue)
        self.history = history
    }

    // MARK: use

    /// Applies a change of use; `due` then returns what it makes due.
    /// - Throws: the errors of `history`.
    package func apply(_ change: UseChange, cause: String? = nil) throws {
        guard let member = history == nil ? odometers(of: change.member) : members[change.member] else {
            return
        }
        for odometer in try member.apply(change, cause: cause) { requeue(odometer) }
    }

    /// Sets the categories of subjects of the next change that had no use so far. Nothing is recomputed.
    package func learn(_ catalogue: Catalogue, of subjects: some Sequence<Subject>) {
        self.catalogue.value.appCategories = catalogue.appCategories
        self.catalogue.value.browsers = catalogue.browsers
        for subject in subjects where subject.kind == .domain {
            self.catalogue.value.domainCategories[subject.id] = catalogue.category(of: subject)
        }
    }

    /// Applies a changed catalogue: subjects have other categories, or apps are browsers; past use is
    /// recomputed.
    /// - Parameter changed: the subjects that changed; nil for any, `catalogue` then has all of `subjects`.
    package func apply(_ catalogue: Catalogue, changed: [Subject]?, cause: String? = nil) {
        let old = self.catalogue.value
        if let changed { learn(catalogue, of: changed) } else { self.catalogue.value = catalogue }
        for member in members.values {
            for odometer in member.recount(changed, old, cause: cause) { requeue(odometer) }
        }
    }

    /// All subjects whose use is known.
    package var subjects: Set<Subject> {
        members.values.reduce(into: []) { $0.formUnion($1.subjects) }
    }

    func odometers(of member: String) -> MemberOdometers {
        if let known = members[member] { return known }
        let new = MemberOdometers(member, catalogue, history)
        members[member] = new
        return new
    }

    // MARK: what is due

    /// The next instant at which something is due if present use continues; nil if never.
    package var nextDue: Instant? { queue.next()?.at }

    /// Removes and returns everything that is due up to now: by instant, at one instant by ``CallbackName``'s
    /// order, then by name.
    ///
    /// What became due since the last call is judged as missed or late. Therefore a driver that lets time
    /// pass calls it at each `nextDue`.
    /// - Throws: the errors of `history`; then these rules must be rebuilt.
    package func due(until now: Instant) throws -> [DueCallback] {
        var due: [DueCallback] = []
        while let key = queue.next(), key.at <= now {
            let sources = queue.take(key)
            guard let callback = key.callback else {
                for case let odometer as Odometer in sources {
                    odometer.look(until: now)
                    requeue(odometer)
                }
                continue
            }
            for one in items(sources, key).sorted(by: { $0.order < $1.order }) {
                switch one {
                case .boundary(let activity):
                    if let found = try activity.processBoundary(callback, at: key.at, now) {
                        due.append(found)
                    }
                    requeue(activity)
                    if callback == .intervalDidStart || callback == .intervalDidEnd {
                        requeueOdometers(of: activity)
                    }
                case .event(let place):
                    if let found = try place.process(at: key.at, now) { due.append(found) }
                    if let index = place.index {
                        requeue(place.activity.events[index].odometer)
                    } else {
                        requeue(place.activity)
                        requeueOdometers(of: place.activity)
                    }
                }
            }
        }
        return due
    }

    private enum Item {
        case boundary(Activity)
        case event(EventPlace)

        var order: (ActivityName, String) {
            switch self {
            case .boundary(let activity): (activity.name, "")
            case .event(let place):
                (place.activity.name, place.index.flatMap { place.activity.definition(of: $0)?.name } ?? "")
            }
        }
    }

    private func items(_ sources: [DueSource], _ key: DueKey) -> [Item] {
        sources.flatMap { source -> [Item] in
            if let odometer = source as? Odometer {
                let events = odometer.take(key)
                requeue(odometer)
                return events.map { .event($0) }
            }
            return (source as? Activity).map { [.boundary($0)] } ?? []
        }
    }

    func requeue(_ activity: Activity) { queue.set(activity.nextKey, for: activity) }

    private func requeue(_ odometer: Odometer) { queue.set(odometer.nextKey(), for: odometer) }

    func requeueOdometers(of activity: Activity) {
        for odometer in activity.odometers { requeue(odometer) }
    }
}
