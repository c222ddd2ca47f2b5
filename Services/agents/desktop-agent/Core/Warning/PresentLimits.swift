import Bus
import Contract
import Loop
import Rules
import Time
import Units

/// The limits of the person that are monitored now, with what is left of each: what an agent knows that has
/// heard no announcement.
@LoopActor struct PresentLimits {
    /// As registered.
    let activities: [MonitoredActivity]
    /// Those whose time counts now.
    let limits: [DayLimit]

    /// Those whose warning is due, with the time that is left.
    var warnings: [LimitWarning] { limits.compactMap(\.warning) }

    /// - Parameters:
    ///   - client: to activity-center.
    ///   - now: up to which use counts.
    static func read(
        _ client: RequestClient, now: Instant = WallTime.now,
        _ end: @escaping @LoopActor (Result<PresentLimits, ServiceError>) -> Void
    ) {
        client.send(
            MonitoringList.self, MonitoringList.Params(), options: CallOptions(deadline: AgentLimits.answer)
        ) { result in
            let list: MonitoringList.Result
            switch result {
            case .success(let answer): list = answer
            case .failure(let error): return end(.failure(error))
            }
            let candidates = list.activities.flatMap { events(of: $0, now) }
            recount(candidates[...], [], client) {
                end($0.map { PresentLimits(activities: list.activities, limits: $0) })
            }
        }
    }

    /// Adds them to `counted`, a request at a time.
    private static func recount(
        _ candidates: ArraySlice<Candidate>, _ counted: [DayLimit], _ client: RequestClient,
        _ end: @escaping @LoopActor (Result<[DayLimit], ServiceError>) -> Void
    ) {
        guard !candidates.isEmpty else { return end(.success(counted)) }
        let part = candidates.prefix(AgentLimits.recountedMax)
        client.send(
            MonitoringRecount.self, MonitoringRecount.Params(callbacks: part.map(\.about)),
            options: CallOptions(deadline: AgentLimits.answer)
        ) { result in
            switch result {
            case .failure(let error): end(.failure(error))
            case .success(let answer):
                let fresh = zip(part, answer.recounted).compactMap { $0.limit(total: $1.total) }
                recount(candidates.dropFirst(part.count), counted + fresh, client, end)
            }
        }
    }

    /// An event, as its callback would be.
    private struct Candidate {
        var about: ActivityCallback
        let warningTime: Milliseconds?

        func limit(total: Milliseconds) -> DayLimit? {
            var about = about
            about.total = total
            return DayLimit(about, warningTime: warningTime)
        }
    }

    private static func events(of one: MonitoredActivity, _ now: Instant) -> [Candidate] {
        guard one.client == BuiltInClient.limits, one.inInterval, let start = one.intervalStart
        else { return [] }
        let warningTime = one.activity.schedule.warningTime?.duration
        return (one.activity.events ?? []).compactMap { event in
            guard let threshold = event.threshold.duration else { return nil }
            let isPastCounted = event.includesPastActivity ?? false
            let about = ActivityCallback(
                client: one.client, member: one.member, activity: one.activity.name, event: event.name,
                registration: one.registration, occurrenceStart: start, occurrenceEnd: one.intervalEnd ?? now,
                at: now, threshold: threshold, definition: event,
                countedFrom: isPastCounted ? start : max(start, one.registered))
            return Candidate(about: about, warningTime: warningTime)
        }
    }
}
