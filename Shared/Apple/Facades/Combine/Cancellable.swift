/// Something that can be ended early.
public protocol Cancellable {
    /// After it returned, nothing more comes on this thread; what another thread just delivers may finish.
    func cancel()
}

extension Cancellable {
    /// Keeps it alive as long as `set` keeps it.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert((self as? AnyCancellable) ?? AnyCancellable(self))
    }

    /// Keeps it alive as long as `collection` keeps it.
    public func store<C: RangeReplaceableCollection>(in collection: inout C)
    where C.Element == AnyCancellable {
        collection.append((self as? AnyCancellable) ?? AnyCancellable(self))
    }
}

/// Ends what it stands for when it is cancelled or released, once.
public final class AnyCancellable: Cancellable, Hashable {
    private let action: Guarded<(() -> Void)?>

    public init(_ cancel: @escaping () -> Void) { action = Guarded(cancel) }
    public init<C: Cancellable>(_ canceller: C) { action = Guarded { canceller.cancel() } }

    deinit { cancel() }

    public func cancel() { action.exchange(nil)?() }

    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
