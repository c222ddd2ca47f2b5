package import Contract
import JSON
package import Loop
package import ServiceKit
internal import Store

/// The installed extension programs of some extension points, as reported by monitor-runner, with their
/// processes: for a service that hosts them but does not own them.
@LoopActor package final class HostedPrograms {
    package let host: ExtensionHosting
    /// Called when a client's program was installed, reinstalled or removed.
    package var onChange: @LoopActor (_ client: String) -> Void = { _ in }
    private let points: Set<ExtensionPoint>
    private var programs: [String: HostedExtension] = [:]
    private var service: Service { host.service }

    /// What a service that hosts programs stores of them.
    package nonisolated static let records = [
        RecordTable("extension_copy", key: ["id"], of: ExtensionRecord.self, copyOf: .monitor)
    ]

    /// Loads what was stored before. Call ``follow()`` while the service starts.
    package init(_ host: ExtensionHosting, points: Set<ExtensionPoint>) throws {
        self.host = host
        self.points = points
        try host.service.database.run(
            "CREATE TABLE IF NOT EXISTS extension_copy (id TEXT PRIMARY KEY, body BLOB NOT NULL)")
        try load()
    }

    private func load() throws {
        for body in try service.database.query("SELECT body FROM extension_copy", row: { $0.bytes(0) }) {
            register(try ExtensionRecord.stored(body, in: "extension_copy"))
        }
    }

    private func register(_ program: ExtensionRecord) {
        guard let known = programs[program.id] else {
            return programs[program.id] = HostedExtension(program, host)
        }
        known.program = program
    }

    /// Ends the programs; call it when the service stops.
    package func stop() {
        for program in programs.values { program.retire("\(service.name.rawValue) stops") }
    }

    /// The program of a client for an extension point; if there are several, the first by id, as with Apple.
    package func program(of client: String, _ point: ExtensionPoint) -> HostedExtension? {
        programs.values.filter { $0.program.client == client && $0.program.point == point }
            .min { $0.program.id < $1.program.id }
    }

    // MARK: what monitor-runner tells

    /// Follows monitor-runner.
    package func follow() throws(ServiceError) {
        try service.follow(.monitor) { following in
            following.on(ExtensionInstalled.self) { [self] in try apply($0.data.program, $1) }
            following.on(ExtensionRemoved.self) { [self] in try remove($0.data.id, $1) }
            following.reset = { [self] transaction in
                let ids = try transaction.database.query("SELECT id FROM extension_copy") { $0.text(0) }
                for id in ids { try remove(id, transaction) }
                // Of a program whose row could not be read only the process is left.
                for id in programs.keys where !ids.contains(id) {
                    let client = programs[id]?.program.client
                    transaction.afterCommit { [self] in
                        retire(id)
                        client.map(onChange)
                    }
                }
            }
        }
    }

    private func apply(_ program: ExtensionRecord, _ transaction: Transaction) throws {
        guard points.contains(program.point) else {
            // It has another extension point now.
            return try remove(program.id, transaction)
        }
        try transaction.database.run(
            "INSERT OR REPLACE INTO extension_copy (id, body) VALUES (?1, ?2)", program.id, program.encoded())
        transaction.afterCommit { [self] in
            register(program)
            programs[program.id]?.renew()
            onChange(program.client)
        }
    }

    private func remove(_ id: String, _ transaction: Transaction) throws {
        // Looked up in the store: a program installed in this turn has no process yet.
        let body = try transaction.database.first(
            "DELETE FROM extension_copy WHERE id = ?1 RETURNING body", id
        ) { $0.bytes(0) }
        guard let body else { return }
        let client = try ExtensionRecord.stored(body, in: "extension_copy").client
        transaction.afterCommit { [self] in
            retire(id)
            onChange(client)
        }
    }

    private func retire(_ id: String) {
        programs.removeValue(forKey: id)?.retire("the extension was removed")
    }
}
