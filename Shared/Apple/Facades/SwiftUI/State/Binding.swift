/// Reads and writes a value that is stored elsewhere.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value, Transaction) -> Void
    /// The transaction of changes. Kept; nothing is animated.
    public var transaction = Transaction()

    /// A binding made of two closures.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        read = get
        write = { value, _ in set(value) }
    }
    /// A binding made of two closures; the second receives the transaction of the change.
    public init(get: @escaping () -> Value, set: @escaping (Value, Transaction) -> Void) {
        read = get
        write = set
    }
    /// The same binding.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// The present value. Setting it calls the setter.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue, transaction) }
    }
    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// A binding that always reads `value` and ignores writes.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

    /// A binding to a property of the value.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            get: { wrappedValue[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 })
    }

    /// The binding with another transaction.
    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var binding = self
        binding.transaction = transaction
        return binding
    }
    /// The binding with an animation, which is ignored.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        transaction(Transaction(animation: animation))
    }
}

nonisolated extension Binding {
    /// A binding to the value as an optional. Writing nil has no effect.
    public init<V>(_ base: Binding<V>) where Value == V? {
        self.init(get: { base.wrappedValue }, set: { if let value = $0 { base.wrappedValue = value } })
    }
    /// A binding to the wrapped value, or nil if there is none now.
    public init?(_ base: Binding<Value?>) {
        guard let first = base.wrappedValue else { return nil }
        self.init(get: { base.wrappedValue ?? first }, set: { base.wrappedValue = $0 })
    }
    /// A binding to the value as `AnyHashable`. Writing another type has no effect.
    public init<V: Hashable>(_ base: Binding<V>) where Value == AnyHashable {
        self.init(
            get: { AnyHashable(base.wrappedValue) },
            set: { if let value = $0.base as? V { base.wrappedValue = value } })
    }
}

extension Binding: DynamicProperty {}

extension Binding: Identifiable where Value: Identifiable {
    /// The identity of the value.
    public var id: Value.ID { wrappedValue.id }
}

nonisolated extension Binding: Sequence where Value: MutableCollection {
    public typealias Element = Binding<Value.Element>
}
nonisolated extension Binding: Collection where Value: MutableCollection {
    /// The index of the collection.
    public typealias Index = Value.Index
    /// As in the collection.
    public var startIndex: Index { wrappedValue.startIndex }
    /// As in the collection.
    public var endIndex: Index { wrappedValue.endIndex }
    /// As in the collection.
    public func index(after index: Index) -> Index { wrappedValue.index(after: index) }
    /// A binding to one element.
    public subscript(position: Index) -> Binding<Value.Element> {
        Binding<Value.Element>(
            get: { wrappedValue[position] }, set: { wrappedValue[position] = $0 })
    }
}
nonisolated extension Binding: BidirectionalCollection
where Value: MutableCollection, Value: BidirectionalCollection {
    /// As in the collection.
    public func index(before index: Index) -> Index { wrappedValue.index(before: index) }
}
nonisolated extension Binding: RandomAccessCollection
where Value: MutableCollection, Value: RandomAccessCollection {}
