import Units

/// The columns, event types and rows of the log.
extension DigitalWellbeing {
    enum Column: String, CaseIterable {
        case id
        case timestamp = "timestamp_ms"
        case type, package
        case instance = "instance_id"
    }

    typealias Columns = CSVColumns<Column>

    /// Refuses a last line without a line end whose last field is a proper prefix of the field of other rows
    /// (for an instance: of the same package) and equals none: a download that was interrupted there would
    /// leave an app open that nothing closes.
    static func requireUncut(
        _ row: Row, among others: ArraySlice<Row>, lastColumn: Column?, line: Int
    ) throws(ImportError) {
        let text: String
        let whole: (Row) -> String?
        switch lastColumn {
        case .instance:
            text = String(row.instance)
            whole = { $0.package == row.package ? String($0.instance) : nil }
        case .package:
            text = row.package
            whole = { $0.package }
        default: return
        }
        var longer: String?
        for value in others.lazy.compactMap(whole) where value.hasPrefix(text) {
            if value == text { return }
            longer = value
        }
        guard let longer else { return }
        throw ImportError(
            .truncated, line: line, column: lastColumn?.rawValue,
            expected: "a line end, or a value such as '\(longer)' above",
            found: "'\(text)' and the end of the file")
    }

    enum Meaning: String {
        case opened, closed, reset, unlocked, notification

        /// Android's UsageEvents types; nil for types that do not describe use.
        init?(type: Int64) {
            switch type {
            case 1: self = .opened
            case 2, 23: self = .closed
            case 26, 27: self = .reset
            case 18: self = .unlocked
            case 12: self = .notification
            default: return nil
            }
        }

        var needsPackage: Bool { self == .opened || self == .closed || self == .notification }
    }

    struct Row: Equatable {
        let id: Int64
        let at: Instant
        let type: Int64
        var package: String
        let instance: Int64

        var meaning: Meaning? { Meaning(type: type) }
        var key: (Instant, Int64, Int64, String, Int64) { (at, id, type, package, instance) }

        init(_ reader: CSVReader, _ columns: Columns) throws(ImportError) {
            try columns.requireAll(of: reader)
            id = try columns.integer(.id, of: reader)
            at = try columns.instant(.timestamp, of: reader)
            type = try columns.integer(.type, of: reader, 0...Int64(Int32.max))
            instance = try columns.integer(.instance, of: reader)
            package = columns.text(.package, of: reader)
            guard let meaning else { return }
            try Self.check(package, meaning, line: reader.line)
        }

        func change(_ meaning: Meaning) -> UsageChange {
            let subject = Subject.app(package)
            let kind: UsageChange.Kind =
                switch meaning {
                case .opened: .opened(subject, instance: instance)
                case .closed: .closed(subject, instance: instance)
                case .reset: .reset
                case .unlocked: .unlocked
                case .notification: .notification(subject)
                }
            return UsageChange(at: at, ordinal: id, kind)
        }

        private static func check(_ package: String, _ meaning: Meaning, line: Int) throws(ImportError) {
            if package.isEmpty && meaning.needsPackage {
                throw ImportError(
                    .emptyName, line: line, column: Column.package.rawValue,
                    expected: "the name of the package that was \(meaning.rawValue)", found: "nothing")
            }
            try ImportName.checkSubject(
                package, "package name", line: line, column: Column.package.rawValue)
        }
    }

    /// Constants of android.app.usage.UsageEvents.Event that an export may contain and that are ignored here.
    static let names: [Int64: String] = [
        5: "configuration change", 6: "system interaction", 7: "user interaction", 8: "shortcut invocation",
        9: "chooser action", 10: "notification seen", 11: "standby bucket changed", 15: "screen interactive",
        16: "screen non-interactive", 17: "keyguard shown", 19: "foreground service started",
        20: "foreground service stopped", 21: "continuing foreground service",
        22: "rollover foreground service",
        24: "activity destroyed", 25: "flush to disk", 28: "user unlocked", 29: "user stopped",
    ]
}

extension DigitalWellbeing.Log {
    var file: ImportedFile {
        var counts = ImportCounts()
        counts.rows = self.counts.rows
        counts.repeated = self.counts.repeated
        for (type, count) in self.counts.skipped {
            let name = DigitalWellbeing.names[type].map { ", \($0)" } ?? ""
            counts.skipped["type \(type)\(name)"] = count
        }
        return ImportedFile(devices: [ImportedDevice(name: nil, changes: changes)], counts: counts)
    }
}
