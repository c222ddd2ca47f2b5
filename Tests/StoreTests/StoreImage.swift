import Glibc
import Store
import Testing

/// The files of a store as bytes, which can be damaged and put somewhere else.
struct StoreImage {
    /// By what follows the store's path: "", "-wal", "-state", ".lock".
    var files: [String: [UInt8]] = [:]

    /// What lies beside `path` now, also while a store is open there: as a killed process leaves it.
    init(of path: String) throws {
        for suffix in ["", "-wal", "-state", ".lock"] where access(path + suffix, F_OK) == 0 {
            files[suffix] = try bytes(of: path + suffix)
        }
    }

    init(files: [String: [UInt8]]) { self.files = files }

    /// Puts the files into a room of their own.
    func room() throws -> Room {
        let room = try Room()
        for (suffix, content) in files { try write(content, to: room.path + suffix) }
        return room
    }

    func flipping(_ suffix: String, bit: Int) -> StoreImage {
        var image = self
        image.files[suffix]?[bit / 8] ^= 1 << UInt8(bit % 8)
        return image
    }

    func cutting(_ suffix: String, to count: Int) -> StoreImage {
        var image = self
        image.files[suffix]?.removeSubrange(count...)
        return image
    }
}

/// The content of a store as a reader sees it.
struct StoreContent: Equatable {
    var notes: [String]
    var events: [StoredEvent]
    var settings: [String]

    init(_ database: Database) throws {
        notes = try database.notes
        events = try EventLog(database, now: 0).read(after: 0, limit: .max)
        settings = try database.query("SELECT name || '=' || value FROM setting ORDER BY name") {
            $0.text(0)
        }
    }
}

/// Writes what a service writes: rows, events, settings, and now and then only settings.
final class Writer {
    let database: Database
    private let log: EventLog
    /// Beyond those of an earlier writer, three in four of which are in a note.
    private var number: Int

    init(_ database: Database) throws {
        self.database = database
        number = try 2 * database.notes.count
        log = try EventLog(database, now: 1, newEpoch: "0123456789abcdef")
    }

    func commit(textBytes: Int = 900) throws {
        number += 1
        try database.write { database in
            try Settings(database).set("place \(number % 7)", "\(number)")
            guard number % 4 != 0 else { return }
            let text = String(repeating: Character(UnicodeScalar(UInt8(97 + number % 26))), count: textBytes)
            try database.note("note \(number) \(text)")
            _ = try log.append(type: "noted", time: 1) { sequence, _ in Array("event \(sequence)".utf8) }
        }
        try database.commit()
    }
}
