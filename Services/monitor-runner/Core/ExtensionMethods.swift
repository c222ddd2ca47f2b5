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
            try remove(params.id, transaction)
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

    /// All installed extensions, of every extension point, with their present state.
    var records: [ExtensionRecord] {
        (dispatchers.values.map(\.record.shortened) + hostedElsewhere.values).sorted { $0.id < $1.id }
    }

    /// Applies the state of an extension that another service hosts. The installed part stays as it is, even
    /// if it is replaced before this is committed; a report about a replaced copy is ignored.
    func note(_ params: ExtensionNote.Params, _ transaction: Transaction) throws -> Written {
        guard let record = hostedElsewhere[params.state.id] else { throw unknown(params.state.id) }
        if var overBudget = params.overBudget {
            (overBudget.id, overBudget.client) = (record.id, record.client)
            overBudget.callback = VisibleText.shortened(
                overBudget.callback, bytesMax: MonitorLimits.stateTextBytesMax)
            try transaction.emit(overBudget)
        }
        transaction.afterCommit { [self] in
            guard var present = hostedElsewhere[record.id], present.path == params.state.path else { return }
            present.applyState(params.state)
            hostedElsewhere[record.id] = present.shortened
        }
        return try transaction.written()
    }

    // MARK: remove

    func remove(_ id: String, _ transaction: Transaction) throws -> Written {
        guard let record = records.first(where: { $0.id == id }) else { throw unknown(id) }
        guard !record.isBuiltIn else {
            throw ServiceError(
                .accessDenied, "'\(id)' is built in and applies the person's limits",
                remedy: "Stop the activities with `screentime monitor stop NAME`.")
        }
        try transaction.database.run("DELETE FROM extension WHERE id = ?1", record.id)
        try failUnfinished(of: id, transaction)
        try removals.note(id)
        try transaction.emit(ExtensionRemoved(id: record.id, client: record.client, point: record.point))
        // At once: a callback that comes in the same turn must not wait for it.
        let dispatcher = dispatchers.removeValue(forKey: id)
        let other = hostedElsewhere.removeValue(forKey: id)
        transaction.onUndo { [self] in (dispatchers[id], hostedElsewhere[id]) = (dispatcher, other) }
        transaction.afterCommit { [self] in
            dispatcher?.retire("the extension was removed")
            reportMissing()
            reportLostCopies()
            finishRemovals()
            sweepBundles()
        }
        return try transaction.written()
    }

    // MARK: install

    /// Reads and copies the bundle, asks the program for its extension point, and then registers it.
    private func install(
        _ params: ExtensionInstall.Params, trace: TraceContext
    ) async throws -> ExtensionInstall.Result {
        installs += 1
        defer {
            installs -= 1
            sweepBundles()
        }
        let written = try await ExtensionBundle.read(
            params.path, client: params.client, besides: service.loop)
        let bundle = try await host.bundles.copy(written, client: params.client, besides: service.loop)
        // Uses the copy, since the original may have changed since it was read.
        let client = try client(of: bundle.bundle, named: params.client)
        var wanted = bundle.record(client: client)
        wanted.withoutBubblewrap = params.withoutBubblewrap
        try check(wanted)
        if params.client == nil { try await checkSource(of: wanted) }
        try host.runner.check(wanted)
        let program = try await InstallProof(host: host)
            .prove(bundle, client: client, withoutBubblewrap: params.withoutBubblewrap)
        if try removals.has(program.id) { try clearRemoved(program.id) }
        let result = try service.transact(trace: trace) { transaction in
            try check(program)
            let record = try store(program, transaction)
            return ExtensionInstall.Result(program: record, sequence: try transaction.head())
        }
        try await service.committed()
        return result
    }

    /// Copies the bundles of extensions that were installed before bundles were copied.
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
        let written = try await ExtensionBundle.read(old.path, client: old.client, besides: service.loop)
        guard written.id == old.id else { throw unknown(old.id) }
        let copied = try await host.bundles.copy(written, client: old.client, besides: service.loop)
            .record(client: old.client)
        var adopted = old
        (adopted.path, adopted.executable) = (copied.path, copied.executable)
        (adopted.source, adopted.hash) = (copied.source, copied.hash)
        _ = try service.transact(trace: nil) { try store(adopted, $0) }
    }

    /// Deletes copies that no extension uses, neither in memory nor in the store.
    func sweepBundles() {
        host.sweepBundles { [weak self] () throws(ServiceError) in
            guard let self, installs == 0 else { return nil }
            let stored: [ExtensionRecord]
            do { stored = try storedExtensions() } catch { throw ServiceError(anything: error) }
            return Set((records + stored).map(\.path)).union(replaced.values)
        }
    }

    /// Keeps a replaced copy until the other hosts have been notified of the new one.
    private func keepReplaced(_ path: String) {
        replacements += 1
        replaced[replacements] = path
        service.loop.after(MonitorLimits.replacedCopy) { [weak self, replacements] in
            self?.replaced[replacements] = nil
            self?.sweepBundles()
        }
    }

    /// The host app's id: as given by the person or, by Apple's rule, the extension's id without its last
    /// part.
    private func client(of bundle: ExtensionBundle, named: String?) throws -> String {
        let parent = bundle.id.split(separator: ".").dropLast().joined(separator: ".")
        let client = named ?? parent
        guard client.contains(".") || named != nil else {
            throw ServiceError(
                .invalidArgument, "'\(bundle.id)' does not name the app it belongs to",
                remedy: "Name the app's bundle id with --client.")
        }
        guard VisibleText.isName(client) else {
            throw ServiceError(
                .invalidParams, "'client' has \(client.utf8.count) bytes, or invisible characters",
                remedy: "Use the bundle id of the host app, 1 to \(Limits.nameBytesMax) bytes.")
        }
        return client
    }

    /// Only a bundle's own id assigns it to an app. If that app is known, by present or former extensions or
    /// by an authorization, and the bundle comes from another directory, the person must confirm it.
    private func checkSource(of program: ExtensionRecord) async throws {
        let folders = try clientFolders.all(of: program.client)
        guard !folders.contains(ClientFolders.folder(of: program)) else { return }
        let other = records.first { $0.client == program.client && !$0.isBuiltIn }
        if let other {
            throw joins(program, "has the extension '\(other.id)' from '\(other.source ?? other.path)'")
        } else if let folder = folders.first {
            throw joins(program, "had extensions from '\(folder)'")
        } else if try await isAllowedOrAsks(program) {
            throw joins(program, "is an app that was approved, or asks for approval")
        }
    }

    private func isAllowedOrAsks(_ program: ExtensionRecord) async throws(ServiceError) -> Bool {
        do throws(ServiceError) {
            let known = try await service.client(.auth).call(
                AuthorizationList.self, AuthorizationList.Params(client: program.client))
            return !known.authorizations.isEmpty
        } catch {
            throw ServiceError(
                error.name, "cannot find out whether '\(program.client)' is a known app: \(error.message)",
                remedy: "\(error.remedy) Or say whose it is: `\(Self.install(program))`.")
        }
    }

    private func joins(_ program: ExtensionRecord, _ what: String) -> ServiceError {
        ServiceError(
            .conflict,
            "'\(program.client)' \(what); its extensions share its approval, tokens, stores, selections and "
                + "app groups",
            remedy: "If this bundle belongs to that app, confirm it: `\(Self.install(program))`.")
    }

    /// The command that installs it again from its original directory.
    static func install(_ program: ExtensionRecord) -> String {
        let path = VisibleText.shellWord(program.source ?? program.path)
        return "screentime extension install \(path) --client \(VisibleText.shellWord(program.client))"
    }

    /// Installs or updates the built-in extensions.
    func installBuiltIn() {
        do throws(ServiceError) {
            for (id, found) in try host.runner.builtIn() { installBuiltIn(id, found) }
        } catch {
            service.log.error("the built-in apps cannot be read", [("reason", .text(error.message))])
            service.setNotActing("built-in", "no built-in app acts: \(error.message) (\(error.remedy))")
        }
    }

    private func installBuiltIn(_ id: String, _ found: Result<ExtensionRecord, ServiceError>) {
        do throws(ServiceError) {
            let record = try found.get()
            _ = try service.transact(trace: nil) { try store(record, isBuiltIn: true, $0) }
        } catch {
            service.log.error(
                "a built-in extension cannot be installed",
                [("extension", .text(id)), ("reason", .text(error.message))])
            service.setNotActing(
                "built-in.\(id)",
                "\(id) is not installed, or outdated: \(error.message) (\(error.remedy))")
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

    /// - Parameter isBuiltIn: registered at every start, mostly unchanged.
    func store(
        _ program: ExtensionRecord, isBuiltIn: Bool = false, _ transaction: Transaction
    ) throws -> ExtensionRecord {
        let body = program.encoded()
        let before = try transaction.database.first(
            "SELECT body FROM extension WHERE id = ?1", program.id, row: { $0.bytes(0) })
        let former = try before.map { try ExtensionRecord.stored($0, in: "extension").path }
        try transaction.database.run(
            "INSERT OR REPLACE INTO extension (id, body) VALUES (?1, ?2)", program.id, body)
        try groupOwners.claim(program)
        try clientFolders.claim(program)
        if before != body || !isBuiltIn {
            try transaction.emit(ExtensionInstalled(program: program))
        }
        // An event for it may arrive in this turn; without a committed row the dispatcher has nothing to
        // deliver.
        place(program, transaction)
        if !isBuiltIn {
            transaction.afterCommit { [self] in
                dispatchers[program.id]?.renew()
                if let former, former != program.path { keepReplaced(former) }
                reportLostCopies()
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
