/// Delivers a sequence of values over time, and at most one end, to its subscribers.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    /// Called by `subscribe(_:)` and by the operators; programs that only listen use `sink`.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }

    /// Passes everything on to `subject`, until the returned value is cancelled or released.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
    where S.Output == Output, S.Failure == Failure {
        let sink = Subscribers.Sink<Output, Failure>(
            receiveCompletion: { subject.send(completion: $0) }, receiveValue: { subject.send($0) })
        receive(subscriber: sink)
        return AnyCancellable(sink)
    }

    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A publisher that begins only when it is told to.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Begins; ends when the returned value is cancelled.
    func connect() -> any Cancellable
}

/// Takes the values of a publisher.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error
    /// The first call; nothing comes before ``Subscription/request(_:)``.
    func receive(subscription: any Subscription)
    /// - Returns: how many values more are wanted, on top of those already asked for.
    func receive(_ input: Input) -> Subscribers.Demand
    /// The last call.
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    public func receive() -> Subscribers.Demand { receive(()) }
}

/// The link between one publisher and one subscriber.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Asks for so many values more.
    func request(_ demand: Subscribers.Demand)
}

/// Tells two subscriptions or subscribers apart.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
    private let value: UInt64

    /// A new one, unlike all before it.
    public init() { value = UInt64.random(in: 0...UInt64.max) }
    public init(_ object: AnyObject) { value = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }
    public var description: String { "0x" + String(value, radix: 16) }
}

public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}
extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// The types that take values.
public enum Subscribers {
    /// How a publisher ends.
    @frozen public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }

    /// How many values are asked for.
    @frozen public struct Demand: Hashable, Comparable, Codable, CustomStringConvertible, Sendable {
        // The largest number stands for "without end".
        private let count: UInt
        private init(count: UInt) { self.count = count }

        public static let unlimited = Demand(count: .max)
        public static let none = Demand(count: 0)
        /// - Precondition: `value` is not negative.
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "a demand of \(value) values")
            return Demand(count: UInt(value))
        }

        /// The number; nil: without end.
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
        /// - Precondition: the result is not negative; without end stays without end.
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

/// The types of the operators.
public enum Publishers {}

/// A publisher whose own type is hidden.
@frozen public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let subscribeAny: (AnySubscriber<Output, Failure>) -> Void

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

/// A subscriber whose own type is hidden.
@frozen public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    public let combineIdentifier: CombineIdentifier
    private let takeSubscription: (any Subscription) -> Void
    private let takeValue: (Input) -> Subscribers.Demand
    private let takeCompletion: (Subscribers.Completion<Failure>) -> Void

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
