import Bus
import Contract
import Hosting
import Loop
import ServiceKit
internal import Store

extension MonitorService {
    func answerExtensions() {
        service.later(ExtensionInstall.self) { [self] params, context in
            try await install(params, trace: context.trace)
        }
        service.read(ExtensionList.self) { [self] _, _ in
            ExtensionList.Result(extensions: records)
        }
        service.write(ExtensionRemove.self) { [self] params, _, transaction in
            guard let record = records.first(where: { $0.id == params.id }) else { throw unknown(params.id) }
            guard !record.isBuiltIn else {
                throw ServiceError(
                    .accessDenied, "'\(params.id)' is built in and keeps the person's own limits",
                    remedy: "Stop the activities with `screentime monitor stop NAME`.")
            }
            try transaction.database.run("DELETE FROM extension WHERE id = ?1", params.id)
            try failUnfinished(of: params.id, transaction)
            try removals.note(params.id)
            try transaction.emit(
                ExtensionRemoved(id: record.id, client: record.client, point: record.point))
            transaction.afterCommit { [self] in
                couriers.removeValue(forKey: params.id)?.retire("the extension was removed")
                elsewhere.removeValue(forKey: params.id)
                sayMissing()
                sayLostCopies()
                finishRemovals()
                sweepBundles()
            }
            return try transaction.written()
        }
        service.write(ExtensionNote.self) { [self] params, _, transaction in
            try note(params, transaction)
        }
        service.later(ExtensionRun.self) { [self] params, context in
            try await run(params, trace: context.trace)
        }
    }

    func unknown(_ id: String) -> ServiceError {
        ServiceError(
            .notFound, "there is no extension '\(id)'", remedy: "See `screentime extension list`.")
    }

    /// All that are installed, of every extension point, as they do now.
    var records: [ExtensionRecord] {
        (couriers.values.map(\.record.shortened) + elsewhere.values).sorted { $0.id < $1.id }
    }

    /// Another service says how one does that it hosts; what was installed stays as it is, also what is
    /// installed before this is kept. Of a copy that was replaced nobody wants to know.
    func note(_ params: ExtensionNote.Params, _ transaction: Transaction) throws -> Written {
        guard let record = elsewhere[params.state.id] else { throw unknown(params.state.id) }
        if var overBudget = params.overBudget {
            (overBudget.id, overBudget.client) = (record.id, record.client)
            overBudget.callback = VisibleText.shortened(
                overBudget.callback, bytesMax: MonitorLimits.stateTextBytesMax)
            try transaction.emit(overBudget)
        }
        transaction.afterCommit { [self] in
            guard var present = elsewhere[record.id], present.path == params.state.path else { return }
            present.takeState(params.state)
            elsewhere[record.id] = present.shortened
        }
        return try transaction.written()
    }

    // MARK: install

    /// Reads and copies the bundle, lets the program say what it serves, and only then takes it in.
    private func install(
        _ params: ExtensionInstall.Params, trace: TraceContext
    ) async throws -> ExtensionInstall.Result {
        installs += 1
        defer {
            installs -= 1
            sweepBundles()
        }
        let written = try await ExtensionBundle.read(params.path, client: params.client)
        let bundle = try await host.bundles.take(written, client: params.client)
        // By what was copied: what was read before may have been changed since.
        let client = try client(of: bundle.bundle, named: params.client)
        var wanted = bundle.record(client: client)
        wanted.withoutBubblewrap = params.withoutBubblewrap
        try check(wanted)
        if params.client == nil { try await checkSource(of: wanted) }
        try host.check(wanted)
        let program = try await InstallProof(host: host)
            .prove(bundle, client: client, withoutBubblewrap: params.withoutBubblewrap)
        if try removals.has(program.id) { try clearRemoved(program.id) }
        let result = try service.transact(trace: trace) { transaction in
            try check(program)
            let record = try take(program, transaction)
            return ExtensionInstall.Result(program: record, sequence: try transaction.head())
        }
        try await service.committed()
        return result
    }

