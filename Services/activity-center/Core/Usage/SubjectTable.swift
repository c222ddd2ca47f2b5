import Contract
import Loop
import Rules
import Store

/// Maps names to small numbers, which never change. Looked-up names stay in memory.
@LoopActor final class SubjectTable {
    /// The number that stands for no subject: a pickup without an app, no browser, no host.
    static let none: Int64 = 0

    private let database: Database
    private var ids: [Subject: Int64] = [:]
    private var subjects: [Int64: Subject] = [:]
    private var bootIDs: [String: Int64] = [:]
    private var boots: [Int64: String] = [:]
    private var forgottenIDs: Set<Int64>?

    init(_ database: Database) { self.database = database }

    /// Discards numbers assigned in a failed write.
    func reload() {
        ids = [:]
        subjects = [:]
        bootIDs = [:]
        boots = [:]
        forgottenIDs = nil
    }

    /// The number of a subject; assigns one if needed. Only inside a write.
    func id(_ subject: Subject?) throws(StoreError) -> Int64 {
        guard let subject else { return Self.none }
        if let known = ids[subject] { return known }
        let kind = Int64(subject.kind.rawValue)
        var id = try database.first(
            "SELECT id FROM subject WHERE kind = ?1 AND name = ?2", kind, subject.id
        ) { $0.int64(0) }
        if id == nil {
            id = try database.first(
                "INSERT INTO subject (kind, name) VALUES (?1, ?2) RETURNING id", kind, subject.id
            ) { $0.int64(0) }
        }
        let given = id ?? Self.none
        ids[subject] = given
        subjects[given] = subject
        return given
    }

    /// The number of a subject; nil if it has none.
    func find(_ subject: Subject) throws(StoreError) -> Int64? {
        if let known = ids[subject] { return known }
        return try database.first(
            "SELECT id FROM subject WHERE kind = ?1 AND name = ?2", Int64(subject.kind.rawValue), subject.id
        ) { $0.int64(0) }
    }

    /// Names of a kind after `name`, sorted bytewise, without placeholders of forgotten subjects (see
    /// `Subject.isForgotten`).
    func names(_ kind: Subject.Kind, after name: String, limit: Int) throws(StoreError) -> [String] {
        try database.query(
            """
            SELECT name FROM subject
            WHERE kind = ?1 AND name > ?2 AND instr(substr(name, 1, 2), char(0x10FFFF)) = 0
            ORDER BY name LIMIT ?3
            """, Int64(kind.rawValue), name, limit
        ) { $0.text(0) }
    }

    /// Hosts that equal `domain` or lie below it.
    func hosts(under domain: String) throws(StoreError) -> [String] {
        try database.query(
            """
            SELECT name FROM subject WHERE kind = ?1
            AND (name = ?2 OR substr(name, -length(?2) - 1) = '.' || ?2)
            """, Int64(Subject.Kind.domain.rawValue), domain
        ) { $0.text(0) }
    }

    /// Domains stored in another spelling than the present one, by number, with the spelling that they should
    /// have.
    func unspelt() throws(StoreError) -> [Int64: Subject] {
        let rows = try database.query(
            """
            SELECT id, name FROM subject
            WHERE kind = ?1 AND (name GLOB '*[^-a-z0-9._]*' OR name LIKE '.%' OR name LIKE '%.')
            """, Int64(Subject.Kind.domain.rawValue)
        ) { ($0.int64(0), Subject.domain($0.text(1))) }
        var found: [Int64: Subject] = [:]
        for (id, subject) in rows where !subject.isForgotten {
            let spelling = DomainName.spelling(of: subject.id)
            if spelling != subject.id { found[id] = .domain(spelling) }
        }
        return found
    }

    /// Numbers of the placeholders of forgotten subjects.
    func forgotten() throws(StoreError) -> Set<Int64> {
        if let known = forgottenIDs { return known }
        let found = try database.query(
            "SELECT id, kind, name FROM subject WHERE unicode(name) IN (33, 1114111)"
        ) {
            Subject(.app, $0.text(2)).isForgotten ? $0.int64(0) : nil
        }
        let ids = Set(found.compactMap { $0 })
        forgottenIDs = ids
        return ids
    }

    /// Nil for `none`.
    func subject(_ id: Int64) throws(StoreError) -> Subject? {
        if id == Self.none { return nil }
        if let known = subjects[id] { return known }
        let row = try database.first("SELECT kind, name FROM subject WHERE id = ?1", id) {
            ($0.int64(0), $0.text(1))
        }
        guard let row, let kind = Subject.Kind(rawValue: UInt8(truncatingIfNeeded: row.0)) else {
            throw StoreError(
                .damaged, message: "\(database.path) names a subject \(id) that it does not have")
        }
        let subject = Subject(kind, row.1)
        subjects[id] = subject
        ids[subject] = id
        return subject
    }

    /// The number of a boot id; 0 for nil. Only inside a write.
    func bootID(_ boot: String?) throws(StoreError) -> Int64 {
        guard let boot else { return Self.none }
        if let known = bootIDs[boot] { return known }
        var id = try database.first("SELECT id FROM boot WHERE name = ?1", boot) { $0.int64(0) }
        if id == nil {
            id = try database.first("INSERT INTO boot (name) VALUES (?1) RETURNING id", boot) { $0.int64(0) }
        }
        let given = id ?? Self.none
        bootIDs[boot] = given
        boots[given] = boot
        return given
    }

    func boot(_ id: Int64) throws(StoreError) -> String {
        if let known = boots[id] { return known }
        let name = try database.first("SELECT name FROM boot WHERE id = ?1", id) { $0.text(0) }
        guard let name else {
            throw StoreError(.damaged, message: "\(database.path) names a boot \(id) that it does not have")
        }
        boots[id] = name
        bootIDs[name] = id
        return name
    }
}
