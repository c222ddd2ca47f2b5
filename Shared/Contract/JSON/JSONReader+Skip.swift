extension JSONReader {
    /// Consumes and fully validates the next value, whatever it is. Returns the range of its bytes.
    package mutating func skipValue() throws(JSONError) -> Range<Int> {
        let kind = try peek()
        let start = position
        switch kind {
        case .string: _ = try scanString()
        case .number: _ = try scanNumber()
        case .boolean: _ = try boolean()
        case .null: try word("null")
        case .array: try skipArray()
        case .object: try skipObject()
        }
        return start..<position
    }

    // Recursion is bounded: beginArray and beginObject refuse more than JSONLimits.depthMax.

    private mutating func skipArray() throws(JSONError) {
        try beginArray()
        var index = 0
        while try nextElement() {
            do { _ = try skipValue() } catch { throw error.inside(index) }
            index += 1
        }
    }

    private mutating func skipObject() throws(JSONError) {
        var keys = KeySet()
        try beginObject()
        while let text = try nextKeyText() {
            let key = Key(self, text)
            try keys.insert(key, at: text.range.lowerBound)
            do { _ = try skipValue() } catch { throw error.inside(key.name) }
        }
    }
}

/// A key of an object. Keys are compared by their bytes after decoding escapes, not by Unicode equivalence as
/// Swift compares strings. Borrows the document's bytes.
struct Key: Hashable {
    private let plain: UnsafeBufferPointer<UInt8>
    /// Set only for a key with escapes.
    private let unescaped: [UInt8]?

    init(_ reader: JSONReader, _ text: JSONText) {
        plain = UnsafeBufferPointer(rebasing: reader.bytes[text.range])
        unescaped = text.hasEscapes ? reader.unescaped(text.range) : nil
    }

    var name: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    static func == (left: Key, right: Key) -> Bool {
        left.withBytes { some in
            right.withBytes { other in some.count == other.count && some.elementsEqual(other) }
        }
    }

    func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    func matches(_ field: StaticString) -> Bool {
        withBytes { bytes in
            bytes.count == field.utf8CodeUnitCount && field.withUTF8Buffer { $0.elementsEqual(bytes) }
        }
    }

    @inline(__always)
    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard let unescaped else { return body(plain) }
        return unescaped.withUnsafeBufferPointer(body)
    }
}

/// The keys of one object, to refuse duplicates. A few are compared one by one. Many are hashed with Swift's
/// random seed, so that no document can make this slow.
struct KeySet {
    private static let comparedMax = 16
    /// In the order of the document.
    private(set) var keys: [Key] = []
    private var hashed: Set<Key> = []

    mutating func insert(_ key: Key, at offset: Int) throws(JSONError) {
        guard isNew(key) else {
            throw JSONError(.duplicateKey, at: offset, path: key.name, "the key is there twice")
        }
        if keys.isEmpty { keys.reserveCapacity(Self.comparedMax) }
        keys.append(key)
    }

    private mutating func isNew(_ key: Key) -> Bool {
        if keys.count < Self.comparedMax { return !keys.contains(key) }
        if hashed.isEmpty { hashed = Set(keys) }
        return hashed.insert(key).inserted
    }
}
