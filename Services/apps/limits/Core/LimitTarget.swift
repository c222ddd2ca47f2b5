package import Contract

/// The target of a limit, hours or a mark.
package struct LimitTarget: Hashable, Comparable, Sendable {
    package enum Kind: String, Sendable {
        case app, domain, category
        /// All use that counts.
        case total
    }

    package var kind: Kind
    /// App id, domain or category; empty for the total.
    package var subject: String

    package init(_ kind: Kind, _ subject: String) {
        self.kind = kind
        self.subject = subject
    }

    package static let total = LimitTarget(.total, "")

    package static func < (left: LimitTarget, right: LimitTarget) -> Bool {
        (left.kind.rawValue, left.subject) < (right.kind.rawValue, right.subject)
    }

    /// The last part of names of activities and stores: `app org.gnome.Maps`, `total`.
    package var name: String { kind == .total ? kind.rawValue : "\(kind.rawValue) \(subject)" }

    /// - Parameter name: the form of `name`; nil is returned for others.
    package init?(name: some StringProtocol) {
        let parts = name.split(separator: " ", maxSplits: 1)
        guard let word = parts.first, let kind = Kind(rawValue: String(word)),
            (parts.count == 2) == (kind != .total)
        else { return nil }
        self.init(kind, parts.count == 2 ? String(parts[1]) : "")
    }

    /// Text for a sentence.
    package var words: String {
        switch kind {
        case .app: subject
        case .domain: DomainName.readable(subject)
        case .category: "the category \(subject)"
        case .total: "everything"
        }
    }

    /// Adds the target to an event.
    package func fill(_ event: inout EventDefinition) {
        switch kind {
        case .app: event.applications = [subject]
        case .domain: event.webDomains = [subject]
        case .category: event.categories = [subject]
        case .total: break  // An event that names nothing means everything.
        }
    }
}

/// Weekdays: 1 (Sunday) to 7, as in Apple's DateComponents.
package enum Weekdays {
    package static let all: Set<Int64> = Set(1...7)
    /// Monday first.
    package static let order: [Int64] = [2, 3, 4, 5, 6, 7, 1]
    private static let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    package static func name(_ day: Int64) -> String { names[Int(day) - 1] }

    package static func next(_ day: Int64) -> Int64 { day % 7 + 1 }

    package static func named(_ name: some StringProtocol) -> Int64? {
        let lowered = name.lowercased()
        return names.firstIndex { $0 == lowered }.map { Int64($0) + 1 }
    }

    /// - Parameter text: `mon-fri`, `sat,sun`, `fri-mon`, `all`.
    /// - Throws: `invalidArgument`.
    package static func parse(_ text: String) throws(ServiceError) -> Set<Int64> {
        if text.lowercased() == "all" { return all }
        var days: Set<Int64> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { named($0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
                throw ServiceError(
                    .invalidArgument, "'\(text)' is not a list of weekdays",
                    remedy: "Write them as mon-fri, sat,sun or all.")
            }
            var day = first
            days.insert(day)
            while day != last {
                day = next(day)
                days.insert(day)
            }
        }
        return days
    }

    /// `every day`, else ranges of days: `mon-fri`, `tue,sat,sun`.
    package static func text(_ days: Set<Int64>) -> String {
        if days == all { return "every day" }
        var runs: [[Int64]] = []
        for day in order where days.contains(day) {
            if let last = runs.last?.last, next(last) == day {
                runs[runs.count - 1].append(day)
            } else {
                runs.append([day])
            }
        }
        return runs.map { run in
            run.count > 2
                ? "\(name(run[0]))-\(name(run[run.count - 1]))" : run.map(name).joined(separator: ",")
        }.joined(separator: ",")
    }
}
