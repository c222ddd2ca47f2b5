/// A parsed page: its elements and texts in the order in which they begin and end.
struct Markup: Equatable {
    struct Attribute: Equatable {
        var name: String
        var value: String
    }

    enum Part: Equatable {
        case begin(String, [Attribute])
        case text(String)
        case end(String)
    }

    /// Begins and ends match, and there is one root element.
    private(set) var parts: [Part] = []

    enum Limits {
        /// Depth of nested elements. SwiftUI's own limit is 600 views.
        static let depthMax = 1_024
        /// Elements and texts in one page.
        static let partsMax = 500_000
        /// Attributes of one element.
        static let attributesMax = 64
        /// Bytes of the name of an element or attribute.
        static let nameBytesMax = 64
    }

    /// Why a page is refused, and where.
    struct Refusal: Error, Equatable {
        var reason: String
        /// Byte offset in the page at which it was detected.
        var offset: Int
    }

    /// Void elements, which have no end tag.
    static let void: Set<String> = ["br", "hr", "img", "input", "meta", "source"]
}

extension Markup {
    /// Parses the well-formed subset of HTML that SwiftUI's views are rendered to: every element ended, every
    /// attribute quoted, five named entities. Comments, CDATA sections, processing instructions and document
    /// types other than `html` are refused, since browsers and other parsers treat them differently.
    /// - Parameter isDrawing: whether it is an SVG file, which may have an XML declaration and comments;
    ///   those are skipped.
    init(parsing page: String, isDrawing: Bool = false) throws(Refusal) {
        var reader = MarkupReader(Array(page.utf8), isDrawing: isDrawing)
        parts = try reader.read()
    }
}

private struct MarkupReader {
    private let bytes: [UInt8]
    private let isDrawing: Bool
    private var at = 0
    private var parts: [Markup.Part] = []
    private var open: [String] = []

    init(_ bytes: [UInt8], isDrawing: Bool) {
        self.bytes = bytes
        self.isDrawing = isDrawing
    }

    private func refusal(_ reason: String) -> Markup.Refusal { Markup.Refusal(reason: reason, offset: at) }

    mutating func read() throws(Markup.Refusal) -> [Markup.Part] {
        skipSpace()
        if isDrawing {
            try skip(from: "<?xml ", to: "?>")
        } else if skip("<!DOCTYPE html>") || skip("<!doctype html>") {
            skipSpace()
        }
        repeat {
            if isDrawing { try skipComments() }
            try part()
            guard parts.count <= Markup.Limits.partsMax else {
                throw refusal("it has more than \(Markup.Limits.partsMax) elements and texts")
            }
        } while !open.isEmpty
        if isDrawing { try skipComments() }
        skipSpace()
        guard at == bytes.count else { throw refusal("something follows its end") }
        return parts
    }

    private mutating func part() throws(Markup.Refusal) {
        guard at < bytes.count else {
            throw refusal(open.last.map { "the element \($0) is not ended" } ?? "it is empty")
        }
        guard bytes[at] == UInt8(ascii: "<") else {
            guard !open.isEmpty else { throw refusal("there is text outside of all elements") }
            parts.append(.text(try text(until: UInt8(ascii: "<"))))
            return
        }
        at += 1
        if skip("/") { return try end() }
        try begin()
    }

    private mutating func end() throws(Markup.Refusal) {
        let name = try self.name()
        skipSpace()
        guard skip(">") else { throw refusal("the end of \(name) is not closed by '>'") }
        guard open.last == name else { throw refusal("\(name) is ended where it is not open") }
        open.removeLast()
        parts.append(.end(name))
    }

    private mutating func begin() throws(Markup.Refusal) {
        let name = try self.name()
        var attributes: [Markup.Attribute] = []
        while true {
            let hasSpace = skipSpace()
            if skip("/>") {
                parts += [.begin(name, attributes), .end(name)]
                return
            }
            if skip(">") { break }
            guard hasSpace else { throw refusal("there is no space before an attribute of \(name)") }
            let attribute = try self.attribute()
            guard !attributes.contains(where: { $0.name == attribute.name }) else {
                throw refusal("\(name) has the attribute \(attribute.name) twice")
            }
            attributes.append(attribute)
            guard attributes.count <= Markup.Limits.attributesMax else {
                throw refusal("\(name) has more than \(Markup.Limits.attributesMax) attributes")
            }
        }
        guard !Markup.void.contains(name) else { throw refusal("\(name) is not ended by '/>'") }
        open.append(name)
        guard open.count <= Markup.Limits.depthMax else {
            throw refusal("elements are more than \(Markup.Limits.depthMax) deep in each other")
        }
        parts.append(.begin(name, attributes))
        if name == "style" { try styleSheet() }
    }

