import CommandKit
import Contract
import JSON
import Units

/// What `delivery list --json` prints.
@Record
struct DeliveryReport: Record {
    /// In order of arrival.
    var deliveries: [Told] = []
    /// Armed ones, earliest first.
    var pending: [PendingCallback] = []
    /// For --before: older deliveries are left.
    var previous: Int64?
    /// Intervals that a change of the clock leaves out or moves.
    var altered: [Altered]?

    @Record
    struct Told: Record {
        /// As monitor-runner has it.
        var delivery: Delivery = Delivery()
        /// A threshold's crossing by what is known now.
        ///
        /// Of a threshold: when it is reached by what is known now.
        var recounted: RecountedCallback?
    }

    @Record
    struct Altered: Record {
        /// Bundle id of its owner.
        var client: String = ""
        /// Its name.
        var activity: String = ""
        /// What a change of the clock leaves out or moves.
        var interval: AlteredInterval = AlteredInterval()

        init(_ entry: MonitoredActivity, _ interval: AlteredInterval) {
            client = entry.client
            activity = entry.activity.name
            self.interval = interval
        }
    }
}

extension AlteredInterval {
    /// The times above it are those of the caller's clock.
    func sentence(of activity: String) -> String {
        "\(activity): \(explanation), by the clock of the member's time zone."
    }
}

extension Screentime {
    static let deliveryCommand = Command(
        "delivery list", ["[ACTIVITY]"],
        options: [
            .init("--limit", "N", "So many of the newest and of those to come, 1 to 100; default 20."),
            .init("--before", "ID", "The page before this one: only older deliveries, none to come."),
            .json,
        ],
        summary:
            "List the callbacks of monitor extensions: those scheduled, and how past ones were delivered.",
        details: """
            REACHED is the boundary or crossing as it was delivered, NOW the same threshold with all usage
            known now. A delivered crossing is final, even if late data moves it. If there are older
            deliveries, the last line says how to see them.
            """
    ) { invocation in
        let limit = try deliveryLimit(invocation.value("--limit"))
        let same = (invocation.arguments.first.map { [VisibleText.shellWord($0)] } ?? [])
            + (invocation.value("--limit").map { ["--limit", $0] } ?? [])
        let activity = invocation.arguments.first
        let session = try invocation.session()
        var report = DeliveryReport()
        let ids = 1...Int(JSONLimits.integers.upperBound)
        let before = try invocation.number("--before", in: ids).map(Int64.init)
        let page = try await session.call(
            DeliveryList.self, DeliveryList.Params(activity: activity, limit: limit, before: before))
        let told = page.deliveries
        report.previous = page.previous
        if before == nil {
            report.pending = try await session.call(
                MonitoringPending.self, MonitoringPending.Params(activity: activity, limit: limit)
            ).pending
            report.altered = try await altered(activity, session)
        }
        let thresholds = told.filter { $0.callback == CallbackName.eventDidReachThreshold.rawValue }
        let recounted = try await session.call(
            MonitoringRecount.self, MonitoringRecount.Params(callbacks: thresholds.map(\.about))
        ).recounted
        let byID = Dictionary(zip(thresholds.map(\.id), recounted)) { first, _ in first }
        report.deliveries = told.map { .init(delivery: $0, recounted: byID[$0.id]) }
        if invocation.has("--json") {
            Console.print(report.encoded())
        } else {
            print(report, same: same)
        }
        return ExitCode.ok
    }

    private static func altered(
        _ activity: String?, _ session: Session
    ) async throws -> [DeliveryReport.Altered]? {
        let monitored = try await session.call(MonitoringList.self, MonitoringList.Params()).activities
        let altered = monitored.filter { activity == nil || $0.activity.name == activity }.flatMap { entry in
            (entry.altered ?? []).map { DeliveryReport.Altered(entry, $0) }
        }
        return altered.isEmpty ? nil : altered
    }

    private static func deliveryLimit(_ text: String?) throws(CommandError) -> Int64 {
        guard let text else { return 20 }
        guard let number = WholeNumber.of(text), (1...100).contains(number) else {
            throw CommandError(
                ExitCode.usage, "--limit is '\(text)'", remedy: "Give a whole number from 1 to 100.")
        }
        return number
    }

    /// - Parameter same: the words of the call that choose, for the next page.
    private static func print(_ report: DeliveryReport, same: [String]) {
        var told = TextTable([
            "ACTIVITY", "EVENT", "CALLBACK", "STATE", "REGISTERED", "REACHED", "DELIVERED", "RETURNED",
            "FAILED", "TOTAL", "NOW", "CLIENT",
        ])
        for one in report.deliveries {
            let delivery = one.delivery
            let about = delivery.about
            told.add([
                about.activity, about.event ?? "-", delivery.callback,
                delivery.state.rawValue + (about.past == true ? ", past" : about.late ? ", late" : ""),
                time(about.registered), time(about.at), time(delivery.started),
                delivery.state == .delivered ? time(delivery.finished) : "-",
                String(delivery.failures ?? 0), about.total.map { LocalTime.duration($0) } ?? "-",
                one.recounted.map { time($0.at, otherwise: "never") } ?? "-", about.client,
            ])
        }
        told.printAll()
        defer { printRest(report, same) }
        guard !report.pending.isEmpty else { return }
        Console.print("")
        var armed = TextTable([
            "ACTIVITY", "EVENT", "CALLBACK", "REGISTERED", "ARMED FOR", "TOTAL", "THRESHOLD", "CLIENT",
        ])
        for one in report.pending {
            armed.add([
                one.activity, one.event ?? "-", one.callback, time(one.registered),
                time(one.due, otherwise: "not in use"), one.total.map { LocalTime.duration($0) } ?? "-",
                one.threshold.map { LocalTime.duration($0) } ?? "-", one.client,
            ])
        }
        armed.printAll()
    }

    private static func printRest(_ report: DeliveryReport, _ same: [String]) {
        for one in report.altered ?? [] { Console.print(one.interval.sentence(of: one.activity)) }
        guard let previous = report.previous else { return }
        let words = (["screentime", "delivery", "list"] + same + ["--before", String(previous)])
        Console.note("There are older ones: `\(words.joined(separator: " "))`.")
    }

    /// With milliseconds.
    private static func time(_ at: Instant?, otherwise: String = "-") -> String {
        at.map(LocalTime.precise) ?? otherwise
    }
}
