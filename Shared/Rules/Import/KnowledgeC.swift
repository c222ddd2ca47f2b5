import Units

/// Use of apps from macOS's `knowledgeC.db`: rows of table ZOBJECT with the stream `/app/usage`, or
/// `/app/inFocus` if there are none. Times are seconds since 2001-01-01 UTC.
package enum KnowledgeC {
    /// The stream that is used.
    package static let usageStream = "/app/usage"
    /// The stream that is used if there is none of ``usageStream``.
    package static let focusStream = "/app/inFocus"

    /// A row of table ZOBJECT.
    package struct Row: Sendable {
        /// Z_PK.
        package var id: Int64
        /// ZSTREAMNAME.
        package var stream: String
        /// ZVALUESTRING: the bundle id.
        package var app: String?
        /// ZSTARTDATE.
        package var start_s: Double?
        /// ZENDDATE.
        package var end_s: Double?

        package init(id: Int64, stream: String, app: String?, start_s: Double?, end_s: Double?) {
            self.id = id
            self.stream = stream
            self.app = app
            self.start_s = start_s
            self.end_s = end_s
        }
    }

    /// 2001-01-01 in Unix time.
    private static let epoch_s = 978_307_200.0

    /// Converts rows; throws if any of them is invalid. The line of an error is the row's id.
    package static func parse(_ rows: [Row]) throws(ImportError) -> ImportedFile {
        let hasUsage = rows.contains { $0.stream == usageStream }
        var counts = ImportCounts()
        var stretches: [Subject: [TimeRange]] = [:]
        for row in rows {
            counts.rows += 1
            if hasUsage && row.stream != usageStream {
                counts.skipped["\(row.stream) says the same as \(usageStream)", default: 0] += 1
                continue
            }
            guard row.end_s != nil else {
                counts.skipped["no end yet", default: 0] += 1
                continue
            }
            let subject = Subject.app(try app(of: row))
            let start = try instant(row.start_s, "ZSTARTDATE", row)
            let end = try instant(row.end_s, "ZENDDATE", row)
            guard start <= end else {
                throw ImportError(
                    .outOfRange, line: Int(row.id), column: "ZENDDATE", expected: "an end after the start",
                    found: "one \(start - end) ms before it")
            }
            guard let stretch = TimeRange(start: start, end: end) else {
                counts.skipped["shorter than a millisecond", default: 0] += 1
                continue
            }
            stretches[subject, default: []].append(stretch)
        }
        let use = DeviceUse(device: "", uses: stretches.mapValues { IntervalSet($0) })
        let device = ImportedDevice(name: nil, changes: ClosedUse.changes(use))
        return ImportedFile(devices: [device], counts: counts)
    }

    private static func app(of row: Row) throws(ImportError) -> String {
        guard let app = row.app, !app.isEmpty else {
            throw ImportError(
                .emptyName, line: Int(row.id), column: "ZVALUESTRING", expected: "the app's bundle id",
                found: "nothing")
        }
        try ImportName.checkSubject(app, "bundle id", line: Int(row.id), column: "ZVALUESTRING")
        return app
    }

    private static func instant(
        _ seconds: Double?, _ column: String, _ row: Row
    ) throws(ImportError) -> Instant {
        let unix = ((seconds ?? .nan) + epoch_s) * 1000
        guard unix >= 0, unix <= Double(latestStamp.milliseconds) else {
            throw ImportError(
                .outOfRange, line: Int(row.id), column: column, expected: "seconds since 2001-01-01",
                found: seconds.map { "\($0)" } ?? "nothing")
        }
        return Instant(milliseconds: Int64(unix.rounded()))
    }
}
