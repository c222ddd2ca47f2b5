import Bus
import Contract
import Loop
import Rules
import ServiceKit
import Units

/// The category of an app or host in activity-center's catalogue.
///
/// For apps there is a copy. Events keep it up to date, and it is read completely when events cannot tell
/// what was deleted. Hosts are too many, in lists that only activity-center has: their categories are
/// requested, and cached in memory until something about hosts changes. If activity-center is not reachable,
/// the copy, the cache and the table of well-known apps and hosts are used.
@LoopActor final class CatalogueCopy {
    /// Which categories a write changed.
    struct Change {
        /// The former categories, by app.
        var apps: [String: String] = [:]
        /// Whether the categories of hosts may have changed.
        var hosts = false
    }

    /// A category, and whether it is from the catalogue.
    struct Answer: Equatable {
        var category: String
        var isKnown: Bool
    }

    /// Categories, and when they were valid.
    struct Answers {
        var bySubject: [Subject: Answer] = [:]
        /// Categories of hosts changed since this position of the service's log; nil if they are current.
        var sequence: Int64?

        subscript(subject: Subject) -> Answer {
            bySubject[subject] ?? Answer(category: Categories.other, isKnown: false)
        }
    }

    private let service: Service
    let apps: AppCategories
    private var hosts: [String: String] = [:]
    /// Incremented with each change of hosts: an answer that was requested before is not cached.
    private var hostsRevision = 0
    /// What was forgotten since the last listing began. activity-center may forget it later.
    private var forgotten: [Forgetting] = []
    private var firstListing: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextWaiter = 0
    private var hasFailed = false
    /// Called in the write that changes categories.
    var onChange: @LoopActor (Change, Transaction) throws -> Void = { _, _ in }

    /// Number of cached hosts; beyond it the cache is emptied.
    private static let hostsKept = 20_000

    init(_ service: Service) throws {
        self.service = service
        apps = try AppCategories(service.database)
    }

    /// Follows activity-center.
    /// - Parameters:
    ///   - also: adds handlers of other events; called last.
    ///   - reset: called before the copy is rebuilt from a snapshot.
    func follow(
        also: @LoopActor (Following) -> Void, reset: @escaping @LoopActor (Transaction) throws -> Void
    ) throws(ServiceError) {
        try service.follow(
            .activity, consequence: "apps and sites are judged by the categories that they had"
        ) { following in
            following.on(CatalogChanged.self) { [unowned self] in try apply($0.data, $1) }
            following.on(UsageRecorded.self) { [unowned self] in try apply($0.data, $1) }
            following.on(UsageForgotten.self) { [unowned self] _, transaction in
                forgetHosts(transaction)
                try readAgain(transaction)
            }
            // A snapshot of events has only the apps that were used.
            following.reset = { [unowned self] transaction in
                try reset(transaction)
                try apps.noteListingDue()
                // The lists of the restored catalogue may be others, without any event about it.
                forgetHosts(transaction)
                try onChange(Change(hosts: true), transaction)
            }
            following.live = { [unowned self] in listIfDue() }
            also(following)
        }
    }

    /// Events that named deleted apps are erased, and no event names them as deleted: what is gone is found
    /// by reading the catalogue.
    private func readAgain(_ transaction: Transaction) throws {
        try apps.noteListingDue()
        transaction.afterCommit { [weak self] in self?.listIfDue() }
    }

    // MARK: requests

    /// Requests the categories of hosts that are not cached, and of apps that the copy does not have; again
    /// if categories of hosts changed meanwhile.
    /// - Returns: a category for each subject.
    func categories(of subjects: [Subject], _ trace: TraceContext) async throws(ServiceError) -> Answers {
        await firstListingEnded()
        for _ in 1..<ShieldLimits.hostRequestsMax {
            let answers = try await request(subjects, trace)
            if answers.sequence == nil { return answers }
        }
        return try await request(subjects, trace)
    }

