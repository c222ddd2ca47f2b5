/// Reads fields as long as the document has them in the order of the record.
@usableFromInline
package struct InOrderFields: FieldVisitor {
    @usableFromInline
    package var reader: JSONReader
    /// How many members of the object were read; they are its first ones.
    @usableFromInline
    package var taken = 0
    @usableFromInline package var lacksField = false

    @inlinable
    package init(_ reader: JSONReader) { self.reader = reader }

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

    /// True when that was all: nothing lacks, and the object was left at its end.
    @inlinable
    package mutating func finish() -> Bool { !lacksField && reader.takeObjectEnd() }
}

/// Reads the fields that `InOrderFields` left, found by name wherever they are.
@usableFromInline
package struct IndexedFields: FieldVisitor {
    private var keys = KeySet()
    /// Where the value of each key begins.
    private var positions: [Int] = []
    private let taken: Int
    private let offset: Int
    /// Which keys a field asked for; only kept where unknown ones are refused.
    private var known: Set<Int>?
    /// Behind the object.
    @usableFromInline
    package let end: JSONReader
    /// Inside the object, to be set on a member's value.
    @usableFromInline package var reader: JSONReader

    /// Scans all members of the object at `start`. The first `taken` of them were read already.
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

    @inlinable
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T?, _ doc: StaticString
    ) throws(JSONError) {
        switch find(name) {
        case .unread:
            do { value = try reader.takeNull() ? nil : T.read(&reader) } catch { throw error.inside(name) }
        // InOrderFields made an absent one nil.
        case .read, .absent: break
        }
    }

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

    @usableFromInline
    package enum Member { case unread, read, absent }

    /// Looks for the field, and sets `reader` on its value when that is still to be read.
    @usableFromInline
    package mutating func find(_ name: StaticString) -> Member {
        guard let index = keys.keys.firstIndex(where: { $0.matches(name) }) else { return .absent }
        known?.insert(index)
        reader.position = positions[index]
        return index < taken ? .read : .unread
    }

    /// After all fields were read.
    /// - Throws: `unknownField` for the first member that none of them asked for, where that is refused.
    @usableFromInline
    package func finish() throws(JSONError) {
        guard let known, let index = positions.indices.first(where: { !known.contains($0) }) else { return }
        throw JSONError(
            .unknownField, at: positions[index], path: String(keys.keys[index].name.prefix(64)),
            "there is no such field")
    }

    @usableFromInline
    package func missing(_ name: StaticString) -> JSONError {
        JSONError(.missingField, at: offset, path: name.description, "the field is required")
    }
}
