internal import AppSupport
internal import CommandKit
internal import DeviceActivity
internal import ExtensionLink
internal import FamilyControls
internal import Foundation

/// The app's operations, for its command and for other user interfaces.
package enum Encouragement {
    package struct Status: Encodable, Equatable, Sendable {
        package var authorized: Bool
        package var running: Bool
        /// Whether the registered promise is this one; false if the last `start` got no answer.
        package var asRegistered = true
        package var selection: String?
        /// Whether that selection is still as it was taken; a later change of it does not act.
        package var selectionIsCurrent: Bool?
        /// Seconds of use a day.
        package var limitSeconds: Int?
        package var sentence: String?
    }

    /// Maximum characters of the sentence.
    package static let sentenceMax = 500

    /// - Parameters:
    ///   - hours, minutes: of use a day, together 1 minute to 24 hours.
    ///   - sentence: the person's own, 1 to 500 characters.
    /// - Throws: `CommandError` if they are outside of these ranges.
    package static func check(hours: Int, minutes: Int, sentence: String) throws {
        guard (0...24).contains(hours), (0..<60).contains(minutes),
            (1...1_440).contains(hours * 60 + minutes)
        else {
            throw CommandError(
                "\(hours) h \(minutes) min is not a valid limit for a day",
                remedy: "Give 0 to 24 hours and 0 to 59 minutes, together at least one minute.",
                code: CommandError.usage)
        }
        guard (1...sentenceMax).contains(sentence.count) else {
            throw CommandError(
                "the sentence has \(sentence.count) characters", remedy: "Write 1 to \(sentenceMax).",
                code: CommandError.usage)
        }
        _ = try AppWords.sentence(sentence)
    }

    /// Monitors the selection's use every day from now on. A repeated call replaces the promise.
    /// - Parameter hours, minutes, sentence: see ``check(hours:minutes:sentence:)``.
    package static func start(
        selection name: String, hours: Int, minutes: Int, sentence: String
    ) throws -> Status {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        try check(hours: hours, minutes: minutes, sentence: sentence)
        let promise = Promise(
            selectionName: name, selection: try HostApp.selection(name, of: Promise.client),
            limit: DateComponents(hour: hours, minute: minutes), sentence: sentence)
        try Promise.storage.unlessRefused([Promise.key]) {
            try promise.save()
            try DeviceActivityCenter().startMonitoring(
                .daily, during: promise.schedule, events: [.encouraged: promise.event])
        }
        return try status()
    }

    package static func stop() throws -> Status {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        try DeviceActivityCenter().end([.daily])
        try Promise.forget()
        return try status()
    }

    package static func status() throws -> Status {
        guard AuthorizationCenter.shared.authorizationStatus == .approved else {
            return Status(authorized: false, running: false)
        }
        let promise = try Promise.saved()
        let center = DeviceActivityCenter()
        return Status(
            authorized: true, running: try center.monitored()[.daily] != nil,
            asRegistered: center.schedule(for: .daily) == promise?.schedule
                && center.events(for: .daily)[.encouraged] == promise?.event,
            selection: promise?.selectionName,
            selectionIsCurrent: try promise.map { try HostApp.isCurrent($0.selectionName, $0.selection) },
            limitSeconds: promise?.limitSeconds, sentence: promise?.sentence)
    }
}

extension Encouragement.Status {
    /// Sentences for a person.
    package var text: String {
        guard authorized else {
            return "Encouragement has no permission yet: run `encouragement authorize`, then answer."
        }
        guard running, let selection, let limitSeconds, let sentence else {
            return "Encouragement is off."
        }
        guard asRegistered else {
            let amount = LocalTime.amount(seconds: Int64(limitSeconds))
            return "The promise of \(amount) a day of '\(selection)' is not registered, and an earlier one "
                + "is followed: run `encouragement start` again."
        }
        let changed =
            selectionIsCurrent == false
            ? " The selection was changed since: run `encouragement start` again to use it as it is." : ""
        return
            "'\(selection)', \(LocalTime.amount(seconds: Int64(limitSeconds))) a day: “\(sentence)”\(changed)"
    }
}
