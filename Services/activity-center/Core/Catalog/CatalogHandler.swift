import Contract
import Loop
import Rules
import ServiceKit
import Store
import Units

/// Answers `catalog.*` and publishes changes as `catalog.changed`.
@LoopActor final class CatalogHandler {
    let service: Service
    let catalog: Catalog
    let subjects: SubjectTable
    /// Called within the write, after categories changed.
    var onChange: (@LoopActor (Transaction) throws -> Void)?
    private lazy var targets = TargetResolver(catalog, subjects)
    private var isSweeping = false

    init(_ log: UsageLog) {
        service = log.service
        catalog = log.catalog
        subjects = log.subjects
    }

    // MARK: apps of devices

    func observe(_ params: CatalogObserve.Params, _ transaction: Transaction) throws -> Written {
        try check(params)
        var changes: [CatalogChange] = []
        var gone = Set(params.gone ?? [])
        if params.begins == true {
            gone.formUnion(catalog.apps.filter { $0.value.devices.contains(params.device) }.keys)
            gone.subtract(params.apps.map(\.app))
        }
        for id in gone.sorted() { try catalog.forget(id, on: params.device) }
        try checkRoom(params)
        for app in params.apps {
            if let change = try catalog.learn(app, on: params.device) { changes.append(change) }
        }
        try publish(changes, hostsMayDiffer: false, transaction)
        return try transaction.written()
    }

    private func checkRoom(_ params: CatalogObserve.Params) throws(ServiceError) {
        let fresh = params.apps.count { catalog.apps[$0.app] == nil }
        let installed = params.apps.count { catalog.apps[$0.app]?.devices.contains(params.device) != true }
        guard fresh == 0 || catalog.apps.count + fresh <= ActivityLimits.appsKept else {
            throw ServiceError(
                .limitExceeded,
                "\(catalog.apps.count) apps are known, \(ActivityLimits.appsKept) are kept (appsKept)",
                remedy: "Forget apps that are no longer needed; see `screentime forget --help`.")
        }
        guard installed == 0 || catalog.installedCount + installed <= ActivityLimits.installedMax else {
            throw ServiceError(
                .limitExceeded,
                "\(catalog.installedCount) apps of devices are known, \(ActivityLimits.installedMax) are kept "
                    + "(installedMax)",
                remedy: "Report the apps that a device no longer has: catalog.observe, gone.")
        }
    }

    private func check(_ params: CatalogObserve.Params) throws(ServiceError) {
        try ObservationCheck.check(device: params.device, model: nil)
        guard params.apps.count <= ActivityLimits.appsMax else {
            throw ServiceError(
                .limitExceeded, "\(params.apps.count) apps; appsMax is \(ActivityLimits.appsMax)",
                remedy: "Send them in several requests, only the first with begins.")
        }
        for (number, app) in params.apps.enumerated() {
            let texts = [app.app, app.name, app.icon ?? "-", app.windowClass ?? "-"] + app.categories
            guard texts.allSatisfy({ VisibleText.isName($0) }),
                app.categories.count <= ObservationCheck.categoriesMax
            else {
                throw ServiceError(
                    .invalidParams,
                    "apps[\(number)]: a text is empty, longer than \(Limits.nameBytesMax) bytes or has "
                        + "invisible characters, or it has more than "
                        + "\(ObservationCheck.categoriesMax) categories",
                    remedy: "Leave the app or the field out.")
            }
        }
    }

    // MARK: looking up

    func resolve(_ target: CatalogTarget) throws -> CatalogItem { try item(try targets.subject(target)) }

    func item(_ subject: Subject) throws -> CatalogItem {
        let verdict = try catalog.verdict(on: subject)
        let app = subject.kind == .app ? catalog.apps[subject.id] : nil
        return CatalogItem(
            kind: subject.subjectKind, subject: subject.id, name: app?.facts.name, category: verdict.category,
            source: verdict.source, decidedBy: verdict.decidedBy,
            registrableDomain: subject.kind == .domain ? targets.registrable(subject.id) : nil,
            browser: catalog.isBrowser(subject) ? true : nil, icon: app?.icon, windowClass: app?.windowClass,
            devices: app.flatMap { $0.devices.isEmpty ? nil : $0.devices.sorted() })
    }

