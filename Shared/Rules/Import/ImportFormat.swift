/// The formats of files with use. The raw values are words of the command line.
package enum ImportFormat: String, CaseIterable, Sendable {
    case digitalWellbeing = "digital-wellbeing"
    case webVisits = "web-visits"
    case activityWatch = "activitywatch"
    case knowledgeC = "knowledgec"
    case observations

    /// Recognises the format by the first bytes of a file; nil if that is not possible.
    package static func recognise(_ bytes: [UInt8]) -> ImportFormat? {
        if bytes.starts(with: Array("SQLite format 3\0".utf8)) { return .knowledgeC }
        let start = String(decoding: bytes.withoutByteOrderMark.prefix(4_096), as: UTF8.self)
        if start.drop(while: \.isWhitespace).first == "{" {
            let key = start.drop(while: \.isWhitespace).dropFirst().drop(while: \.isWhitespace)
            return key.hasPrefix("\"buckets\"") ? .activityWatch : .observations
        }
        let header = start.prefix { !$0.isNewline }
        let names = Set(header.split(separator: ",").map { $0.filter { $0 != "\"" && $0 != "\u{FEFF}" } })
        if names.contains("panelist") { return .webVisits }
        return names.contains("package") ? .digitalWellbeing : nil
    }

    /// Default model of its devices.
    package var deviceModel: String {
        switch self {
        case .digitalWellbeing: "android"
        case .webVisits: "web"
        case .activityWatch: "computer"
        case .knowledgeC: "mac"
        case .observations: "linux"
        }
    }

    /// Whether use that is open at the end is in progress: only for live sensors. (The device model is
    /// `linux`, as in activity-center.)
    package static func isLive(model: String) -> Bool { model == "linux" }
}

/// The content of one file.
package struct ImportedFile: Sendable {
    /// Its devices, sorted by name.
    package var devices: [ImportedDevice]
    /// Numbers of rows by what became of them.
    package var counts: ImportCounts

    package init(devices: [ImportedDevice], counts: ImportCounts) {
        self.devices = devices
        self.counts = counts
    }
}

/// The observations of one device in a file.
package struct ImportedDevice: Hashable, Sendable {
    /// Name of the device; nil if the file has none.
    package var name: String?
    /// Model of the device; nil for the format's default.
    package var model: String?
    /// Changes, sorted.
    package var changes: [UsageChange]
    /// Apps that the file describes, by id.
    package var apps: [String: ImportedApp] = [:]

    package init(name: String?, model: String? = nil, changes: [UsageChange]) {
        self.name = name
        self.model = model
        self.changes = changes
    }
}

/// An app that a file describes.
package struct ImportedApp: Hashable, Sendable {
    /// Display name.
    package var name: String?
    /// Freedesktop categories.
    package var categories: [String]?

    package init(name: String? = nil, categories: [String]? = nil) {
        self.name = name
        self.categories = categories
    }
}

/// Numbers of rows by what became of them.
package struct ImportCounts: Hashable, Sendable {
    /// All rows.
    package var rows = 0
    /// Rows that repeat an earlier one.
    package var repeated = 0
    /// Skipped rows by reason, half a sentence.
    package var skipped: [String: Int] = [:]

    package init() {}
}

extension ImportFormat {
    /// Parses a file of this format.
    /// - Parameter bytes: the whole file. Not for ``knowledgeC``, a database whose rows the caller reads.
    package func parse(_ bytes: [UInt8]) throws(ImportError) -> ImportedFile {
        switch self {
        case .digitalWellbeing: return try DigitalWellbeing.parse(bytes).file
        case .webVisits: return try WebVisits.parse(bytes)
        case .activityWatch: return try ActivityWatch.parse(Array(bytes.withoutByteOrderMark))
        case .observations: return try ObservationLines.parse(Array(bytes.withoutByteOrderMark))
        case .knowledgeC:
            throw ImportError(.wrongFormat, line: 1, expected: "a text file", found: "a database")
        }
    }
}

extension [UInt8] {
    /// Some editors put U+FEFF before text, which JSON forbids (RFC 8259, 8.1).
    fileprivate var withoutByteOrderMark: ArraySlice<UInt8> {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    }
}
