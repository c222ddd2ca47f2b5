/// A class that announces each change of its `@Published` properties beforehand.
public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    /// Sends before the object changes. For the default publisher, `@Published` properties do this
    /// themselves.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// The same publisher during the whole life of the object.
    public var objectWillChange: ObservableObjectPublisher { ChangePublishers.shared.publisher(of: self) }
}

/// Publishes that an object is about to change, without a value.
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never
    private let subject = PassthroughSubject<Void, Never>()

    /// Usually created by the default `objectWillChange`.
    public init() {}

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        subject.receive(subscriber: subscriber)
    }

    /// Announces a change. Call it before a change that no `@Published` property announces.
    public func send() { subject.send() }
}

/// The default publishers of living objects. An extension cannot add a stored property to a class, so they
/// are kept here.
private final class ChangePublishers: Sendable {
    static let shared = ChangePublishers()

    private struct Entry {
        // The address may be reused by a new object; the weak reference detects that.
        weak var object: AnyObject?
        let publisher = ObservableObjectPublisher()
    }
    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Entries of released objects are removed when there are this many.
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