    // MARK: the person's categories

    func set(_ params: CatalogSet.Params, _ transaction: Transaction) throws -> CatalogSet.Result {
        let subject = try targets.subject(params.about)
        let category = try params.category.map { try Self.category($0) }
        if category == nil, catalog.overrides[subject] == nil {
            throw ServiceError(
                .notFound, "no category was set for '\(subject.id)'",
                remedy: "List the set categories by `screentime catalog list --source person`.")
        }
        guard catalog.overrides.count < ActivityLimits.overridesMax || catalog.overrides[subject] != nil
        else {
            throw ServiceError(
                .limitExceeded, "\(ActivityLimits.overridesMax) categories are set (overridesMax)",
                remedy: "Import a list instead: `screentime catalog import FILE`.")
        }
        let affected = subject.kind == .app ? [subject] : try self.affected(by: subject.id)
        let before = try affected.map { try catalog.change(of: $0) }
        try catalog.set(category, for: subject)
        let after = try affected.map { try catalog.change(of: $0) }
        let changes = zip(before, after).filter { $0 != $1 }.map(\.1)
        try publish(changes, hostsMayDiffer: subject.kind == .domain, transaction)
        // Without the category nothing is known about such an app: a copy of the catalogue drops it.
        if try category == nil && !isKnown(subject) {
            try transaction.emit(CatalogChanged(appsDeleted: true))
        }
        return CatalogSet.Result(item: try item(subject), sequence: try transaction.head())
    }

    /// Whether it was installed or used; any domain may be asked for.
    private func isKnown(_ subject: Subject) throws -> Bool {
        try subject.kind == .domain || catalog.apps[subject.id] != nil || subjects.find(subject) != nil
    }

    /// A domain, and the recorded hosts below it.
    private func affected(by domain: String) throws -> [Subject] {
        Set(try subjects.hosts(under: domain) + [domain]).sorted().map(Subject.domain)
    }

    static func category(_ text: String) throws(ServiceError) -> String {
        if let category = Categories.named(text) { return category }
        throw ServiceError(
            .invalidArgument, "unknown category '\(text.prefix(64))'",
            remedy: "There are: \(Categories.names.sorted().joined(separator: ", ")).")
    }

    // MARK: lists

    func importEntries(
        _ params: CatalogImport.Params, _ transaction: Transaction
    ) throws -> CatalogImport.Result {
        try ListCheck.check(params)
        var coming = try self.coming(params)
        try catalog.lists.add(
            try ListCheck.normalised(params.groups), to: &coming, now: service.clock.now)
        guard coming.list.domains <= ActivityLimits.domainsMax else {
            throw ServiceError(
                .limitExceeded, "the list has more than \(ActivityLimits.domainsMax) domains (domainsMax)",
                remedy: "Split it into several lists.")
        }
        if params.last { try activate(coming, transaction) }
        // Other imports may have been abandoned to make room.
        transaction.afterCommit { [weak self] in self?.sweep() }
        return CatalogImport.Result(domains: coming.list.domains, sequence: try transaction.head())
    }

    private func coming(_ params: CatalogImport.Params) throws -> DomainLists.Coming {
        let lists = catalog.lists
        guard params.part > 0 else {
            let isNew = !lists.inForce.contains { $0.name == params.list }
            guard !isNew || lists.inForce.count < ActivityLimits.listsMax else {
                throw ServiceError(
                    .limitExceeded, "there are \(ActivityLimits.listsMax) lists (listsMax)",
                    remedy: "Remove one with `screentime catalog remove LIST`.")
            }
            return try lists.begin(params.list, attempt: params.attempt, now: service.clock.now)
        }
        guard let coming = try lists.coming(params.list, attempt: params.attempt),
            coming.parts == params.part
        else {
            throw ServiceError(
                .conflict, "part \(params.part) of list '\(params.list)' does not continue an import",
                remedy: "Another import of this list may have started; start again with part 0.")
        }
        return coming
    }

