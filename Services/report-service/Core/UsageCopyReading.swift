import Contract
import Engine
package import Store

/// One (member, device, subject) of the copy.
struct Series {
    let id: Int64
    let device: String
    let subject: Subject
    let openSince_ms: Int64?
}

extension UsageCopy {
    /// Everybody who has anything.
    package func members() throws(StoreError) -> [String] {
        try database.query("SELECT DISTINCT member FROM series ORDER BY member") { $0.text(0) }
    }

    /// Devices with anything of a member, sorted.
    func devices(of member: String) throws(StoreError) -> [String] {
        try database.query("SELECT DISTINCT device FROM series WHERE member = ?1 ORDER BY device", member) {
            $0.text(0)
        }
    }

    /// - device: nil for all.
    func series(of member: String, device: String?) throws(StoreError) -> [Series] {
        try database.query(
            "SELECT id, device, kind, subject, open_since_ms FROM series "
                + "WHERE member = ?1 AND (?2 IS NULL OR device = ?2) ORDER BY device, kind, subject", member,
            device
        ) { row in
            Series(
                id: row.int64(0), device: row.text(1),
                subject: Subject(
                    row.int64(2) == Int64(Subject.Kind.domain.rawValue) ? .domain : .app, row.text(3)),
                openSince_ms: row.isNull(4) ? nil : row.int64(4))
        }
    }

    /// Uses that share time with `window`, whole, in order. Looks at no other rows.
    func uses(of series: Int64, in window: TimeRange) throws(StoreError) -> IntervalSet {
        let ranges = try database.query(
            """
            SELECT start_ms, end_ms FROM use WHERE series = ?1 AND start_ms < ?3 AND start_ms >= coalesce(
                (SELECT max(start_ms) FROM use WHERE series = ?1 AND start_ms <= ?2), ?2)
            ORDER BY start_ms
            """, series, window.start_ms, window.end_ms
        ) { TimeRange(start_ms: $0.int64(0), end_ms: $0.int64(1)) }
        return IntervalSet(ranges.compactMap { $0 })
    }

    func marks(
        _ kind: Mark.Kind, of series: Series, in window: TimeRange
    ) throws(StoreError) -> [Mark] {
        let rows = try database.query(
            "SELECT at_ms, count FROM mark WHERE series = ?1 AND kind = ?2 AND at_ms >= ?3 AND at_ms < ?4",
            series.id, Int64(kind.rawValue), window.start_ms, window.end_ms
        ) { (at_ms: $0.int64(0), count: Int($0.int64(1))) }
        let subject = series.subject.id.isEmpty ? nil : series.subject
        return rows.flatMap { repeatElement(Mark(kind, at_ms: $0.at_ms, subject: subject), count: $0.count) }
    }

    /// Which category each subject belongs to, and which apps are browsers.
    func catalogue() throws -> Catalogue {
        var catalogue = Catalogue()
        try database.each("SELECT kind, id, category, browser FROM subject") { row in
            if row.int64(3) != 0 { catalogue.browsers.insert(row.text(1)) }
            guard !row.isNull(2) else { return }
            if row.int64(0) == Int64(Subject.Kind.app.rawValue) {
                catalogue.appCategories[row.text(1)] = row.text(2)
            } else {
                catalogue.domainCategories[row.text(1)] = row.text(2)
            }
        }
        return catalogue
    }

    /// What a person calls an app; nil when nobody told.
    func name(ofApp id: String) throws(StoreError) -> String? {
        try database.first(
            "SELECT name FROM subject WHERE kind = ?1 AND id = ?2 AND name IS NOT NULL",
            Int64(Subject.Kind.app.rawValue), id
        ) { $0.text(0) }
    }
}
