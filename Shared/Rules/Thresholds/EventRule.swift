package import Units

/// What does not count although a category, or everything, covers it.
package struct Exceptions: Hashable, Sendable {
    package var applications: Set<String>
    package var categories: Set<String>
    /// Each covers its subdomains.
    package var webDomains: Set<String>

    package init(
        applications: Set<String> = [], categories: Set<String> = [], webDomains: Set<String> = []
    ) {
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
    }

    package var isEmpty: Bool { applications.isEmpty && categories.isEmpty && webDomains.isEmpty }

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

/// What an event of a schedule counts, and how much of it is too much.
package struct EventRule: Hashable, Sendable {
    package var applications: Set<String>
    package var categories: Set<String>
    /// Registrable domains or hosts; each covers its subdomains.
    package var webDomains: Set<String>
    /// What the event names itself counts all the same.
    package var except: Exceptions
    package var threshold: Milliseconds
    /// Count from the occurrence's start, even if registered later.
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

    /// Nothing named means everything.
    package var includesAllActivity: Bool { applications.isEmpty && categories.isEmpty && webDomains.isEmpty }
}

extension EventRule {
    /// The event's summands: the event's time is the sum of their totals.
    ///
    /// - Nothing named: one summand, the union of everything on all devices, but for what is excepted; a
    ///   second of an excepted domain is not its browser's either.
    /// - Each app named, or in a named category, is a summand united over devices; named both ways it counts
    ///   once. By its category alone a browser does not count while a domain is known: that second is the
    ///   domain's.
    /// - Each named domain, with its subdomains, is a summand united over devices; of two named ones that
    ///   cover each other, the upper. Each other host in a named category is one too. A second of a domain
    ///   whose browser (on the same device) already counts is not counted again.
    /// - What is excepted does not count by its category; named itself, it does.
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

    /// The named domain that takes a host's time, or the host itself by its category.
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
