/// A property of a class that publishes each new value through `$name` before the property changes. In an
/// ``ObservableObject``, `objectWillChange` sends first.
@propertyWrapper public struct Published<Value> {
    let box: PublishedBox<Value>

    /// For `@Published(initialValue:)`.
    public init(initialValue: Value) { box = PublishedBox(initialValue) }
    /// For `@Published var name = value`.
    public init(wrappedValue: Value) { box = PublishedBox(wrappedValue) }

    /// Never called: the compiler uses the static subscript in classes and refuses other types.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.set(newValue) }
    }

    /// The publisher behind `$name`. The setter exists for `assign(to:)` only and has no effect.
    public var projectedValue: Publisher {
        get { Publisher(box: box) }
        set { _ = newValue }
    }

    /// The property's value. Setting it announces and publishes the change.
    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].box.value }
        set {
            let box = object[keyPath: storageKeyPath].box
            box.belong(to: object)
            box.set(newValue)
        }
    }

    /// The property's publisher, `$name`.
    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        projected projectedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Publisher>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Publisher {
        get {
            let box = object[keyPath: storageKeyPath].box
            box.belong(to: object)
            return Publisher(box: box)
        }
        set { _ = newValue }
    }

    /// Sends the present value on subscription, then each new value before the property changes. Finishes
    /// when the property is released.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Value
        public typealias Failure = Never
        let box: PublishedBox<Value>

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            box.add(AnySubscriber(subscriber))
        }
    }
}

/// Holds the value and the subscribers of a published property.
final class PublishedBox<Value> {
    private struct State {
        var value: Value
        var outlets = Outlets<Value, Never>()
        var followed: [AnyCancellable] = []
        weak var owner: AnyObject?
    }
    private let state: Guarded<State>

    init(_ value: Value) { state = Guarded(State(value: value)) }

    deinit { for outlet in state.use({ $0.outlets.end(.finished) }) { outlet.send(completion: .finished) } }

    var value: Value { state.use { $0.value } }

    /// Sets the object to notify before a change.
    func belong(to object: AnyObject) { state.use { if $0.owner == nil { $0.owner = object } } }

    func set(_ value: Value) {
        let (owner, outlets) = state.use { ($0.owner, $0.outlets.all) }
        if let observable = owner as? any ObservableObject { tell(observable) }
        for outlet in outlets { outlet.send(value) }
        // The previous value is released outside of the lock: releasing it may read this property.
        _ = state.use { state in
            let former = state.value
            state.value = value
            return former
        }
    }

    func add(_ subscriber: AnySubscriber<Value, Never>) {
        let outlet = Outlet(subscriber, keeping: .latest)
        state.use { state in
            outlet.send(state.value)  // Buffered only: there is no demand yet.
            state.outlets.append(outlet)
        }
        outlet.open(onCancel: { [weak self, weak outlet] in
            if let self, let outlet { state.use { $0.outlets.remove(outlet) } }
        })
    }

    /// Assigns the values of `publisher` to the property until the property is released.
    func follow<P: Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
        let followed = publisher.sink { [weak self] value in self?.set(value) }
        state.use { $0.followed.append(followed) }
    }

    private func tell<Observable: ObservableObject>(_ object: Observable) {
        (object.objectWillChange as? ObservableObjectPublisher)?.send()
    }
}
