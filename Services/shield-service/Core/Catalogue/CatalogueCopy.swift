import Bus
import Contract
import Loop
import Rules
import ServiceKit
import Units

/// Which category an app or a host is in, by activity-center's catalogue.
///
/// Of apps there is a copy, kept in step by `catalog.changed` and read whole where events cannot say what is
/// gone. Of hosts there are too many, in lists that only activity-center has: each is asked for, and what it
/// answered is kept in memory until something about hosts changes. Without activity-center apps are judged by
/// the copy and hosts by what is in memory, then by the table of the well-known.
@LoopActor final class CatalogueCopy {
    /// Which categories a write changed.
    struct Change {
        /// Those before it, by app.
        var apps: [String: String] = [:]
        /// Hosts may be in another category than before.
        var hosts = false
    }

    /// A category, and whether the catalogue gave it.
    struct Answer: Equatable {
        var category: String
        var isKnown: Bool
    }

    private let service: Service
    let apps: AppCategories
    private var hosts: [String: String] = [:]
    /// Grows with each change of hosts: what was asked before it may be older.
    private var hostsRevision = 0
    private var firstListing: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextWaiter = 0
    private var hasFailed = false
    /// Called in the write that changes categories.
    var onChange: @LoopActor (Change, Transaction) throws -> Void = { _, _ in }

    /// Hosts kept in memory; more, and all are asked for again.
    private static let hostsKept = 20_000

    init(_ service: Service) throws {
        self.service = service
        apps = try AppCategories(service.database)
    }

    /// Follows activity-center.
    func follow() throws(ServiceError) {
        try service.follow(.activity) { following in
            following.on(CatalogChanged.self) { [unowned self] in try apply($0.data, $1) }
            following.on(UsageRecorded.self) { [unowned self] in try apply($0.data, $1) }
            following.on(UsageForgotten.self) { [unowned self] _, transaction in
                forgetHosts(transaction)
                try readAgain(transaction)
            }
            // The present state names the apps that were used, not all that there are: they are listed.
            following.reset = { [unowned self] _ in try apps.noteListingDue() }
            following.live = { [unowned self] in listIfDue() }
        }
    }

    /// Events that named deleted apps are erased, and no event names them as deleted: what is gone is found
    /// by reading the catalogue.
    private func readAgain(_ transaction: Transaction) throws {
        try apps.noteListingDue()
        transaction.afterCommit { [weak self] in self?.listIfDue() }
    }

    // MARK: asking

    /// - Returns: a category for each, never none. Hosts that are not in memory are asked for.
    func categories(
        of subjects: [Subject], _ trace: TraceContext
    ) async -> [Subject: Answer] {
        await firstListingEnded()
        let revision = hostsRevision
        let asked = await ask(Set(subjects.filter { copied($0) == nil }), trace)
        if revision == hostsRevision { keep(asked) }
        var found: [Subject: Answer] = [:]
        for subject in subjects {
            let known = copied(subject) ?? asked[subject]
            found[subject] = Answer(
                category: known ?? Catalogue().category(of: subject), isKnown: known != nil)
        }
        return found
    }

    private func copied(_ subject: Subject) -> String? {
        subject.kind == .app ? apps.byApp[subject.id] : hosts[subject.id]
    }

    /// Of apps nothing is kept here: what the catalogue has of them comes as events, also that it is gone.
    private func keep(_ found: [Subject: String]) {
        let found = found.filter { $0.key.kind == .domain }
        if hosts.count + found.count > Self.hostsKept { hosts = [:] }
        for (host, category) in found { hosts[host.id] = category }
    }

    /// - Returns: the categories that activity-center has, all at once.
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

    /// - Returns: nil: activity-center did not say, or has no entry for the app.
    private func resolve(_ subject: Subject, _ trace: TraceContext) async -> String? {
        let target = subject.kind == .app ? CatalogTarget(app: subject.id) : CatalogTarget(host: subject.id)
        do throws(ServiceError) {
            let item = try await service.call(
                CatalogResolve.self, target,
                options: CallOptions(deadline: ShieldLimits.catalogue, trace: trace))
            return subject.kind == .domain || item.isEntered ? item.category : nil
        } catch {
            service.log.warnOnce(
                "catalogue.\(error.name.rawValue)", "the category of an app or a host is not known",
                [("error", .text(error.name.rawValue))])
            return nil
        }
    }

    /// Returns when the catalogue was read once, could not be, or after `ShieldLimits.catalogue`.
    private func firstListingEnded() async {
        guard !apps.isComplete, !hasFailed, service.isConnected(.activity) else { return }
        let number = nextWaiter
        nextWaiter += 1
        var timer: TimerToken?
        await withCheckedContinuation { continuation in
            firstListing[number] = continuation
            timer = Reactor.shared.after(ShieldLimits.catalogue) { [weak self] in
                self?.firstListing.removeValue(forKey: number)?.resume()
            }
        }
        if let timer { Reactor.shared.cancel(timer) }
    }

    private func resumeWaiting() {
        let waiting = firstListing.values
        firstListing = [:]
        for one in waiting { one.resume() }
    }

    // MARK: what changes

    /// What is first known of an app comes with its first use.
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

    /// What is in memory is asked for again. An undone write leaves it so.
    private func forgetHosts(_ transaction: Transaction) {
        hostsRevision += 1
        hosts = [:]
        transaction.afterCommit { [weak self] in
            self?.hostsRevision += 1
            self?.hosts = [:]
        }
    }

    /// Names of apps that shall be forgotten go. Part of a write.
    /// - Returns: how many there were.
    func forget(_ forgetting: Forgetting, _ transaction: Transaction) throws -> Int {
        forgetHosts(transaction)
        let gone = try apps.remove(transaction) { app in
            forgetting.isIncluded(.app, app) || forgetting.words.occur(in: app)
        }
        return gone.count
    }

    // MARK: the listing

    /// Reads the catalogue's apps, when that is due.
    private func listIfDue() {
        do {
            guard !apps.isListing, try apps.isListingDue() else { return }
        } catch { return fail(ServiceError(anything: error)) }
        apps.beginListing()
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
            apps.breakListingOff()
            // Another one may have become due meanwhile.
            listIfDue()
        } catch {
            fail(ServiceError(anything: error))
            apps.breakListingOff()
        }
        resumeWaiting()
    }

    private func store(_ page: CatalogList.Result) async throws {
        try service.transact(trace: nil) { transaction in
            var change = Change()
            for item in page.items {
                let before = apps.category(of: item.subject)
                guard try apps.setListed(item.category, of: item.subject, transaction) else { continue }
                change.apps[item.subject] = before
            }
            if page.next == nil {
                let before = apps.byApp
                for app in try apps.endListing(transaction) { change.apps[app] = before[app] }
            }
            try onChange(change, transaction)
        }
        try await service.committed()
    }

    private static let listingKey = "catalogue"

    /// It is tried again after a pause, or as soon as activity-center is back.
    private func fail(_ error: ServiceError) {
        hasFailed = true
        service.setNotActing(
            Self.listingKey,
            "apps may be shielded by a category that is not theirs: the catalogue of activity-center could not "
                + "be read: \(error.message) (\(error.remedy))")
        Reactor.shared.after(ShieldLimits.listingPause) { [weak self] in
            guard let self, service.isConnected(.activity) else { return }
            listIfDue()
        }
    }
}

extension CatalogItem {
    /// Whether the catalogue has an entry for the app: it was installed, used or put into a category.
    fileprivate var isEntered: Bool {
        switch source {
        case .person, .list, .entry: true
        case .known, .nothing: name != nil || devices != nil
        }
    }
}
