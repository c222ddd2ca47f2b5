import Foundation
import Glibc
import Store
import Testing

/// A directory of its own for one test; it goes with the object.
final class Room {
    let directory: String

    init(in parent: String? = nil) throws {
        let parent = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/store-test-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template), "mkdtemp in \(parent): errno \(errno)")
        directory = String(cString: made)
    }

    deinit {
        // A directory left behind in /tmp is no failure of what the test shows.
        try? FileManager.default.removeItem(atPath: directory)
    }

    var path: String { "\(directory)/store.sqlite" }
    var log: String { path + "-wal" }

    /// The table that the tests write to.
    static let notes = [
        Migration(
            version: 1, name: "notes",
            sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)")
    ]

    func open(_ migrations: [Migration] = Room.notes) throws(StoreError) -> Database {
        try Database(path: path, migrations: migrations)
    }

    /// The error of opening, which must fail.
    func openingError(_ migrations: [Migration] = Room.notes) throws -> StoreError {
        try #require(throws: StoreError.self) { _ = try self.open(migrations) }
    }
}

extension Database {
    func note(_ text: String) throws(StoreError) { try run("INSERT INTO note (text) VALUES (?1)", text) }
    var notes: [String] {
        get throws(StoreError) { try query("SELECT text FROM note ORDER BY id") { $0.text(0) } }
    }
}

/// The bytes of a file.
func bytes(of path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"), "opening \(path): errno \(errno)")
    defer { fclose(file) }
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while case let got = fread(&piece, 1, piece.count, file), got > 0 { all += piece.prefix(got) }
    return all
}

/// Replaces a file; only for files that no SQLite connection has open.
func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "w"), "writing \(path): errno \(errno)")
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
}
