internal import AppSupport
internal import CommandKit
internal import DeviceActivity
internal import ExtensionLink
internal import FamilyControls
internal import Foundation
internal import ManagedSettings

/// The app's operations, for its command and for other user interfaces.
package enum Worklog {
    package struct Status: Encodable, Equatable, Sendable {
        package var authorized: Bool
        package var gamingShut: Bool
        package var socialShut: Bool
        /// Whether social media are unshielded from 17:00 to 20:00.
        package var evenings: Bool
        /// Name of the selection of games; nil if nothing is set up.
        package var gamingSelection: String?
        package var socialSelection: String?
        package var goalMinutes: Int?
        package var goalSelection: String?
        package var goalReached: Bool
        /// Whether the registered goal is this one; false if the last `until` got no answer.
        package var goalAsRegistered = true
        /// Whether the selections are still as they were taken; a later change of one does not act.
        package var selectionsAreCurrent: Bool?
    }

    /// Shields game sites, and social apps and sites.
    /// - Parameters: names of selections with the categories.
    /// - Throws: `CommandError` also if the selection of games has apps alone, of which nothing is shielded.
    package static func setup(gaming: String, social: String) throws -> Status {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        var rules = Rules(
            gaming: try HostApp.selection(gaming, of: Rules.client),
            social: try HostApp.selection(social, of: Rules.client))
        guard !rules.gaming.categoryTokens.isEmpty || !rules.gaming.webDomainTokens.isEmpty else {
            throw CommandError(
                "the selection '\(gaming)' has only apps, and worklog shields games where they are sites",
                remedy: "Add a category or a domain to it, or set a limit for the apps by `limits set`.",
                code: CommandError.usage)
        }
        (rules.gamingName, rules.socialName) = (gaming, social)
        if let old = try followed() { (rules.evenings, rules.goal) = (old.evenings, old.goal) }
        try movingDoors { try rules.save() }
        return try status()
    }

    /// Switches on or off that social media are unshielded from 17:00 to 20:00 every day.
    package static func evenings(_ isOn: Bool) throws -> Status {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        var rules = try rules()
        rules.evenings = isOn
        if isOn {
            // A stopped activity gets no intervalDidEnd. A new one inside its interval gets intervalDidStart.
            let isNew = try DeviceActivityCenter().monitored()[.evenings] == nil
            try movingDoors(.evening) {
                if isNew { try Doors.note(.evening, false) }
                try rules.save()
            } register: {
                try DeviceActivityCenter().startMonitoring(.evenings, during: .evenings)
            }
        } else {
            try DeviceActivityCenter().end([.evenings])
            try rules.save()
            try Doors.set(.evening, false)
        }
        return try status()
    }

    /// Keeps everything shielded until the selection was used for this long today; nil removes the goal.
    package static func goal(selection: String, minutes: Int) throws -> Status {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        guard (1...1_440).contains(minutes) else {
            throw CommandError(
                "\(minutes) min is not a valid goal for a day", remedy: "Give 1 to 1440 minutes.",
                code: CommandError.usage)
        }
        var rules = try rules()
        let chosen = try HostApp.selection(selection, of: Rules.client)
        let goal = Rules.Goal(selectionName: selection, selection: chosen, minutes: minutes)
        // An unchanged event that was reached gets no second callback.
        let stays = rules.goal == goal
        rules.goal = goal
        try movingDoors(.goal) {
            if !stays { try Doors.note(.goal, false) }
            try rules.save()
        } register: {
            try DeviceActivityCenter().startMonitoring(.goal, during: .wholeDay, events: [.goal: goal.event])
        }
        return try status()
    }

    /// Saves the rules, writes the stores, and then registers the activities, whose callbacks may write the
    /// stores from then on. If anything is refused, rules and stores are restored.
    private static func movingDoors(
        _ door: Doors.Reason? = nil, _ save: () throws -> Void, register: () throws -> Void = {}
    ) throws {
        do {
            try Rules.storage.unlessRefused([Rules.key] + (door.map { [$0.rawValue] } ?? [])) {
                try save()
                try Doors.apply()
                try register()
            }
        } catch {
            // Restores the stores, unless they refuse that as well.
            try? Doors.apply()
            throw error
        }
    }

    package static func withoutGoal() throws -> Status {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        var rules = try rules()
        rules.goal = nil
        try DeviceActivityCenter().end([.goal])
        try rules.save()
        try Doors.set(.goal, false)
        return try status()
    }

    /// Lifts all shields and deletes the rules.
    package static func stop() throws -> Status {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        try Rules.storage.unlessRefused([Rules.key]) {
            // First the rules, so that an intervalDidEnd that arrives now shields nothing.
            try Rules.forget()
            try DeviceActivityCenter().end([.evenings, .goal])
        }
        Doors.clear()
        return try status()
    }

    /// Revokes the app's authorization: its stores and activities are deleted, and its tokens become void.
    package static func revoke() async throws {
        try await withCheckedThrowingContinuation { continuation in
            AuthorizationCenter.shared.revokeAuthorization { continuation.resume(with: $0) }
        }
    }

    package static func status() throws -> Status {
        guard AuthorizationCenter.shared.authorizationStatus == .approved else {
            return Status(
                authorized: false, gamingShut: false, socialShut: false, evenings: false, goalReached: false
            )
        }
        let rules = try followed()
        return Status(
            authorized: true, gamingShut: Doors.isShut(.gaming), socialShut: Doors.isShut(.social),
            evenings: rules?.evenings ?? false, gamingSelection: rules?.gamingName,
            socialSelection: rules?.socialName, goalMinutes: rules?.goal?.minutes,
            goalSelection: rules?.goal?.selectionName,
            goalReached: try rules?.goal != nil && Doors.isOpen(.goal),
            goalAsRegistered: DeviceActivityCenter().events(for: .goal)[.goal] == rules?.goal?.event,
            selectionsAreCurrent: try rules.map(areCurrent))
    }

    private static func areCurrent(_ rules: Rules) throws -> Bool {
        let taken = [
            (rules.gamingName, rules.gaming), (rules.socialName, rules.social),
            (rules.goal?.selectionName, rules.goal?.selection),
        ]
        return try taken.allSatisfy { name, selection in
            guard let name, let selection else { return true }
            return try HostApp.isCurrent(name, selection)
        }
    }

    /// The rules without those whose activity is not registered, because the authorization was revoked
    /// meanwhile.
    private static func followed() throws -> Rules? {
        guard var rules = try Rules.saved() else { return nil }
        let monitored = try DeviceActivityCenter().monitored()
        if monitored[.evenings] == nil { rules.evenings = false }
        if monitored[.goal] == nil { rules.goal = nil }
        return rules
    }

    private static func rules() throws -> Rules {
        guard let rules = try followed() else {
            throw CommandError("nothing is set up", remedy: "Run `worklog setup` first.")
        }
        return rules
    }
}

extension Worklog.Status {
    /// Sentences for a person.
    package var sentence: String {
        guard authorized else {
            return "Worklog has no permission yet: run `worklog authorize`, then answer the question."
        }
        var parts = ["Games on the web are \(gamingShut ? "shielded" : "not shielded")."]
        let evening = evenings ? ", open 17–20 o'clock." : "."
        parts.append("Social media are \(socialShut ? "shielded" : "not shielded")\(evening)")
        if let goalMinutes, let goalSelection, !goalAsRegistered {
            parts.append(
                "The goal of \(goalMinutes) min of '\(goalSelection)' is not registered, and an earlier one is "
                    + "followed: run `worklog until` again.")
        } else if let goalMinutes, let goalSelection {
            let state = goalReached ? "reached today" : "not reached yet"
            parts.append("Goal: \(goalMinutes) min of '\(goalSelection)', \(state).")
        }
        if selectionsAreCurrent == false {
            parts.append(
                "A selection was changed since: run `worklog setup` or `until` again to use it as it is.")
        }
        return parts.joined(separator: " ")
    }
}
