package import Units

/// Exceptions: subjects that do not count as part of a category or of everything.
package struct Exceptions: Hashable, Sendable {
    /// App ids.
    package var applications: Set<String>
    /// Categories of the catalogue.
    package var categories: Set<String>
    /// Domains; each covers its subdomains.
    package var webDomains: Set<String>

    package init(
        applications: Set<String> = [], categories: Set<String> = [], webDomains: Set<String> = []
    ) {
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
    }

    /// Whether nothing is excepted.
    package var isEmpty: Bool { applications.isEmpty && categories.isEmpty && webDomains.isEmpty }

    /// Whether a subject is excepted, by its name or its category.
    func covers(_ subject: Subject, _ catalogue: Catalogue) -> Bool {
        let isNamed =
            switch subject.kind {
            case .app: applications.contains(subject.id)
            case .domain:
                !webDomains.isEmpty && DomainNames(of: subject.id).contains { webDomains.contains($0) }
            }
        return isNamed || !categories.isEmpty && categories.contains(catalogue.category(of: subject))
    }
}

/// What an event counts, and its threshold.
package struct EventRule: Hashable, Sendable {
    /// App ids.
    package var applications: Set<String>
    /// Categories of the catalogue.
    package var categories: Set<String>
    /// Registrable domains or hosts; each covers its subdomains.
    package var webDomains: Set<String>
    /// Exceptions; a subject that the event names itself counts nevertheless.
    package var except: Exceptions
    /// Length of use that reaches the threshold; positive.
    package var threshold: Milliseconds
    /// Counting starts at the occurrence's start, even if the event was registered later.
    package var includesPastActivity: Bool

    package init(
        applications: Set<String> = [], categories: Set<String> = [], webDomains: Set<String> = [],
        except: Exceptions = Exceptions(), threshold: Milliseconds, includesPastActivity: Bool = false
    ) {
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
        self.except = except
        self.threshold = threshold
        self.includesPastActivity = includesPastActivity
    }

    /// Whether nothing is named, which means everything.
    package var includesAllActivity: Bool { applications.isEmpty && categories.isEmpty && webDomains.isEmpty }
}

extension EventRule {
    /// The summands of the event: its time is the sum of their totals.
    ///
    /// - If nothing is named: one summand, the union of all use on all devices without the exceptions. Time
    ///   of an excepted domain does not count for its browser either.
    /// - Each app that is named or in a named category is one summand, united over devices; an app named both
    ///   ways counts once. A browser that is only covered by its category does not count while a domain is
    ///   known: that time is the domain's.
    /// - Each named domain with its subdomains is one summand, united over devices; if two named domains
    ///   cover each other, the upper one. Each other host in a named category is one, too. Time of a domain
    ///   whose browser on the same device already counts is not counted again.
    /// - An exception does not count as part of its category; if it is named itself, it counts.
    package func summands(of devices: [DeviceUse], _ catalogue: Catalogue) -> [IntervalSet] {
        if includesAllActivity {
            return [IntervalSet.union(of: devices.map { everything(on: $0, catalogue) })]
        }
        var sums: [Subject: [IntervalSet]] = [:]
        for device in devices { collect(device, catalogue, into: &sums) }
        return sums.values.map { IntervalSet.union(of: $0) }
    }

    private func everything(on device: DeviceUse, _ catalogue: Catalogue) -> IntervalSet {
        guard !except.isEmpty else { return device.union }
        var counted: [Subject: IntervalSet] = [:]
        var sites: [IntervalSet] = []
        for (subject, time) in device.uses {
            if !except.covers(subject, catalogue) {
                counted[subject] = time
            } else if subject.kind == .domain {
                sites.append(time)
            }
        }
        let excepted = IntervalSet.union(of: sites)
        return IntervalSet.union(
            of: counted.map { subject, time in
                catalogue.isBrowser(subject) ? time.subtracting(excepted) : time
            })
    }

    private func collect(
        _ device: DeviceUse, _ catalogue: Catalogue, into sums: inout [Subject: [IntervalSet]]
    ) {
        let known = device.domainTime
        var counted: [IntervalSet] = []
        for (subject, time) in device.uses where subject.kind == .app {
            guard let part = share(of: subject, time, known, catalogue), !part.isEmpty else { continue }
            sums[subject, default: []].append(part)
            if catalogue.isBrowser(subject) && !known.isEmpty { counted.append(part) }
        }
        let already = IntervalSet.union(of: counted)
        for (subject, time) in device.uses where subject.kind == .domain {
            guard let target = target(covering: subject, catalogue) else { continue }
            sums[target, default: []].append(time.subtracting(already))
        }
    }

    private func share(
        of app: Subject, _ time: IntervalSet, _ known: IntervalSet, _ catalogue: Catalogue
    ) -> IntervalSet? {
        if applications.contains(app.id) { return time }
        guard categories.contains(catalogue.category(of: app)), !except.covers(app, catalogue) else {
            return nil
        }
        return catalogue.isBrowser(app) ? time.subtracting(known) : time
    }

    /// The named domain that a host's time counts for, or the host itself if its category is named.
    private func target(covering host: Subject, _ catalogue: Catalogue) -> Subject? {
        var widest: String?
        if !webDomains.isEmpty {
            for name in DomainNames(of: host.id) where webDomains.contains(name) { widest = name }
        }
        if let widest { return .domain(widest) }
        let isCounted = categories.contains(catalogue.category(of: host)) && !except.covers(host, catalogue)
        return isCounted ? host : nil
    }
}
