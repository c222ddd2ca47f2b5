import Contract
package import Rules
import Schedules
package import Units

/// The rules of monitored activities: which callback is due when (docs/time.md). A pure machine: it is told
/// of registrations and of use, and asked what is due; it knows no clock, store or bus.
///
/// `due` gives each callback once. Whoever keeps what it gives can go on after a restart: `restore`.
package final class MonitorRules {
    /// All use of a member since an instant: for what `take` was not told of.
    package typealias History = (_ member: String, _ from: Instant) throws -> MemberUse

    private let catalogue: SharedCatalogue
    private let history: History?
    var activities: [ActivityName: Activity] = [:]
    private var members: [String: MemberOdometers] = [:]
    var queue = DueQueue()

    /// - Parameter history: where use from before a start comes from; without it `take` is told of all use.
    package init(_ catalogue: Catalogue = Catalogue(), history: History? = nil) {
        self.catalogue = SharedCatalogue(catalogue)
        self.history = history
    }

    // MARK: use

    /// Moves on with a change of use. What is due with it `due` tells.
    /// - Throws: what `history` throws.
    package func take(_ change: UseChange, cause: String? = nil) throws {
        guard let member = history == nil ? odometers(of: change.member) : members[change.member] else {
            return
        }
        for odometer in try member.take(change, cause: cause) { requeue(odometer) }
    }

    /// Where subjects of the next change belong, which had no use so far. Nothing is counted anew.
    package func learn(_ catalogue: Catalogue, of subjects: some Sequence<Subject>) {
        self.catalogue.value.appCategories = catalogue.appCategories
        self.catalogue.value.browsers = catalogue.browsers
        for subject in subjects where subject.kind == .domain {
            self.catalogue.value.domainCategories[subject.id] = catalogue.category(of: subject)
        }
    }

    /// Subjects belong elsewhere now, or apps are browsers now; that goes for past use too.
    /// - Parameter changed: which ones; `nil` for any, then `catalogue` knows all of `subjects`.
    package func take(_ catalogue: Catalogue, changed: [Subject]?, cause: String? = nil) {
        let old = self.catalogue.value
        if let changed { learn(catalogue, of: changed) } else { self.catalogue.value = catalogue }
        for member in members.values {
            for odometer in member.recount(changed, old, cause: cause) { requeue(odometer) }
        }
    }

    /// All whose use is known here.
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

    /// When something is due next if use goes on as it is; `nil`: never.
    package var nextDue: Instant? { queue.next()?.at }

    /// Takes all that is due up to now: by instant, at one instant as the design orders it, then by name.
    ///
    /// What became due while nobody asked is judged as missed or late. So a driver that lets time pass asks
    /// at each `nextDue`.
    /// - Throws: what `history` throws; then these rules have to be made anew.
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
                    if let told = try activity.takeBoundary(callback, at: key.at, now) {
                        due.append(told)
                    }
                    requeue(activity)
                    if callback == .intervalDidStart || callback == .intervalDidEnd {
                        requeueOdometers(of: activity)
                    }
                case .event(let place):
                    if let told = try place.take(at: key.at, now) { due.append(told) }
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
