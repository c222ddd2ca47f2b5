import Contract
import Loop
internal import Store

/// The directories from which a client's extensions were installed, including removed ones, whose data stays.
@LoopActor struct ClientFolders {
    let database: Database

    /// The directory that contains a bundle, or contained it when it was copied.
    static func folder(of program: ExtensionRecord) -> String {
        let path = program.source ?? program.path
        return String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }

    func claim(_ program: ExtensionRecord) throws {
        try database.run(
            "INSERT OR IGNORE INTO client_folder (client, folder) VALUES (?1, ?2)", program.client,
            Self.folder(of: program))
    }

    func all(of client: String) throws -> [String] {
        try database.query(
            "SELECT folder FROM client_folder WHERE client = ?1 ORDER BY folder", client
        ) { $0.text(0) }
    }
}