    private func request(
        _ subjects: [Subject], _ trace: TraceContext
    ) async throws(ServiceError) -> Answers {
        let revision = hostsRevision
        let head: Int64
        do { head = try service.eventLog.head() } catch { throw ServiceError(anything: error) }
        let asked = await ask(Set(subjects.filter { copied($0) == nil }), trace)
        let isCurrent = revision == hostsRevision
        if isCurrent { keep(asked) }
        var answers = Answers(sequence: isCurrent ? nil : head)
        for subject in subjects {
            let known = copied(subject) ?? asked[subject]
            answers.bySubject[subject] = Answer(
                category: known ?? Catalogue().category(of: subject), isKnown: known != nil)
        }
        return answers
    }

    private func copied(_ subject: Subject) -> String? {
        subject.kind == .app ? apps.byApp[subject.id] : hosts[subject.id]
    }

    /// Caches hosts only: events report all changes of apps.
    private func keep(_ found: [Subject: String]) {
        let found = found.filter { $0.key.kind == .domain }
        if hosts.count + found.count > Self.hostsKept { hosts = [:] }
        for (host, category) in found { hosts[host.id] = category }
    }

    /// Requests the categories that activity-center has, in parallel.
    private func ask(_ subjects: Set<Subject>, _ trace: TraceContext) async -> [Subject: String] {
        guard service.isConnected(.activity) else { return [:] }
        let questions = subjects.map { subject in
            Task { @LoopActor in (subject, await self.resolve(subject, trace)) }
        }
        var found: [Subject: String] = [:]
        for question in questions {
            let (subject, category) = await question.value
            found[subject] = category
        }
        return found
    }

    /// - Returns: nil if activity-center did not answer, or has no entry for the app.
    private func resolve(_ subject: Subject, _ trace: TraceContext) async -> String? {
        // A store may name as a domain what is no host. No list has it.
        guard subject.kind == .app || DomainName.host(subject.id) != nil else { return nil }
        let target = subject.kind == .app ? CatalogTarget(app: subject.id) : CatalogTarget(host: subject.id)
        do throws(ServiceError) {
            let item = try await service.call(
                CatalogResolve.self, target,
                options: CallOptions(deadline: ShieldLimits.catalogue, trace: trace))
            return subject.kind == .domain || item.isEntered ? item.category : nil
        } catch {
            service.log.warnOnce(
                "catalogue.\(error.name.rawValue)", "the category of an app or a host is not known",
                [("error", .name(of: error))])
            return nil
        }
    }

    /// Suspends until the catalogue was read once or could not be read, at most for `ShieldLimits.catalogue`.
    private func firstListingEnded() async {
        guard !apps.isComplete, !hasFailed, service.isConnected(.activity) else { return }
        let number = nextWaiter
        nextWaiter += 1
        var timer: TimerToken?
        await withCheckedContinuation { continuation in
            firstListing[number] = continuation
            timer = service.loop.after(ShieldLimits.catalogue) { [weak self] in
                self?.firstListing.removeValue(forKey: number)?.resume()
            }
        }
        if let timer { service.loop.cancel(timer) }
    }

    private func resumeWaiting() {
        let waiting = firstListing.values
        firstListing = [:]
        for one in waiting { one.resume() }
    }

    // MARK: changes

    /// The first use of an app reports its category, too.
    private func apply(_ event: UsageRecorded, _ transaction: Transaction) throws {
        guard event.kind == .app, !event.subject.isEmpty, let category = event.category,
            apps.byApp[event.subject] != category
        else { return }
        let change = Change(apps: [event.subject: apps.category(of: event.subject)])
        try apps.set(category, of: event.subject, transaction)
        try onChange(change, transaction)
    }

