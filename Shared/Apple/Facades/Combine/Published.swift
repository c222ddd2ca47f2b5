/// A property of a class that tells its subscribers, through `$name`, each value before the property has it;
/// in an ``ObservableObject``, `objectWillChange` sends first.
@propertyWrapper public struct Published<Value> {
    let box: PublishedBox<Value>

    public init(initialValue: Value) { box = PublishedBox(initialValue) }
    public init(wrappedValue: Value) { box = PublishedBox(wrappedValue) }

    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.set(newValue) }
    }

    /// The publisher behind `$name`. Assigning to it means nothing; see `assign(to:)`.
    public var projectedValue: Publisher {
        get { Publisher(box: box) }
        set { _ = newValue }
    }

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

    /// Sends the value at subscription, and each new one before the property has it; never ends while the
    /// property lives.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Value
        public typealias Failure = Never
        let box: PublishedBox<Value>

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            box.add(AnySubscriber(subscriber))
        }
    }
}

/// Where a published property keeps its value and its subscribers.
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

    /// Whom to tell before a change.
    func belong(to object: AnyObject) { state.use { if $0.owner == nil { $0.owner = object } } }

    func set(_ value: Value) {
        let (owner, outlets) = state.use { ($0.owner, $0.outlets.all) }
        if let observable = owner as? any ObservableObject { tell(observable) }
        for outlet in outlets { outlet.send(value) }
        // The former value is released outside of the lock: its end may read this property.
        _ = state.use { state in
            let former = state.value
            state.value = value
            return former
        }
    }

    func add(_ subscriber: AnySubscriber<Value, Never>) {
        let outlet = Outlet(subscriber, keeping: .latest)
        state.use { state in
            outlet.send(state.value)  // Only kept: nothing is asked for yet.
            state.outlets.append(outlet)
        }
        outlet.open(onCancel: { [weak self, weak outlet] in
            if let self, let outlet { state.use { $0.outlets.remove(outlet) } }
        })
    }

    /// Takes the values of `publisher` until this property ends.
    func follow<P: Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
        let followed = publisher.sink { [weak self] value in self?.set(value) }
        state.use { $0.followed.append(followed) }
    }

    private func tell<Observable: ObservableObject>(_ object: Observable) {
        (object.objectWillChange as? ObservableObjectPublisher)?.send()
    }
}
