import Contract
import Hosting
import Loop
internal import Store

/// The owners of app groups: the client that named a group first. It stays the owner after its extensions are
/// removed, because the group's files remain.
@LoopActor struct GroupOwners {
    let database: Database
    let files: HostFiles

    /// - Throws: `alreadyExists` with the owner and how to free the group.
    func check(_ program: ExtensionRecord, beside known: [ExtensionRecord]) throws {
        for group in program.groups ?? [] {
            guard let owner = try owner(of: group), owner != program.client else { continue }
            let path = files.path(group: group)
            let installed = known.filter { $0.client == owner && $0.groups?.contains(group) == true }
            if installed.isEmpty, try files.isEmpty(group: group) { continue }
            let names = installed.map(\.id).joined(separator: ", ")
            let first = installed.isEmpty ? "" : "remove \(names) and then "
            throw ServiceError(
                .alreadyExists, "the app group '\(group)' belongs to \(owner)",
                remedy: "Use another name in the entitlements, or \(first)delete '\(path)', with what "
                    + "\(owner) keeps there.")
        }
    }

    func claim(_ program: ExtensionRecord) throws {
        for group in program.groups ?? [] {
            try database.run(
                "INSERT OR REPLACE INTO app_group (name, client) VALUES (?1, ?2)", group, program.client)
        }
    }

    private func owner(of group: String) throws -> String? {
        try database.first("SELECT client FROM app_group WHERE name = ?1", group) { $0.text(0) }
    }
}
