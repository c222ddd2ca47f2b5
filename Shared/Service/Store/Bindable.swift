package import Units

/// A value for a placeholder. Nil binds NULL.
package protocol Bindable {
    func bind(to statement: Statement, at index: Int) throws(StoreError)
}

extension Int64: Bindable {
    package func bind(to statement: Statement, at index: Int) throws(StoreError) {
        try statement.bind(index, self)
    }
}
extension Milliseconds: Bindable {
    package func bind(to statement: Statement, at index: Int) throws(StoreError) {
        try statement.bind(index, count)
    }
}
/// As milliseconds since 1970.
extension Instant: Bindable {
    package func bind(to statement: Statement, at index: Int) throws(StoreError) {
        try statement.bind(index, milliseconds)
    }
}
extension Int: Bindable {
    package func bind(to statement: Statement, at index: Int) throws(StoreError) {
        try statement.bind(index, Int64(self))
    }
}
/// Stored as 0 or 1.
extension Bool: Bindable {
    package func bind(to statement: Statement, at index: Int) throws(StoreError) {
        try statement.bind(index, Int64(self ? 1 : 0))
    }
}
extension Double: Bindable {
    package func bind(to statement: Statement, at index: Int) throws(StoreError) {
        try statement.bind(index, self)
    }
}
extension String: Bindable {
    package func bind(to statement: Statement, at index: Int) throws(StoreError) {
        try statement.bind(index, self)
    }
}
extension [UInt8]: Bindable {
    package func bind(to statement: Statement, at index: Int) throws(StoreError) {
        try statement.bind(index, self)
    }
}

extension Statement {
    /// Binds all placeholders, starting with 1, and runs to the end, discarding rows.
    package func run(_ values: (any Bindable)?...) throws(StoreError) {
        try bind(all: values)
        try run()
    }

    /// Binds all placeholders, starting with 1.
    package func bind(all values: [(any Bindable)?]) throws(StoreError) {
        for (offset, value) in values.enumerated() {
            if let value { try value.bind(to: self, at: offset + 1) } else { try bindNull(offset + 1) }
        }
    }
}
