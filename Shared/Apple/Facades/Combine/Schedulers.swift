import Dispatch
public import Foundation

/// Defines when and where closures run.
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
    /// As soon as possible, with default options.
    public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }
    /// At the date, with the scheduler's minimum tolerance.
    public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
        schedule(after: date, tolerance: minimumTolerance, options: nil, action)
    }
    /// Repeatedly from the date on. Cancelling the returned value stops it.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
    }
}

/// A time span that can be created from common units.
public protocol SchedulerTimeIntervalConvertible {
    static func seconds(_ s: Int) -> Self
    static func seconds(_ s: Double) -> Self
    static func milliseconds(_ ms: Int) -> Self
    static func microseconds(_ us: Int) -> Self
    static func nanoseconds(_ ns: Int) -> Self
}

/// The distance between two instants of any scheduler in this module, in whole nanoseconds. Literals are
/// seconds.
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
    /// - Parameter source: nanoseconds. Nil if it does not fit.
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
    }

    /// In seconds.
    public var timeInterval: TimeInterval { Double(magnitude) / 1e9 }

    /// Clamped to the range of nanoseconds, about ±292 years.
    public static func seconds(_ s: Int) -> Self { Self(nanoseconds: scaled(s, 1_000_000_000)) }
    /// Rounded to nanoseconds and clamped to their range.
    public static func seconds(_ s: Double) -> Self {
        Self(nanoseconds: Int(exactly: (s * 1e9).rounded()) ?? (s > 0 ? .max : .min))
    }
    /// Clamped to the range of nanoseconds.
    public static func milliseconds(_ ms: Int) -> Self { Self(nanoseconds: scaled(ms, 1_000_000)) }
    /// Clamped to the range of nanoseconds.
    public static func microseconds(_ us: Int) -> Self { Self(nanoseconds: scaled(us, 1_000)) }
    /// Exact.
    public static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: ns) }

    /// Clamps to the range on overflow.
    private static func scaled(_ value: Int, _ factor: Int) -> Int {
        let (product, isOver) = value.multipliedReportingOverflow(by: factor)
        return isOver ? (value > 0 ? .max : .min) : product
    }

    public static func < (left: Self, right: Self) -> Bool { left.magnitude < right.magnitude }
    /// Traps on overflow.
    public static func + (left: Self, right: Self) -> Self {
        Self(nanoseconds: left.magnitude + right.magnitude)
    }
    /// Traps on overflow.
    public static func - (left: Self, right: Self) -> Self {
        Self(nanoseconds: left.magnitude - right.magnitude)
    }
    /// Multiplies nanoseconds, as `SignedNumeric` requires; not meaningful for time spans.
    public static func * (left: Self, right: Self) -> Self {
        Self(nanoseconds: left.magnitude * right.magnitude)
    }
    public static func += (left: inout Self, right: Self) { left = left + right }
    public static func -= (left: inout Self, right: Self) { left = left - right }
    public static func *= (left: inout Self, right: Self) { left = left * right }
}

extension DispatchQueue: Scheduler {
    /// An instant of the monotonic clock, which stops while the machine sleeps.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        public typealias Stride = SchedulerStride
        /// The instant as Dispatch measures it.
        public var dispatchTime: DispatchTime

        /// Wraps an instant of Dispatch.
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
        /// Priority of the closure.
        public var qos: DispatchQoS
        /// Passed to the work item.
        public var flags: DispatchWorkItemFlags
        /// Entered until the closure has run. Ignored for delayed and repeated closures.
        public var group: DispatchGroup?

        /// Without a group and with the queue's own priority.
        public init(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
        ) {
            self.qos = qos
            self.flags = flags
            self.group = group
        }
    }

    /// The time of the monotonic clock.
    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
    /// Zero.
    public var minimumTolerance: SchedulerStride { 0 }

    /// Queues the closure asynchronously.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Handover(action)
        async(group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
            action.value()
        }
    }

    /// Tolerance is ignored: Dispatch has none for a single delayed closure.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let action = Handover(action)
        asyncAfter(
            deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []
        ) { action.value() }
    }

    /// Runs until the returned value is cancelled or released. Tolerance becomes the timer's leeway; options
    /// are ignored.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerStride, tolerance: SchedulerStride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        Repeating(
            on: self, after: date.dispatchTime, every: interval.magnitude, leeway: tolerance.magnitude, action
        )
    }
}

/// Calls a closure repeatedly on a queue.
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
    /// An instant of the system clock, which can be adjusted.
    public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
        public typealias Stride = SchedulerStride
        /// The instant as a date.
        public var date: Date

        /// Wraps a date.
        public init(_ date: Date) { self.date = date }
        public func distance(to other: Self) -> Stride { .seconds(other.date.timeIntervalSince(date)) }
        public func advanced(by stride: Stride) -> Self { Self(date.addingTimeInterval(stride.timeInterval)) }
    }

    /// Has no options.
    public struct SchedulerOptions {}

    /// The time of the system clock.
    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    /// Zero.
    public var minimumTolerance: SchedulerStride { 0 }

    // The main run loop also serves the main queue, but a program whose main thread waits in dispatchMain
    // serves only that queue. Closures for the main run loop are therefore sent to the main queue, which runs
    // in both cases.

    /// Runs the closure in the default mode of the run loop.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        guard self !== RunLoop.main else { return DispatchQueue.main.schedule(action) }
        let action = Handover(action)
        perform { action.value() }
    }

    /// Starts a timer in the default mode. Tolerance is ignored.
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

    /// Starts a repeating timer in the default mode. Tolerance is ignored except on the main run loop.
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
    /// Instants of the system clock, as of run loops.
    public typealias SchedulerTimeType = RunLoop.SchedulerTimeType
    /// Has no options.
    public struct SchedulerOptions {}

    /// The time of the system clock.
    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    /// Zero.
    public var minimumTolerance: SchedulerStride { 0 }

    /// Adds an operation.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Handover(action)
        addOperation { action.value() }
    }

    /// Adds an operation at the date. Tolerance is ignored.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        DispatchQueue.global().schedule(after: .init(.now() + max(0, date.date.timeIntervalSinceNow))) {
            [self] in schedule(options: options, action)
        }
    }

    /// Adds an operation repeatedly; they queue up if the queue is busy. Tolerance is ignored.
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

/// Runs closures immediately, on the calling thread.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// The only instant of this scheduler.
    public struct SchedulerTimeType: Strideable, Sendable {
        public typealias Stride = SchedulerStride
        public func distance(to other: Self) -> Stride { 0 }
        public func advanced(by stride: Stride) -> Self { self }
    }
    /// It has no options.
    public typealias SchedulerOptions = Never
    /// A shared value; all are equivalent.
    public static let shared = ImmediateScheduler()

    /// Always the same instant.
    public var now: SchedulerTimeType { SchedulerTimeType() }
    /// Zero.
    public var minimumTolerance: SchedulerStride { 0 }
    /// Runs the closure before it returns.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { action() }
    /// Runs the closure before it returns, whatever the date.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) { action() }
    /// Runs the closure once, before it returns.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerStride, tolerance: SchedulerStride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return AnyCancellable {}
    }
}
