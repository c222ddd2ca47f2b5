import Contract
import CSQLite
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// The tables of a service's store that can hold text, read from its schema.
struct StoreTables {
    /// By table: what all its texts and blobs hold, row by row.
    private(set) var contents: [String: [Data]] = [:]

    @LoopActor init(_ world: World, _ service: ServiceName) throws {
        var handle: OpaquePointer?
        let path = "\(world.directory)/state/\(service.rawValue)/\(service.rawValue).sqlite3"
        try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        for table in try Self.rows(handle, "SELECT name FROM sqlite_schema WHERE type = 'table'") {
            let name = String(decoding: table.first ?? Data(), as: UTF8.self)
            // Every column: without STRICT any column can hold text, whatever it is declared as.
            let values = try Self.rows(handle, "SELECT * FROM \"\(name)\"")
            let declared = try Self.rows(
                handle,
                "SELECT 1 FROM pragma_table_info('\(name)') WHERE upper(type) NOT IN ('INTEGER', 'REAL')")
            if !declared.isEmpty || !values.allSatisfy(\.isEmpty) { contents[name] = values.flatMap { $0 } }
        }
    }

    /// Names of tables that contain one of the texts, plain or escaped for JSON.
    func tables(with texts: [String]) -> [String] {
        let needles = texts.flatMap { [$0, $0.lowercased(), $0.replacing("\"", with: "\\\"")] }.map {
            Data($0.utf8)
        }
        return contents.filter { _, values in
            values.contains { value in needles.contains { value.range(of: $0) != nil } }
        }.keys.sorted()
    }

    /// The texts and blobs of each row.
    private static func rows(_ handle: OpaquePointer?, _ sql: String) throws -> [[Data]] {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
        defer { sqlite3_finalize(statement) }
        var rows: [[Data]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).compactMap { column in
                    let type = sqlite3_column_type(statement, column)
                    guard type == SQLITE_TEXT || type == SQLITE_BLOB,
                        let start = sqlite3_column_blob(statement, column)
                    else { return nil }
                    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
                })
        }
        return rows
    }
}
