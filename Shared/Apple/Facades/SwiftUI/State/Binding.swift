/// Reads and writes a value that somebody else owns.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value, Transaction) -> Void
    /// How changes through this binding are to be animated. Kept; nothing moves here.
    public var transaction = Transaction()

    /// A binding out of two closures.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        read = get
        write = { value, _ in set(value) }
    }
    /// A binding out of two closures, the second of which is told the transaction of the change.
    public init(get: @escaping () -> Value, set: @escaping (Value, Transaction) -> Void) {
        read = get
        write = set
    }
    /// The same binding.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// The value now.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue, transaction) }
    }
    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// A binding that always reads `value` and forgets what is written.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

    /// A binding to a part of the value.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            get: { wrappedValue[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 })
    }

    /// The same binding with another transaction.
    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var binding = self
        binding.transaction = transaction
        return binding
    }
    /// The same binding whose changes are to be animated.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        transaction(Transaction(animation: animation))
    }
}

nonisolated extension Binding {
    /// A binding to the same value as an optional one. Writing nil changes nothing.
    public init<V>(_ base: Binding<V>) where Value == V? {
        self.init(get: { base.wrappedValue }, set: { if let value = $0 { base.wrappedValue = value } })
    }
    /// A binding to what is in an optional value; nil when there is nothing in it now.
    public init?(_ base: Binding<Value?>) {
        guard let first = base.wrappedValue else { return nil }
        self.init(get: { base.wrappedValue ?? first }, set: { base.wrappedValue = $0 })
    }
    /// A binding to the same value as an `AnyHashable`.
    public init<V: Hashable>(_ base: Binding<V>) where Value == AnyHashable {
        self.init(
            get: { AnyHashable(base.wrappedValue) },
            set: { if let value = $0.base as? V { base.wrappedValue = value } })
    }
}

extension Binding: DynamicProperty {}

extension Binding: Identifiable where Value: Identifiable {
    public var id: Value.ID { wrappedValue.id }
}

nonisolated extension Binding: Sequence where Value: MutableCollection {
    public typealias Element = Binding<Value.Element>
}
nonisolated extension Binding: Collection where Value: MutableCollection {
    public typealias Index = Value.Index
    public var startIndex: Index { wrappedValue.startIndex }
    public var endIndex: Index { wrappedValue.endIndex }
    public func index(after index: Index) -> Index { wrappedValue.index(after: index) }
    /// A binding to one element.
    public subscript(position: Index) -> Binding<Value.Element> {
        Binding<Value.Element>(
            get: { wrappedValue[position] }, set: { wrappedValue[position] = $0 })
    }
}
nonisolated extension Binding: BidirectionalCollection
where Value: MutableCollection, Value: BidirectionalCollection {
    public func index(before index: Index) -> Index { wrappedValue.index(before: index) }
}
nonisolated extension Binding: RandomAccessCollection
where Value: MutableCollection, Value: RandomAccessCollection {}
