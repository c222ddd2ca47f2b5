import Bus
import Contract
import ServiceKit
internal import Store

extension MonitorService {
    func answerExtensions() {
        service.write(ExtensionInstall.self) { [self] params, _, transaction in
            guard params.client != BuiltInClient.limits else {
                throw ServiceError(
                    .accessDenied, "\(BuiltInClient.limits) has its extension built in",
                    remedy: "Install it for the app that it belongs to.")
            }
            let program = try install(params.path, client: params.client ?? "", transaction)
            return ExtensionInstall.Result(program: program, sequence: try transaction.head())
        }
        service.read(ExtensionList.self) { [self] _, _ in
            ExtensionList.Result(extensions: couriers.values.map(\.record).sorted { $0.id < $1.id })
        }
        service.write(ExtensionRemove.self) { [self] params, _, transaction in
            guard let courier = couriers[params.id] else {
                throw ServiceError(
                    .notFound, "there is no extension '\(params.id)'", remedy: "See extension.list.")
            }
            guard !courier.program.isBuiltIn else {
                throw ServiceError(
                    .accessDenied, "'\(params.id)' is built in and keeps the person's own limits",
                    remedy: "Stop the activities with `screentime monitor stop NAME`.")
            }
            try transaction.database.run("DELETE FROM extension WHERE id = ?1", params.id)
            try failUnfinished(of: params.id, transaction)
            transaction.afterCommit { [self] in
                couriers.removeValue(forKey: params.id)?.retire("the extension was removed")
            }
            return try transaction.written()
        }
    }

    /// Installs, or takes in the changes of, the extension for the person's own limits.
    func installLimits() {
        do throws(ServiceError) {
            let path = try LimitsBundle.make(in: service.configuration.stateDirectory)
            _ = try service.transact(trace: nil) {
                try install(path, client: BuiltInClient.limits, $0)
            }
        } catch {
            service.log.error("the person's own limits cannot be kept", [("reason", .text(error.message))])
            service.setDegraded("limits", "\(error.message). \(error.remedy)")
        }
    }

    private func install(
        _ path: String, client: String, _ transaction: Transaction
    ) throws -> ExtensionRecord {
        guard !client.isEmpty, client.utf8.count <= Contract.Limits.nameBytesMax else {
            throw ServiceError(
                .invalidParams, "'client' has \(client.utf8.count) bytes",
                remedy: "Use the bundle id of the host app, 1 to \(Contract.Limits.nameBytesMax) bytes.")
        }
        let bundle = try ExtensionBundle(path: path)
        if let other = couriers[bundle.id]?.program, other.client != client {
            throw ServiceError(
                .alreadyExists, "'\(bundle.id)' is installed for \(other.client)",
                remedy: "Remove it there first, or use another CFBundleIdentifier.")
        }
        guard couriers[bundle.id] != nil || couriers.count < MonitorLimits.extensionsMax else {
            throw ServiceError(
                .limitExceeded, "extensionsMax is \(MonitorLimits.extensionsMax)",
                remedy: "Remove some first.")
        }
        let program = ExtensionRecord(
            id: bundle.id, client: client, point: .monitor, path: bundle.path, executable: bundle.executable)
        try transaction.database.run(
            "INSERT OR REPLACE INTO extension (id, body) VALUES (?1, ?2)", program.id, program.encoded())
        // In this very turn an event may come for it; a courier without a committed row has nothing to bring.
        let courier = couriers[program.id] ?? Courier(program, service, files)
        courier.program = program
        couriers[program.id] = courier
        return courier.record
    }

    private func failUnfinished(of id: String, _ transaction: Transaction) throws {
        for var stored in try table.unfinished(of: id, limit: MonitorLimits.deliveriesKept) {
            stored.delivery.state = .failed
            stored.delivery.error = "the extension was removed"
            stored.delivery.finishedMs = service.clock.nowMs
            try table.update(stored)
            try transaction.emit(CallbackFailed(delivery: stored.delivery))
        }
    }
}