    /// Extensions that were installed when bundles were not copied yet: what lies there now is theirs.
    func adoptBundles() {
        let ours = service.configuration.stateDirectory + "/"
        for old in records where old.hash == nil && !old.path.hasPrefix(ours) {
            installs += 1
            Task {
                defer {
                    installs -= 1
                    sweepBundles()
                }
                do { try await adopt(old) } catch {
                    let reason = ServiceError(anything: error).message
                    service.log.error(
                        "an extension's bundle could not be copied",
                        [("extension", .text(old.id)), ("reason", .text(reason))])
                }
            }
        }
    }

    private func adopt(_ old: ExtensionRecord) async throws {
        let written = try await ExtensionBundle.read(old.path, client: old.client)
        guard written.id == old.id else { throw unknown(old.id) }
        let copied = try await host.bundles.take(written, client: old.client).record(client: old.client)
        var adopted = old
        (adopted.path, adopted.executable) = (copied.path, copied.executable)
        (adopted.source, adopted.hash) = (copied.source, copied.hash)
        _ = try service.transact(trace: nil) { try take(adopted, $0) }
    }

    /// Deletes the copies that no extension has any more: none in memory, none in the store.
    func sweepBundles() {
        host.sweepBundles { [weak self] () throws(ServiceError) in
            guard let self, installs == 0 else { return nil }
            let stored: [ExtensionRecord]
            do { stored = try storedExtensions() } catch { throw ServiceError(anything: error) }
            return Set((records + stored).map(\.path)).union(replaced.values)
        }
    }

    /// Keeps a copy that was replaced until the other hosts had the time to hear of the new one.
    private func keepReplaced(_ path: String) {
        replacements += 1
        replaced[replacements] = path
        Reactor.shared.after(MonitorLimits.replacedCopy) { [weak self, replacements] in
            self?.replaced[replacements] = nil
            self?.sweepBundles()
        }
    }

    /// The host app: as the person said it, else, by Apple's rule, the extension's own id without its end.
    private func client(of bundle: ExtensionBundle, named: String?) throws -> String {
        let parent = bundle.id.split(separator: ".").dropLast().joined(separator: ".")
        let client = named ?? parent
        guard client.contains(".") || named != nil else {
            throw ServiceError(
                .invalidArgument, "'\(bundle.id)' does not say which app it belongs to",
                remedy: "Name the app's bundle id with --client.")
        }
        guard VisibleText.isName(client) else {
            throw ServiceError(
                .invalidParams, "'client' has \(client.utf8.count) bytes, or characters that nobody sees",
                remedy: "Use the bundle id of the host app, 1 to \(Contract.Limits.nameBytesMax) bytes.")
        }
        return client
    }

    /// Nothing but its own id says that a bundle is of an app. Where the app is known already, by extensions
    /// that are or were there or by what the person allowed it, and the bundle is from elsewhere, the person
    /// says it.
    private func checkSource(of program: ExtensionRecord) async throws {
        let folders = try clientFolders.all(of: program.client)
        guard !folders.contains(ClientFolders.folder(of: program)) else { return }
        let other = records.first { $0.client == program.client && !$0.isBuiltIn }
        if let other {
            throw joins(program, "has the extension '\(other.id)' from '\(other.source ?? other.path)'")
        } else if let folder = folders.first {
            throw joins(program, "had extensions from '\(folder)'")
        } else if try await isAllowedOrAsks(program) {
            throw joins(program, "is an app that was allowed, or asks to be")
        }
    }

    private func isAllowedOrAsks(_ program: ExtensionRecord) async throws(ServiceError) -> Bool {
        do throws(ServiceError) {
            let known = try await service.client(.auth).call(
                AuthorizationList.self, AuthorizationList.Params(client: program.client))
            return !known.authorizations.isEmpty
        } catch {
            throw ServiceError(
                error.name, "whether '\(program.client)' is an app already cannot be asked: \(error.message)",
                remedy: "\(error.remedy) Or say whose it is: `\(Self.install(program))`.")
        }
    }

