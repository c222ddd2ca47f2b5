import Dispatch
public import Foundation

/// Where and when closures run.
public protocol Scheduler<SchedulerTimeType> {
    associatedtype SchedulerTimeType: Strideable
    where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
    associatedtype SchedulerOptions
    var now: SchedulerTimeType { get }
    var minimumTolerance: SchedulerTimeType.Stride { get }
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void)
    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable
}

extension Scheduler {
    public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }
    public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
        schedule(after: date, tolerance: minimumTolerance, options: nil, action)
    }
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
    }
}

public protocol SchedulerTimeIntervalConvertible {
    static func seconds(_ s: Int) -> Self
    static func seconds(_ s: Double) -> Self
    static func milliseconds(_ ms: Int) -> Self
    static func microseconds(_ us: Int) -> Self
    static func nanoseconds(_ ns: Int) -> Self
}

/// The distance of two instants of any of the schedulers here: whole nanoseconds, literals in seconds.
public struct SchedulerStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral, Codable, Hashable, Sendable
{
    /// Nanoseconds.
    public var magnitude: Int

    init(nanoseconds: Int) { magnitude = nanoseconds }
    /// - Parameter value: seconds.
    public init(integerLiteral value: Int) { self = .seconds(value) }
    /// - Parameter value: seconds.
    public init(floatLiteral value: Double) { self = .seconds(value) }
    /// - Parameter value: seconds.
    public init(_ value: Double) { self = .seconds(value) }
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
    }

    /// Seconds.
    public var timeInterval: TimeInterval { Double(magnitude) / 1e9 }

    public static func seconds(_ s: Int) -> Self { Self(nanoseconds: scaled(s, 1_000_000_000)) }
    public static func seconds(_ s: Double) -> Self {
        Self(nanoseconds: Int(exactly: (s * 1e9).rounded()) ?? (s > 0 ? .max : .min))
    }
    public static func milliseconds(_ ms: Int) -> Self { Self(nanoseconds: scaled(ms, 1_000_000)) }
    public static func microseconds(_ us: Int) -> Self { Self(nanoseconds: scaled(us, 1_000)) }
    public static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: ns) }

    /// At the ends of the range stays there.
    private static func scaled(_ value: Int, _ factor: Int) -> Int {
        let (product, isOver) = value.multipliedReportingOverflow(by: factor)
        return isOver ? (value > 0 ? .max : .min) : product
    }

    public static func < (left: Self, right: Self) -> Bool { left.magnitude < right.magnitude }
    public static func + (left: Self, right: Self) -> Self {
        Self(nanoseconds: left.magnitude + right.magnitude)
    }
    public static func - (left: Self, right: Self) -> Self {
        Self(nanoseconds: left.magnitude - right.magnitude)
    }
    public static func * (left: Self, right: Self) -> Self {
        Self(nanoseconds: left.magnitude * right.magnitude)
    }
    public static func += (left: inout Self, right: Self) { left = left + right }
    public static func -= (left: inout Self, right: Self) { left = left - right }
    public static func *= (left: inout Self, right: Self) { left = left * right }
}

extension DispatchQueue: Scheduler {
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        public typealias Stride = SchedulerStride
        public var dispatchTime: DispatchTime

        public init(_ time: DispatchTime) { dispatchTime = time }

        public func distance(to other: Self) -> Stride {
            let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            return Stride(nanoseconds: Int(to) - Int(from))
        }
        public func advanced(by stride: Stride) -> Self {
            Self(dispatchTime + .nanoseconds(stride.magnitude))
        }
        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
    }

    /// How a closure is queued.
    public struct SchedulerOptions {
        public var qos: DispatchQoS
        public var flags: DispatchWorkItemFlags
        public var group: DispatchGroup?

        public init(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
        ) {
            self.qos = qos
            self.flags = flags
            self.group = group
        }
    }

    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
    public var minimumTolerance: SchedulerStride { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Handover(action)
        async(group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
            action.value()
        }
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let action = Handover(action)
        asyncAfter(
            deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []
        ) { action.value() }
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerStride, tolerance: SchedulerStride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        Repeating(
            on: self, after: date.dispatchTime, every: interval.magnitude, leeway: tolerance.magnitude, action
        )
    }
}

