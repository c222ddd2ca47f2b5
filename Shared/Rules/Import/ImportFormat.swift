/// What a file of use may be.
package enum ImportFormat: String, CaseIterable, Sendable {
    case digitalWellbeing = "digital-wellbeing"
    case webVisits = "web-visits"
    case activityWatch = "activitywatch"
    case knowledgeC = "knowledgec"
    case observations

    /// By how the file begins; nil when that says nothing.
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

    /// What its devices are, unless somebody says more.
    package var deviceModel: String {
        switch self {
        case .digitalWellbeing: "android"
        case .webVisits: "web"
        case .activityWatch: "computer"
        case .knowledgeC: "mac"
        case .observations: "linux"
        }
    }

    /// Whether what is open at the end is in use then: only sensors that tell as it happens say so. (By
    /// device model `linux`, as activity-center has it.)
    package static func isLive(model: String) -> Bool { model == "linux" }
}

/// All that one file says.
package struct ImportedFile: Sendable {
    /// Sorted by name.
    package var devices: [ImportedDevice]
    package var counts: ImportCounts

    package init(devices: [ImportedDevice], counts: ImportCounts) {
        self.devices = devices
        self.counts = counts
    }
}

package struct ImportedDevice: Hashable, Sendable {
    /// nil: the file does not name it.
    package var name: String?
    /// nil: the format's own.
    package var model: String?
    /// Sorted.
    package var changes: [UsageChange]
    /// What the file says of apps, by id.
    package var apps: [String: ImportedApp] = [:]

    package init(name: String?, model: String? = nil, changes: [UsageChange]) {
        self.name = name
        self.model = model
        self.changes = changes
    }
}

package struct ImportedApp: Hashable, Sendable {
    package var name: String?
    /// Freedesktop's.
    package var categories: [String]?

    package init(name: String? = nil, categories: [String]? = nil) {
        self.name = name
        self.categories = categories
    }
}

/// What became of the rows of a file.
package struct ImportCounts: Hashable, Sendable {
    package var rows = 0
    /// The same row again.
    package var repeated = 0
    /// Rows left out, by the reason.
    package var skipped: [String: Int] = [:]

    package init() {}
}

extension ImportFormat {
    /// - Parameter bytes: the whole file. Not for ``knowledgeC``, whose rows somebody else reads.
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
    /// Some editors put U+FEFF before a text; JSON has none (RFC 8259, 8.1).
    fileprivate var withoutByteOrderMark: ArraySlice<UInt8> {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    }
}
