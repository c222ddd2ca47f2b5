import Rules
import Units

/// The known use of one member, and the odometers of all selections.
final class MemberOdometers {
    /// All use of the member since some instant.
    typealias History = (_ member: String, _ from: Instant) throws -> MemberUse

    let member: String
    private let shared: SharedCatalogue
    private let history: History?
    private var known: UseWindow?
    private var odometers: [EventRule: Odometer] = [:]
    private var byApp: [String: [Odometer]] = [:]
    private var byDomain: [String: [Odometer]] = [:]
    private var byCategory: [String: [Odometer]] = [:]
    /// Odometers of everything, one for each set of exceptions.
    private var ofEverything: [Odometer] = []
    private var changes = 0
    private var nextTrim = Instant.min

    /// A window that extends back further than needed by more than this is rebuilt smaller: 2 days.
    private static let slack: Milliseconds = .days(2)
    /// Interval of checking whether it can be smaller: one hour.
    private static let trimEvery: Milliseconds = 3_600_000

    init(_ member: String, _ catalogue: SharedCatalogue, _ history: History?) {
        self.member = member
        shared = catalogue
        self.history = history
        if history == nil { known = UseWindow(from: .min) }
    }

    // MARK: the use

    /// The member's use since `from` or earlier.
    func window(since from: Instant) throws -> UseWindow {
        if let known, known.from <= from {
            guard let history, from - known.from > Self.slack, from >= nextTrim else {
                return known
            }
            nextTrim = from + Self.trimEvery
            let needed = odometers.values.compactMap { $0.trim() }.min() ?? from
            guard min(needed, from) - known.from > Self.slack else { return known }
            return try load(since: min(needed, from), history)
        }
        guard let history else { return known ?? UseWindow(from: .min) }
        return try load(since: from, history)
    }

    private func load(since from: Instant, _ history: History) throws -> UseWindow {
        let use = try history(member, from)
        shared.value.domainCategories.merge(use.hostCategories) { _, new in new }
        let window = UseWindow(from: from, use)
        known = window
        return window
    }

    /// Applies a change of use.
    /// - Returns: the odometers whose course changed.
    func apply(_ change: UseChange, cause: String?) throws -> [Odometer] {
        guard let difference = known?.apply(change) else { return [] }
        if !change.removed.isEmpty, let history, let from = known?.from {
            // Overlapping intervals after the clock was set back cannot be separated again.
            _ = try load(since: from, history)
        }
        guard let window = known else { return [] }
        changes += 1
        var touched: [Odometer] = []
        for subject in difference.subjects {
            for odometer in counting(subject) where !odometer.isIdle && odometer.lastChange != changes {
                odometer.lastChange = changes
                odometer.change(since: difference.since, window, cause: cause)
                touched.append(odometer)
            }
        }
        return touched
    }

    /// Applies a change of the catalogue.
    /// - Parameters:
    ///   - changed: subjects whose category or browser flag changed; nil for any.
    ///   - old: the catalogue before.
    /// - Returns: the odometers whose course may have changed.
    func recount(_ changed: [Subject]?, _ old: Catalogue, cause: String?) -> [Odometer] {
        guard let window = known else { return [] }
        var concerned: [Odometer] = []
        if let changed {
            concerned += ofEverything
            for subject in changed where window.knows(subject) {
                for category in [old.category(of: subject), catalogue.category(of: subject)] {
                    concerned += byCategory[category] ?? []
                }
                if subject.kind == .app { concerned += byApp[subject.id] ?? [] }
            }
        } else {
            concerned = Array(odometers.values)
        }
        changes += 1
        concerned = concerned.filter { odometer in
            guard !odometer.isIdle, odometer.asksCatalogue, odometer.lastChange != changes else {
                return false
            }
            odometer.lastChange = changes
            return true
        }
        for odometer in concerned { odometer.recount(window, cause: cause) }
        return concerned
    }

    var catalogue: Catalogue { shared.value }
    var subjects: Set<Subject> { known?.subjects ?? [] }

    /// The use that a rule counts within a range, whether or not anything waits for it.
    func curve(of rule: EventRule, in range: TimeRange) throws -> TotalCurve {
        var window = known ?? UseWindow(from: .min)
        if let history, known.map({ $0.from > range.start }) ?? true {
            let use = try history(member, range.start)
            shared.value.domainCategories.merge(use.hostCategories) { _, new in new }
            window = UseWindow(from: range.start, use)
        }
        let use = window.use(from: range.start, to: range.end)
        return TotalCurve(from: range.start, rule.summands(of: use, catalogue))
    }

    // MARK: the odometers

    /// The odometer for the selection of a rule. Each call needs a `release`.
    func odometer(for rule: EventRule) -> Odometer {
        var selection = rule
        selection.threshold = 0
        selection.includesPastActivity = false
        let odometer: Odometer
        if let found = odometers[selection] {
            odometer = found
        } else {
            odometer = Odometer(selection, self)
            odometers[selection] = odometer
            index(odometer) { $0.append(odometer) }
            if selection.includesAllActivity { ofEverything.append(odometer) }
        }
        odometer.users += 1
        return odometer
    }

    func release(_ odometer: Odometer) {
        odometer.users -= 1
        guard odometer.users == 0 else { return }
        odometers[odometer.selection] = nil
        index(odometer) { list in list.removeAll { $0 === odometer } }
        ofEverything.removeAll { $0 === odometer }
    }

    private func index(_ odometer: Odometer, _ edit: (inout [Odometer]) -> Void) {
        func edited(_ names: Set<String>, _ index: inout [String: [Odometer]]) {
            for name in names {
                edit(&index[name, default: []])
                if index[name]?.isEmpty == true { index[name] = nil }
            }
        }
        edited(odometer.selection.applications, &byApp)
        edited(odometer.selection.webDomains, &byDomain)
        edited(odometer.selection.categories, &byCategory)
    }

    /// The odometers that may count a subject.
    private func counting(_ subject: Subject) -> [Odometer] {
        var found = ofEverything
        switch subject.kind {
        case .app: found += byApp[subject.id] ?? []
        case .domain:
            if !byDomain.isEmpty {
                for name in DomainNames(of: subject.id) { found += byDomain[name] ?? [] }
            }
        }
        if !byCategory.isEmpty { found += byCategory[catalogue.category(of: subject)] ?? [] }
        return found
    }
}