/// Calls a closure again and again on a queue.
final class Repeating: Cancellable {
    private let source: any DispatchSourceTimer

    /// - Parameters: `interval` and `leeway` in nanoseconds.
    init(
        on queue: DispatchQueue, after deadline: DispatchTime, every interval: Int, leeway: Int,
        _ action: @escaping () -> Void
    ) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(
            deadline: deadline, repeating: .nanoseconds(interval), leeway: .nanoseconds(max(0, leeway)))
        let action = Handover(action)
        source.setEventHandler { action.value() }
        source.resume()
    }

    deinit { source.cancel() }

    func cancel() { source.cancel() }
}

extension RunLoop: Scheduler {
    public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
        public typealias Stride = SchedulerStride
        public var date: Date

        public init(_ date: Date) { self.date = date }
        public func distance(to other: Self) -> Stride { .seconds(other.date.timeIntervalSince(date)) }
        public func advanced(by stride: Stride) -> Self { Self(date.addingTimeInterval(stride.timeInterval)) }
    }

    /// There are none.
    public struct SchedulerOptions {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    public var minimumTolerance: SchedulerStride { 0 }

    // The main loop also serves the main queue, and a program whose main thread waits in dispatchMain serves
    // that queue alone: what is meant for the main loop goes through the queue and runs in both.

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        guard self !== RunLoop.main else { return DispatchQueue.main.schedule(action) }
        let action = Handover(action)
        perform { action.value() }
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        guard self !== RunLoop.main else {
            return DispatchQueue.main.schedule(after: .init(deadline(of: date)), action)
        }
        let action = Handover(action)
        add(Timer(fire: date.date, interval: 0, repeats: false) { _ in action.value() }, forMode: .default)
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerStride, tolerance: SchedulerStride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        guard self !== RunLoop.main else {
            return DispatchQueue.main.schedule(
                after: .init(deadline(of: date)), interval: interval, tolerance: tolerance, options: nil,
                action)
        }
        let action = Handover(action)
        let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in
            action.value()
        }
        add(timer, forMode: .default)
        return AnyCancellable { timer.invalidate() }
    }

    private func deadline(of time: SchedulerTimeType) -> DispatchTime {
        .now() + max(0, time.date.timeIntervalSinceNow)
    }
}

extension OperationQueue: Scheduler {
    public typealias SchedulerTimeType = RunLoop.SchedulerTimeType
    /// There are none.
    public struct SchedulerOptions {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    public var minimumTolerance: SchedulerStride { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Handover(action)
        addOperation { action.value() }
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        DispatchQueue.global().schedule(after: .init(.now() + max(0, date.date.timeIntervalSinceNow))) {
            [self] in schedule(options: options, action)
        }
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerStride, tolerance: SchedulerStride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        DispatchQueue.global().schedule(
            after: .init(.now() + max(0, date.date.timeIntervalSinceNow)), interval: interval,
            tolerance: tolerance, options: nil
        ) { [self] in schedule(options: options, action) }
    }
}

/// Runs closures at once, where they are scheduled.
public struct ImmediateScheduler: Scheduler, Sendable {
    public struct SchedulerTimeType: Strideable, Sendable {
        public typealias Stride = SchedulerStride
        public func distance(to other: Self) -> Stride { 0 }
        public func advanced(by stride: Stride) -> Self { self }
    }
    public typealias SchedulerOptions = Never
    public static let shared = ImmediateScheduler()

    public var now: SchedulerTimeType { SchedulerTimeType() }
    public var minimumTolerance: SchedulerStride { 0 }
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { action() }
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) { action() }
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerStride, tolerance: SchedulerStride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return AnyCancellable {}
    }
}