    private func activate(_ coming: DomainLists.Coming, _ transaction: Transaction) throws {
        let lists = catalog.lists.inForce.filter { $0.name != coming.list.name }
        try publishDifferences(to: [coming.list] + lists, transaction) {
            try catalog.lists.activate(coming, now: service.clock.now)
        }
    }

    func remove(_ params: CatalogRemove.Params, _ transaction: Transaction) throws -> Written {
        let lists = catalog.lists.inForce
        _ = try list(params.list)
        try publishDifferences(to: lists.filter { $0.name != params.list }, transaction) {
            try catalog.lists.remove(params.list)
        }
        return try transaction.written()
    }

    func list(_ name: String) throws(ServiceError) -> DomainLists.List {
        if let list = catalog.lists.inForce.first(where: { $0.name == name }) { return list }
        throw ServiceError(
            .notFound, "there is no list '\(name.prefix(128))'", remedy: "See `screentime catalog lists`.")
    }

    /// Publishes the recorded hosts whose category differs with these lists, and activates the lists.
    private func publishDifferences(
        to lists: [DomainLists.List], _ transaction: Transaction, _ enforce: () throws -> Void
    ) throws {
        let present = catalog.lists.inForce
        let differing = present.filter { !lists.contains($0) } + lists.filter { !present.contains($0) }
        var changes: [CatalogChange] = []
        var last = ""
        while true {
            let hosts = try subjects.names(.domain, after: last, limit: ActivityLimits.hostsPerPage)
            for host in hosts where try catalog.lists.find(host, in: differing) != nil {
                let before = try catalog.verdict(onHost: host, in: present).category
                let after = try catalog.verdict(onHost: host, in: lists).category
                guard before != after else { continue }
                changes.append(CatalogChange(kind: .domain, subject: host, category: after))
            }
            guard let final = hosts.last, hosts.count == ActivityLimits.hostsPerPage else { break }
            last = final
        }
        try enforce()
        catalog.forgetHosts()
        try publish(changes, hostsMayDiffer: true, transaction)
        transaction.afterCommit { [weak self] in self?.sweep() }
    }

    // MARK: consequences

    private func publish(
        _ changes: [CatalogChange], hostsMayDiffer: Bool, _ transaction: Transaction
    ) throws {
        guard hostsMayDiffer || !changes.isEmpty else { return }
        var rest = changes[...]
        repeat {
            try transaction.emit(
                CatalogChanged(
                    subjects: Array(rest.prefix(ActivityLimits.subjectsPerEventMax)),
                    hostsMayDiffer: hostsMayDiffer))
            rest = rest.dropFirst(ActivityLimits.subjectsPerEventMax)
        } while !rest.isEmpty
        if !changes.isEmpty { try onChange?(transaction) }
    }

    /// Deletes the rows of inactive lists, a few at a time.
    func sweep() {
        guard !isSweeping else { return }
        isSweeping = true
        sweepOn()
    }

    private func sweepOn(after pause: Milliseconds) {
        service.loop.after(pause) { [weak self] in self?.sweepOn() }
    }

    private func sweepOn() {
        var hasBegun = false
        do throws(ServiceError) {
            try service.transact(trace: nil) { transaction in
                hasBegun = true
                transaction.onUndo { [weak self] in self?.sweepOn(after: ActivityLimits.sweepRetry) }
                let isMore = try catalog.lists.sweep(limit: ActivityLimits.sweptRows)
                transaction.afterCommit { [weak self] in
                    guard let self else { return }
                    if isMore { sweepOn(after: ActivityLimits.sweepPause) } else { isSweeping = false }
                }
            }
        } catch {
            // A write that had begun was undone, and the undo step scheduled the retry.
            if !hasBegun { sweepOn(after: ActivityLimits.sweepRetry) }
            service.log.warning(
                "deleting rows of a list failed; retried later", [("error", .name(of: error))])
        }
    }
}
