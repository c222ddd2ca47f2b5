/// Delivers a sequence of values over time, then at most one completion.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    /// Called by `subscribe(_:)` and by the operators. Use `sink` to receive values.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
    /// Same as `receive(subscriber:)`.
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }

    /// Forwards everything to `subject` until the returned value is cancelled or released.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
    where S.Output == Output, S.Failure == Failure {
        let sink = Subscribers.Sink<Output, Failure>(
            receiveCompletion: { subject.send(completion: $0) }, receiveValue: { subject.send($0) })
        receive(subscriber: sink)
        return AnyCancellable(sink)
    }

    /// Hides the type of the publisher.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A publisher that starts on request.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts publishing. Cancelling the returned value stops it.
    func connect() -> any Cancellable
}

/// Receives the values of a publisher.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error
    /// The first call. No value is delivered before ``Subscription/request(_:)``.
    func receive(subscription: any Subscription)
    /// - Returns: the additional demand.
    func receive(_ input: Input) -> Subscribers.Demand
    /// The last call.
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    /// Delivers a value of type `Void`.
    public func receive() -> Subscribers.Demand { receive(()) }
}

/// The connection between one publisher and one subscriber.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Adds to the number of values that may be delivered.
    func request(_ demand: Subscribers.Demand)
}

/// Distinguishes subscriptions and subscribers.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
    private let value: UInt64

    /// A random identifier of 64 bits.
    public init() { value = UInt64.random(in: 0...UInt64.max) }
    /// The identity of an object, which another object may reuse later.
    public init(_ object: AnyObject) { value = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }
    public var description: String { "0x" + String(value, radix: 16) }
}

/// Has an identifier for debugging. Classes use their identity.
public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}
extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// The object's identity.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// Namespace of the subscriber types.
public enum Subscribers {
    /// How a publisher ends.
    @frozen public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }

    /// How many values a subscriber requests.
    @frozen public struct Demand: Hashable, Comparable, Codable, CustomStringConvertible, Sendable {
        // The largest number represents unlimited demand.
        private let count: UInt
        private init(count: UInt) { self.count = count }

        /// No limit; stays unlimited in additions and subtractions.
        public static let unlimited = Demand(count: .max)
        /// No value.
        public static let none = Demand(count: 0)
        /// - Precondition: `value` is not negative.
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "a demand of \(value) values")
            return Demand(count: UInt(value))
        }

        /// The number, or nil if unlimited.
        public var max: Int? { count == .max ? nil : Int(count) }
        public var description: String { max.map { "max(\($0))" } ?? "unlimited" }

        public static func < (left: Demand, right: Demand) -> Bool { left.count < right.count }
        public static func > (left: Demand, right: Int) -> Bool { left > Demand.max(right) }
        public static func == (left: Demand, right: Int) -> Bool { left == Demand.max(right) }
        public static func + (left: Demand, right: Demand) -> Demand {
            let (sum, isOver) = left.count.addingReportingOverflow(right.count)
            return isOver ? .unlimited : Demand(count: sum)
        }
        public static func += (left: inout Demand, right: Demand) { left = left + right }
        public static func + (left: Demand, right: Int) -> Demand { left + .max(right) }
        public static func += (left: inout Demand, right: Int) { left = left + right }
        /// - Precondition: the result is not negative. Unlimited stays unlimited.
        public static func - (left: Demand, right: Int) -> Demand {
            left == .unlimited ? left : Demand(count: left.count - UInt(right))
        }
        public static func -= (left: inout Demand, right: Int) { left = left - right }
    }
}

extension Subscribers.Completion: Sendable where Failure: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion {
    func mapError<Other: Error>(_ transform: (Failure) -> Other) -> Subscribers.Completion<Other> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure(transform(error))
        }
    }
}

/// Namespace of the publisher types.
public enum Publishers {}

/// A publisher whose type is hidden.
@frozen public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let subscribeAny: (AnySubscriber<Output, Failure>) -> Void

    /// Wraps a publisher; an `AnyPublisher` is not wrapped again.
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        if let same = publisher as? AnyPublisher<Output, Failure> {
            self = same
        } else {
            subscribeAny = { publisher.receive(subscriber: $0) }
        }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscribeAny(AnySubscriber(subscriber))
    }
}

extension AnyPublisher: CustomStringConvertible {
    public var description: String { "AnyPublisher" }
}

/// A subscriber whose type is hidden.
@frozen public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    /// That of the wrapped subscriber, or a new one for closures.
    public let combineIdentifier: CombineIdentifier
    private let takeSubscription: (any Subscription) -> Void
    private let takeValue: (Input) -> Subscribers.Demand
    private let takeCompletion: (Subscribers.Completion<Failure>) -> Void

    /// Wraps a subscriber; an `AnySubscriber` is not wrapped again.
    public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        if let same = subscriber as? AnySubscriber<Input, Failure> {
            self = same
            return
        }
        combineIdentifier = subscriber.combineIdentifier
        takeSubscription = { subscriber.receive(subscription: $0) }
        takeValue = { subscriber.receive($0) }
        takeCompletion = { subscriber.receive(completion: $0) }
    }

    /// A subscriber made of closures. Without `receiveSubscription` it never requests values.
    public init(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveValue: ((Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        combineIdentifier = CombineIdentifier()
        takeSubscription = receiveSubscription ?? { _ in }
        takeValue = receiveValue ?? { _ in .none }
        takeCompletion = receiveCompletion ?? { _ in }
    }

    public func receive(subscription: any Subscription) { takeSubscription(subscription) }
    public func receive(_ value: Input) -> Subscribers.Demand { takeValue(value) }
    public func receive(completion: Subscribers.Completion<Failure>) { takeCompletion(completion) }
}
