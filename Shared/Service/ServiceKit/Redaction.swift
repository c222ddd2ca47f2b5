import Contract
import Glibc
package import JSON

/// Names to redact. In prose they are found as whole words, ignoring the case of A to Z.
package struct Redaction: Sendable {
    private let names: Set<String>
    /// Includes its subdomains, in any spelling.
    private let domain: String?
    /// The names in lower case, both plain and escaped for JSON.
    private let needles: [[UInt8]]

    /// Empty names are ignored; `domain` also matches its subdomains.
    package init(_ names: [String], domain: String? = nil) {
        self.names = Set(names.filter { !$0.isEmpty })
        self.domain = domain
        let plain = self.names.map { Array($0.utf8) }
        let escaped = self.names.map { Array($0.encoded().dropFirst().dropLast()) }
        needles = Set(plain + escaped).map { $0.map(Self.lowered) }
    }

    /// Whether there is nothing to redact.
    package var isEmpty: Bool { names.isEmpty }

    /// Whether a text equals one of the names, or is prose that contains one.
    package func occur(in text: String) -> Bool {
        if names.contains(text) { return true }
        if let domain, DomainName.covers(domain, text) { return true }
        // An id is not prose, even if a path in it contains a space: another app's id may begin the same way.
        guard text.utf8.contains(where: { $0 == 0x20 || $0 == 0x0A }), !text.hasPrefix("exe:") else {
            return false
        }
        return occur(inBytes: Array(text.utf8))
    }

    /// Whether any string or member name in a JSON value does.
    package func occur(in value: JSONValue) -> Bool {
        switch value {
        case .string(let text): occur(in: text)
        case .array(let values): values.contains { occur(in: $0) }
        case .object(let members): members.contains { names.contains($0.key) || occur(in: $0.value) }
        case .null, .bool, .integer, .number: false
        }
    }

    /// Whether any name occurs in the bytes as a whole word.
    package func occur(inBytes bytes: [UInt8]) -> Bool {
        let lowered = bytes.map(Self.lowered)
        return needles.contains { needle in
            var start = 0
            while let found = Self.find(needle, in: lowered, from: start) {
                if isWord(lowered, found, found + needle.count) { return true }
                start = found + 1
            }
            return false
        }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }

    private static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress, let first = needle.first else { return nil }
            var place = start
            while place + needle.count <= all.count {
                let room = all.count - needle.count - place + 1
                guard let found = memchr(base + place, Int32(first), room) else { return nil }
                place = UnsafeRawPointer(found) - base
                if memcmp(base + place, needle, needle.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }

    private func isWord(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        let before = start > 0 ? bytes[start - 1] : 0x20
        let after = end < bytes.count ? bytes[end] : 0x20
        if Self.isPart(after) || after == 0x2E && end + 1 < bytes.count && Self.isPart(bytes[end + 1]) {
            return false
        }
        if before == 0x2E, start > 1, Self.isPart(bytes[start - 2]) { return domain != nil }
        // The letter of an escape such as
        //  does not belong to the word.
        return !Self.isPart(before) || (start > 1 && bytes[start - 2] == 0x5C)
    }

    /// A letter, a digit, `-` or `_`: the characters of ids.
    private static func isPart(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == 0x2D || byte == 0x5F
    }
}
