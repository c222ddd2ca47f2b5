internal import AppSupport
internal import CommandKit
internal import DeviceActivity
internal import ExtensionLink
internal import FamilyControls
package import Foundation
internal import ManagedSettings

/// The app's operations, for its command and for other user interfaces.
package enum Downtime {
    /// The present state.
    package struct Status: Encodable, Equatable, Sendable {
        package var authorized: Bool
        package var running: Bool
        /// Whether the registered plan is this one; false if the last `start` got no answer.
        package var asRegistered = true
        package var selection: String?
        /// Whether that selection is still as it was taken; a later change of it does not act.
        package var selectionIsCurrent: Bool?
        /// `HH:MM`.
        package var from: String?
        package var to: String?
        /// The present interval, else the next one.
        package var nextStart: Date?
        package var nextEnd: Date?
        /// Whether the store shields anything now.
        package var shielding: Bool
    }

    /// The times of each day, all day from `00:00` to `24:00`.
    package struct Times: Sendable {
        var from: DateComponents
        var to: DateComponents

        /// - Throws: `CommandError` if `from` or `to` is not `HH:MM`, or both are equal.
        package init(from: String, to: String) throws {
            self.from = try AppWords.timeOfDay(from)
            self.to = try AppWords.endOfDay(to)
            guard self.from != self.to || self.from == AppWords.midnight else {
                throw CommandError(
                    "\(from) to \(to) is an empty time", remedy: "Give two different times.",
                    code: CommandError.usage)
            }
        }
    }

    /// Shields the selection every day between these times. A repeated call replaces the times.
    package static func start(selection name: String, _ times: Times) throws -> Status {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        let plan = Plan(
            selectionName: name, selection: try HostApp.selection(name, of: Plan.client),
            from: times.from, to: times.to)
        try Plan.storage.unlessRefused([Plan.key]) {
            // First the values that the extension reads, then the activities that start it.
            try plan.save()
            try DeviceActivityCenter().startMonitoring(.daily, during: plan.schedule)
        }
        // A replaced interval gets no intervalDidEnd. A new one that is running gets intervalDidStart.
        if let next = plan.schedule.nextInterval, next.start > Date() {
            ManagedSettingsStore(named: .daily).clearAllSettings()
        }
        return try status()
    }

    /// Stops the activity and lifts the shields.
    package static func stop() throws -> Status {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        try DeviceActivityCenter().end([.daily])
        ManagedSettingsStore(named: .daily).clearAllSettings()
        try Plan.forget()
        return try status()
    }

    package static func status() throws -> Status {
        guard AuthorizationCenter.shared.authorizationStatus == .approved else {
            return Status(authorized: false, running: false, shielding: false)
        }
        let shield = ManagedSettingsStore(named: .daily).shield
        let plan = try Plan.saved()
        let registered = DeviceActivityCenter().schedule(for: .daily)
        let next = registered?.nextInterval
        return Status(
            authorized: true, running: try DeviceActivityCenter().monitored()[.daily] != nil,
            asRegistered: registered == plan?.schedule, selection: plan?.selectionName,
            selectionIsCurrent: try plan.map { try HostApp.isCurrent($0.selectionName, $0.selection) },
            from: plan.map { AppWords.text($0.from) }, to: plan.map { AppWords.text(end: $0.to) },
            nextStart: next?.start, nextEnd: next?.end,
            shielding: shield.applications != nil || shield.applicationCategories != nil
                || shield.webDomains != nil)
    }
}

extension Downtime.Status {
    /// Sentences for a person.
    package var sentence: String {
        guard authorized else {
            return "Downtime has no permission yet: run `downtime authorize`, then answer the question."
        }
        guard running, let selection, let from = from.map({ LocalTime.timeOfDay($0) }),
            let to = to.map({ LocalTime.timeOfDay($0) })
        else { return "Downtime is off." }
        guard asRegistered else {
            return "'\(selection)' should be shielded every day from \(from) to \(to), but other times are "
                + "registered: run `downtime start` again."
        }
        let isInside = nextStart.map { $0 <= Date() } ?? false
        let present = shielding ? "It is shielded" : isInside ? "It is being shielded" : "It is not shielded"
        let changed =
            selectionIsCurrent == false
            ? " The selection was changed since: run `downtime start` again to use it as it is." : ""
        return "'\(selection)' is shielded every day from \(from) to \(to). \(present) now.\(changed)"
    }
}