    private func apply(_ event: CatalogChanged, _ transaction: Transaction) throws {
        var change = Change()
        for subject in event.subjects where subject.kind == .app {
            change.apps[subject.subject] = apps.category(of: subject.subject)
            try apps.set(subject.category, of: subject.subject, transaction)
        }
        if event.hostsMayDiffer || event.subjects.contains(where: { $0.kind == .domain }) {
            forgetHosts(transaction)
            change.hosts = true
        }
        if event.appsDeleted == true { try readAgain(transaction) }
        try onChange(change, transaction)
    }

    /// Empties the cache; an undone write leaves it empty.
    private func forgetHosts(_ transaction: Transaction) {
        hostsRevision += 1
        hosts = [:]
        transaction.afterCommit { [weak self] in
            self?.hostsRevision += 1
            self?.hosts = [:]
        }
    }

    /// Removes the apps to forget. Part of a write. Categories that the person set are rules, which
    /// activity-center keeps: reading its catalogue again restores them, and nothing else of these apps.
    /// - Returns: their number.
    func forget(_ forgetting: Forgetting, _ transaction: Transaction) throws -> Int {
        forgetHosts(transaction)
        let before = apps.byApp
        let gone = try apps.remove(transaction) { forgetting.isOf(app: $0) }
        // A listing that is under way or due may have what a killed process already removed.
        // A page of it may be stored in this turn, too.
        if try !gone.isEmpty || apps.isListing || apps.isListingDue() {
            let before = forgotten
            transaction.onUndo { [weak self] in self?.forgotten = before }
            forgotten.append(forgetting)
        }
        guard !gone.isEmpty else { return 0 }
        let former = gone.compactMap { app in before[app].map { (app, $0) } }
        try onChange(Change(apps: Dictionary(uniqueKeysWithValues: former)), transaction)
        try readAgain(transaction)
        return gone.count
    }

    // MARK: the listing

    /// Reads the catalogue's apps if that is due.
    private func listIfDue() {
        do {
            guard !apps.isListing, try apps.isListingDue() else { return }
            try apps.beginListing()
        } catch { return fail(ServiceError(anything: error)) }
        Task { @LoopActor in await self.list() }
    }

    private func list() async {
        do {
            var after: String?
            repeat {
                apps.willRequestPage()
                let page = try await service.call(
                    CatalogList.self, CatalogList.Params(kind: .app, after: after),
                    options: CallOptions(deadline: ShieldLimits.listing))
                try await store(page)
                after = page.next
            } while after != nil
            hasFailed = false
            service.setNotActing(Self.listingKey, nil)
            apps.stopListing()
            // Another one may have become due meanwhile.
            listIfDue()
        } catch {
            fail(ServiceError(anything: error))
            apps.stopListing()
        }
        resumeWaiting()
    }

    /// Stores a page of the listing.
    func store(_ page: CatalogList.Result) async throws {
        try service.transact(trace: nil) { transaction in
            var change = Change()
            for item in page.items
            where item.source == .person || !forgotten.contains(where: { $0.isOf(app: item.subject) }) {
                let before = apps.category(of: item.subject)
                guard try apps.setListed(item.category, of: item.subject, transaction) else { continue }
                change.apps[item.subject] = before
            }
            if page.next == nil {
                let before = apps.byApp
                for app in try apps.completeListing(transaction) { change.apps[app] = before[app] }
                if !apps.isDueAgain { transaction.afterCommit { [weak self] in self?.forgotten = [] } }
            }
            try onChange(change, transaction)
        }
        try await service.committed()
    }

    private static let listingKey = "catalogue"

    /// Retries after a pause, or when activity-center is connected again.
    private func fail(_ error: ServiceError) {
        hasFailed = true
        service.setNotActing(
            Self.listingKey,
            "apps may be shielded by a wrong category: the catalogue of activity-center could not be read: "
                + "\(error.message) (\(error.remedy))")
        service.loop.after(ShieldLimits.listingPause) { [weak self] in
            guard let self, service.isConnected(.activity) else { return }
            listIfDue()
        }
    }
}

extension Forgetting {
    fileprivate func isOf(app: String) -> Bool { isIncluded(.app, app) || words.occur(in: app) }
}
