/// A class that tells before one of its `@Published` properties changes.
public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    /// Sends before the object changes. The default one is sent by `@Published` properties by itself.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// One and the same for the whole life of the object.
    public var objectWillChange: ObservableObjectPublisher { ChangePublishers.shared.publisher(of: self) }
}

/// Says that an object is about to change, not how.
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never
    private let subject = PassthroughSubject<Void, Never>()

    public init() {}

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        subject.receive(subscriber: subscriber)
    }

    public func send() { subject.send() }
}

/// The default publishers of living objects: a class cannot be given a stored property from outside.
private final class ChangePublishers: Sendable {
    static let shared = ChangePublishers()

    private struct Entry {
        // An address may belong to a new object later; the weak reference tells.
        weak var object: AnyObject?
        let publisher = ObservableObjectPublisher()
    }
    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Entries of ended objects go when there are so many.
        var countBeforeCleaning = 64
    }
    private let state = Guarded(State())

    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        state.use { state in
            let key = ObjectIdentifier(object)
            if let entry = state.entries[key], entry.object === object { return entry.publisher }
            if state.entries.count >= state.countBeforeCleaning {
                state.entries = state.entries.filter { $0.value.object != nil }
                state.countBeforeCleaning = max(64, state.entries.count * 2)
            }
            let entry = Entry(object: object)
            state.entries[key] = entry
            return entry.publisher
        }
    }
}