    private func joins(_ program: ExtensionRecord, _ what: String) -> ServiceError {
        ServiceError(
            .conflict,
            "'\(program.client)' \(what); what joins it shares its permission, tokens, stores, selections and "
                + "app groups",
            remedy: "If this bundle belongs to that app, say so: `\(Self.install(program))`.")
    }

    /// The command that installs it from where it was.
    static func install(_ program: ExtensionRecord) -> String {
        let path = VisibleText.shellWord(program.source ?? program.path)
        return "screentime extension install \(path) --client \(VisibleText.shellWord(program.client))"
    }

    /// Installs, or takes in the changes of, the extensions that come with the system.
    func installBuiltIn() {
        for bundle in builtInBundles() {
            do throws(ServiceError) {
                let path = try bundle.make(in: service.configuration.stateDirectory)
                let read = try ExtensionBundle(path: path, client: bundle.client)
                var record = read.record(client: bundle.client)
                record.withoutBubblewrap = true
                _ = try service.transact(trace: nil) { [record] in
                    try take(record, isBuiltIn: true, $0)
                }
            } catch {
                service.log.error(
                    "an extension of ours cannot be installed",
                    [("extension", .text(bundle.id)), ("reason", .text(error.message))])
                service.setNotActing(
                    "built-in.\(bundle.id)",
                    "\(bundle.id) is not installed, or not the present one: \(error.message) (\(error.remedy))")
            }
        }
    }

    private func builtInBundles() -> [BuiltInBundle] {
        do throws(ServiceError) { return try BuiltInBundle.installed() } catch {
            service.log.error("the apps of the system are not known", [("reason", .text(error.message))])
            service.setNotActing("built-in", "no app of the system acts: \(error.message) (\(error.remedy))")
            return []
        }
    }

    private var groupOwners: GroupOwners {
        GroupOwners(database: service.database, files: host.files)
    }

    private var clientFolders: ClientFolders { ClientFolders(database: service.database) }

    private func check(_ program: ExtensionRecord) throws {
        let known = records
        try InstallNames(program).check(beside: known)
        try groupOwners.check(program, beside: known)
        try ExtensionSize.check(program, beside: known)
        guard known.contains(where: { $0.id == program.id }) || known.count < MonitorLimits.extensionsMax
        else {
            throw ServiceError(
                .limitExceeded, "extensionsMax is \(MonitorLimits.extensionsMax)",
                remedy: "Remove some first.")
        }
    }

    /// - Parameter isBuiltIn: it is taken in at every start, mostly as it was.
    func take(
        _ program: ExtensionRecord, isBuiltIn: Bool = false, _ transaction: Transaction
    ) throws -> ExtensionRecord {
        let body = program.encoded()
        let before = try transaction.database.first(
            "SELECT body FROM extension WHERE id = ?1", program.id, row: { $0.bytes(0) })
        let former = try before.map { try ExtensionRecord.decode($0).path }
        try transaction.database.run(
            "INSERT OR REPLACE INTO extension (id, body) VALUES (?1, ?2)", program.id, body)
        try groupOwners.take(program)
        try clientFolders.take(program)
        if before != body || !isBuiltIn {
            try transaction.emit(ExtensionInstalled(program: program))
        }
        // In this very turn an event may come for it; a courier without a committed row has nothing to bring.
        place(program, transaction)
        if !isBuiltIn {
            transaction.afterCommit { [self] in
                couriers[program.id]?.renew()
                if let former, former != program.path { keepReplaced(former) }
                sayLostCopies()
            }
        }
        return records.first { $0.id == program.id } ?? program
    }

    private func failUnfinished(of id: String, _ transaction: Transaction) throws {
        for var stored in try table.unfinished(of: id, limit: MonitorLimits.deliveriesKept) {
            stored.delivery.state = .failed
            stored.delivery.error = "the extension was removed"
            stored.delivery.finished = service.clock.now
            try table.update(stored)
            try transaction.emit(CallbackFailed(delivery: stored.delivery))
        }
        try table.forgetMissing(of: id)
    }
}
