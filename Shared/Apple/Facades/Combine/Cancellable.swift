/// An activity that can be cancelled.
public protocol Cancellable {
    /// After it returns, nothing more is delivered on this thread. A delivery in progress on another thread
    /// may finish.
    func cancel()
}

extension Cancellable {
    /// Adds the subscription to `set`, which keeps it active.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert((self as? AnyCancellable) ?? AnyCancellable(self))
    }

    /// Appends the subscription to `collection`, which keeps it active.
    public func store<C: RangeReplaceableCollection>(in collection: inout C)
    where C.Element == AnyCancellable {
        collection.append((self as? AnyCancellable) ?? AnyCancellable(self))
    }
}

/// Cancels once: on ``cancel()`` or when it is released.
public final class AnyCancellable: Cancellable, Hashable {
    private let action: Guarded<(() -> Void)?>

    /// - Parameter cancel: called at most once, outside of any lock.
    public init(_ cancel: @escaping () -> Void) { action = Guarded(cancel) }
    /// Hides the type of a cancellable.
    public init<C: Cancellable>(_ canceller: C) { action = Guarded { canceller.cancel() } }

    deinit { cancel() }

    public func cancel() { action.exchange(nil)?() }

    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
