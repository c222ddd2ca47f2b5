import Contract
import Hosting
import ServiceKit
internal import Store

/// Removed extensions whose own files are not removed yet. They are recorded with the removal, so that an
/// interrupted one is completed at the next start. Until then nobody else can get such an id.
struct Removals {
    let database: Database

    func note(_ id: String) throws {
        try database.run("INSERT OR IGNORE INTO removal (id) VALUES (?1)", id)
    }
    func end(_ id: String) throws { try database.run("DELETE FROM removal WHERE id = ?1", id) }

    func all() throws -> [String] { try database.query("SELECT id FROM removal") { $0.text(0) } }

    func has(_ id: String) throws -> Bool {
        try database.first("SELECT 1 FROM removal WHERE id = ?1", id, row: { _ in true }) == true
    }
}

extension MonitorService {
    var removals: Removals { Removals(database: service.database) }

    /// Failed removals stay recorded and are reported.
    func finishRemovals() {
        do {
            for id in try removals.all() {
                do throws(ServiceError) { try clearRemoved(id) } catch {
                    service.log.error(
                        "files of an extension could not be removed",
                        [("extension", .text(id)), ("reason", .text(error.message))])
                }
            }
        } catch {
            let reason = ServiceError(anything: error).message
            service.log.error("removals could not be read", [("reason", .text(reason))])
        }
    }

    /// Removes the own files of a removed extension.
    func clearRemoved(_ id: String) throws(ServiceError) {
        try host.remove(id)
        try service.transact(trace: nil) { _ in try removals.end(id) }
    }
}