    private mutating func attribute() throws(Markup.Refusal) -> Markup.Attribute {
        let name = try self.name()
        skipSpace()
        guard skip("=") else { throw refusal("the attribute \(name) has no value") }
        skipSpace()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
            throw refusal("the value of \(name) is not quoted")
        }
        let quote = bytes[at]
        at += 1
        let value = try text(until: quote)
        guard at < bytes.count else { throw refusal("the value of \(name) does not end") }
        at += 1
        return Markup.Attribute(name: name, value: value)
    }

    /// HTML parses a style sheet without entities, so it must not contain anything that needs one.
    private mutating func styleSheet() throws(Markup.Refusal) {
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "<") {
            guard bytes[at] != UInt8(ascii: "&") else { throw refusal("there is '&' in a style sheet") }
            at += 1
        }
        if at > start { parts.append(.text(String(decoding: bytes[start..<at], as: UTF8.self))) }
    }

    /// Letters, digits, `-` and `:`, case-sensitive.
    private mutating func name() throws(Markup.Refusal) -> String {
        let start = at
        while at < bytes.count, isNamePart(bytes[at], isFirst: at == start) { at += 1 }
        guard at > start else { throw refusal("there is '<' or an attribute without a name") }
        guard at - start <= Markup.Limits.nameBytesMax else { throw refusal("a name is too long") }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private func isNamePart(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ":"): !isFirst
        default: false
        }
    }

    /// Reads up to `end`, which is not consumed. Entities are replaced by their characters.
    private mutating func text(until end: UInt8) throws(Markup.Refusal) -> String {
        var text: [UInt8] = []
        while at < bytes.count, bytes[at] != end {
            switch bytes[at] {
            case 0: throw refusal("there is a zero byte")
            case UInt8(ascii: "<"): throw refusal("there is '<' in the value of an attribute")
            case UInt8(ascii: "&"): text += try entity()
            default:
                text.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let entities: KeyValuePairs = [
        "&amp;": UInt8(ascii: "&"), "&lt;": UInt8(ascii: "<"), "&gt;": UInt8(ascii: ">"),
        "&quot;": UInt8(ascii: "\""), "&apos;": UInt8(ascii: "'"),
    ]

    private mutating func entity() throws(Markup.Refusal) -> [UInt8] {
        for (entity, meaning) in Self.entities where skip(entity) { return [meaning] }
        let isHexadecimal = skip("&#x")
        guard isHexadecimal || skip("&#") else { throw refusal("'&' begins no entity that may be used") }
        let digits = bytes[at...].prefix(8).prefix { $0 != UInt8(ascii: ";") }
        let text = String(decoding: digits, as: UTF8.self)
        at += digits.count
        guard skip(";"), digits.first != UInt8(ascii: "+"),
            let number = UInt32(text, radix: isHexadecimal ? 16 : 10),
            number != 0, let scalar = Unicode.Scalar(number)
        else { throw refusal("an entity is no character") }
        return Array(String(Character(scalar)).utf8)
    }

    @discardableResult private mutating func skipSpace() -> Bool {
        let start = at
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
        return at > start
    }


    private mutating func skipComments() throws(Markup.Refusal) {
        repeat {
            if open.isEmpty { skipSpace() }
        } while try skip(from: "<!--", to: "-->")
    }

    /// If `begin` is next, skips it and everything through the next `end`. Returns whether it did.
    @discardableResult private mutating func skip(
        from begin: String, to end: String
    ) throws(Markup.Refusal) -> Bool {
        guard skip(begin) else { return false }
        while !skip(end) {
            guard at < bytes.count else { throw refusal("'\(begin)' has no '\(end)'") }
            at += 1
        }
        return true
    }

    private mutating func skip(_ text: String) -> Bool {
        guard bytes[at...].starts(with: text.utf8) else { return false }
        at += text.utf8.count
        return true
    }
}
