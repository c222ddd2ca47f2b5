/// A property list, with the types that an Info.plist needs.
package enum PropertyList: Equatable {
    case text(String)
    case bool(Bool)
    case integer(Int64)
    case list([PropertyList])
    case dictionary([String: PropertyList])

    /// The value of a key; nil if it is missing, or this is no dictionary.
    package subscript(key: String) -> PropertyList? {
        if case .dictionary(let members) = self { members[key] } else { nil }
    }
    /// The integer; nil for any other type.
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    /// The text; nil for any other type.
    package var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// Why a property list was refused: a sentence with the position in bytes.
package struct PropertyListError: Error, Equatable {
    /// What is wrong, half a sentence.
    package var reason: String
}

/// Reads both of Apple's forms. XML is read strictly: elements of Apple's DTD, no duplicate keys, nothing
/// after the end. A byte order mark, comments, the XML declaration and a DOCTYPE without internal subset are
/// skipped; entities are the five of XML and numeric ones; CDATA sections are text.
package struct PropertyListReader {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a property list in either form.
    package static func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyList {
        var reader = PropertyListReader(bytes)
        if bytes.starts(with: Array("bplist".utf8)) { return try BinaryPropertyList.read(bytes) }
        if reader.starts(with: "\u{FEFF}") { reader.position = 3 }
        try reader.expect("plist")
        let value = try reader.value(reader.tag(), depth: 0)
        guard try reader.tag() == "/plist" else { throw reader.wrong("</plist>") }
        try reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.wrong("the end of the file") }
        return value
    }

    private func wrong(_ expected: String) -> PropertyListError {
        PropertyListError(reason: "expected \(expected) at byte \(position)")
    }

    private mutating func expect(_ name: String) throws(PropertyListError) {
        guard try tag() == name else { throw wrong("<\(name)>") }
    }

    private mutating func value(_ tag: String, depth: Int) throws(PropertyListError) -> PropertyList {
        guard depth < HostingLimits.propertyListDepthMax else {
            throw wrong("at most \(HostingLimits.propertyListDepthMax) levels")
        }
        switch tag {
        case "true/": return .bool(true)
        case "false/": return .bool(false)
        case "string/": return .text("")
        case "dict/": return .dictionary([:])
        case "array/": return .list([])
        case "string", "date", "real", "data": return .text(try text(closing: tag))
        case "integer":
            guard let number = Int64(try text(closing: tag)) else { throw wrong("a whole number") }
            return .integer(number)
        case "array":
            var values: [PropertyList] = []
            while true {
                let next = try self.tag()
                if next == "/array" { return .list(values) }
                values.append(try value(next, depth: depth + 1))
            }
        case "dict": return try dictionary(depth: depth)
        default: throw wrong("a value, not <\(tag)>")
        }
    }

    private mutating func dictionary(depth: Int) throws(PropertyListError) -> PropertyList {
        var members: [String: PropertyList] = [:]
        while true {
            let next = try tag()
            if next == "/dict" { return .dictionary(members) }
            guard next == "key" else { throw wrong("<key> or </dict>") }
            let key = try text(closing: "key")
            let member = try value(tag(), depth: depth + 1)
            guard members.updateValue(member, forKey: key) == nil else {
                throw PropertyListError(reason: "the key '\(key.shortened)' is repeated")
            }
        }
    }

    // MARK: bytes

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    /// Skips white space, comments and declarations.
    private mutating func skipSpace() throws(PropertyListError) {
        while position < bytes.count {
            if [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
                position += 1
            } else if starts(with: "<!--") {
                try skip(through: "-->")
            } else if starts(with: "<?") {
                try skip(through: "?>")
            } else if starts(with: "<!DOCTYPE") {
                try skip(through: ">")
            } else {
                return
            }
        }
    }

    private mutating func skip(through end: StaticString) throws(PropertyListError) {
        while position < bytes.count, !starts(with: end) { position += 1 }
        guard position < bytes.count else { throw wrong("\(end)") }
        position += end.utf8CodeUnitCount
    }

    /// The next tag without brackets and attributes: `dict`, `/dict`, `true/`.
    private mutating func tag() throws(PropertyListError) -> String {
        try skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "<"),
            let end = bytes[position...].firstIndex(of: UInt8(ascii: ">"))
        else { throw wrong("a tag") }
        let inside = bytes[(position + 1)..<end]
        position = end + 1
        var name = inside.prefix { $0 != 0x20 }
        if inside.last == UInt8(ascii: "/"), name.last != UInt8(ascii: "/") { name.append(UInt8(ascii: "/")) }
        return String(decoding: name, as: UTF8.self)
    }

    /// Reads text, CDATA sections and comments up to the closing tag.
    private mutating func text(closing tag: String) throws(PropertyListError) -> String {
        var result = ""
        while true {
            let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            result += try unescape(utf8(position..<end))
            position = end
            if starts(with: "<![CDATA[") {
                let start = position + 9
                try skip(through: "]]>")
                guard start <= position - 3 else { throw wrong("]]>") }
                result += try utf8(start..<position - 3)
            } else if starts(with: "<!--") {
                try skip(through: "-->")
            } else {
                break
            }
        }
        guard try self.tag() == "/" + tag else { throw wrong("</\(tag)>") }
        return result
    }

    private func utf8(_ range: Range<Int>) throws(PropertyListError) -> String {
        guard let text = String(validating: bytes[range], as: UTF8.self) else { throw wrong("UTF-8") }
        return text
    }

    private func unescape(_ raw: String) throws(PropertyListError) -> String {
        guard raw.contains("&") else { return raw }
        let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        var parts = raw.split(separator: "&", omittingEmptySubsequences: false)
        var result = String(parts.removeFirst())
        for part in parts {
            guard let end = part.firstIndex(of: ";") else { throw wrong("an entity that ends with ;") }
            let name = part[..<end]
            if let text = named[String(name)] {
                result += text
            } else if let scalar = Self.scalar(name) {
                result.unicodeScalars.append(scalar)
            } else {
                throw wrong("an entity of XML, not &\(name);")
            }
            result += part[part.index(after: end)...]
        }
        return result
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return nil }
        let isHex = name.hasPrefix("#x")
        return UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
    }
}
