/// Decodes fields as long as the document has them in the record's order.
@usableFromInline
package struct InOrderFields: FieldVisitor {
    /// A reader in front of the first member that is not decoded.
    @usableFromInline
    package var reader: JSONReader
    /// Number of members of the object that were decoded; they are its first ones.
    @usableFromInline
    package var taken = 0
    /// True when a required field was not the next member.
    @usableFromInline package var lacksField = false

    /// Decodes from inside an object whose opening brace `reader` has consumed.
    @inlinable
    package init(_ reader: JSONReader) { self.reader = reader }

    /// Decodes a required field if it is next.
    @inlinable
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T, _ doc: StaticString
    ) throws(JSONError) {
        guard reader.takeKey(name) else {
            lacksField = true
            return
        }
        taken += 1
        do { value = try T.read(&reader) } catch { throw error.inside(name) }
    }

    /// Decodes an optional field if it is next; otherwise it is nil.
    @inlinable
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T?, _ doc: StaticString
    ) throws(JSONError) {
        guard reader.takeKey(name) else {
            value = nil
            return
        }
        taken += 1
        do { value = try reader.takeNull() ? nil : T.read(&reader) } catch { throw error.inside(name) }
    }

    /// Decodes a required integer within `range` if it is next.
    @inlinable
    package mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T, in range: ClosedRange<Int64>, _ doc: StaticString
    ) throws(JSONError) {
        guard reader.takeKey(name) else {
            lacksField = true
            return
        }
        taken += 1
        do { value = T(integer: try reader.integer(in: range)) } catch { throw error.inside(name) }
    }

    /// Decodes an optional integer within `range` if it is next; otherwise it is nil.
    @inlinable
    package mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T?, in range: ClosedRange<Int64>, _ doc: StaticString
    ) throws(JSONError) {
        guard reader.takeKey(name) else {
            value = nil
            return
        }
        taken += 1
        do { value = try reader.takeNull() ? nil : T(integer: reader.integer(in: range)) } catch {
            throw error.inside(name)
        }
    }

    /// Leaves the object and returns true if no field is missing and no member is left.
    @inlinable
    package mutating func finish() -> Bool { !lacksField && reader.takeObjectEnd() }
}

/// Decodes the fields that `InOrderFields` did not, found by name in any position.
@usableFromInline
package struct IndexedFields: FieldVisitor {
    private var keys = KeySet()
    /// Position of each key's value.
    private var positions: [Int] = []
    private let taken: Int
    private let offset: Int
    /// Indices of the keys that are fields; nil where unknown members are ignored.
    private var known: Set<Int>?
    /// A reader behind the object.
    @usableFromInline
    package let end: JSONReader
    /// A reader inside the object, to be positioned at a member's value.
    @usableFromInline package var reader: JSONReader

    /// Scans all members of the object at `start`. The first `taken` of them are decoded already.
    @usableFromInline
    package init(_ start: JSONReader, taken: Int) throws(JSONError) {
        var scan = start
        try scan.beginObject()
        offset = scan.position - 1
        var inside = scan
        inside.atStart = false
        while let text = try scan.nextKeyText() {
            let key = Key(scan, text)
            try keys.insert(key, at: text.range.lowerBound)
            positions.append(scan.position)
            do { _ = try scan.skipValue() } catch { throw error.inside(key.name) }
        }
        self.taken = taken
        if start.refusesUnknownFields { known = [] }
        reader = inside
        end = scan
    }

    /// Decodes a required field that is not decoded yet; absent, it is an error.
    @inlinable
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T, _ doc: StaticString
    ) throws(JSONError) {
        switch find(name) {
        case .unread: do { value = try T.read(&reader) } catch { throw error.inside(name) }
        case .read: break
        case .absent: throw missing(name)
        }
    }

    /// Decodes an optional field that is not decoded yet.
    @inlinable
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T?, _ doc: StaticString
    ) throws(JSONError) {
        switch find(name) {
        case .unread:
            do { value = try reader.takeNull() ? nil : T.read(&reader) } catch { throw error.inside(name) }
        // InOrderFields has set an absent one to nil.
        case .read, .absent: break
        }
    }

    /// Decodes a required integer within `range` that is not decoded yet; absent, it is an error.
    @inlinable
    package mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T, in range: ClosedRange<Int64>, _ doc: StaticString
    ) throws(JSONError) {
        switch find(name) {
        case .unread:
            do { value = T(integer: try reader.integer(in: range)) } catch { throw error.inside(name) }
        case .read: break
        case .absent: throw missing(name)
        }
    }

    /// Decodes an optional integer within `range` that is not decoded yet.
    @inlinable
    package mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T?, in range: ClosedRange<Int64>, _ doc: StaticString
    ) throws(JSONError) {
        switch find(name) {
        case .unread:
            do { value = try reader.takeNull() ? nil : T(integer: reader.integer(in: range)) } catch {
                throw error.inside(name)
            }
        case .read, .absent: break
        }
    }

    /// Whether the object has a member for a field, and whether it is decoded.
    @usableFromInline
    package enum Member { case unread, read, absent }

    /// Finds the field, and positions `reader` at its value if that is not decoded yet.
    @usableFromInline
    package mutating func find(_ name: StaticString) -> Member {
        guard let index = keys.keys.firstIndex(where: { $0.matches(name) }) else { return .absent }
        known?.insert(index)
        reader.position = positions[index]
        return index < taken ? .read : .unread
    }

    /// Call it after all fields were visited.
    /// - Throws: `unknownField` for the first member that is no field, where unknown members are refused.
    @usableFromInline
    package func finish() throws(JSONError) {
        guard let known, let index = positions.indices.first(where: { !known.contains($0) }) else { return }
        throw JSONError(
            .unknownField, at: positions[index], path: String(keys.keys[index].name.prefix(64)),
            "there is no such field")
    }

    /// The error for a required field that is absent.
    @usableFromInline
    package func missing(_ name: StaticString) -> JSONError {
        JSONError(.missingField, at: offset, path: name.description, "the field is required")
    }
}
