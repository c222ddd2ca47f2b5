internal import Contract
internal import Dispatch
internal import ExtensionLink
public import Foundation
internal import JSON
internal import ProgramLog

// Core Foundation's notification centers, as far as programs talk to their extensions with them: a name, told
// to every program. Apple's C types are Swift's own here, so that a text `as CFString` is the text.

public typealias CFString = String
public typealias CFDictionary = NSDictionary
public typealias CFIndex = Int
public typealias CFOptionFlags = UInt
public typealias CFAbsoluteTime = Double

/// Seconds since 2001-01-01 00:00 UTC.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// The name of a notification.
public struct CFNotificationName: RawRepresentable, Hashable, Sendable {
    public let rawValue: CFString
    public init(rawValue: CFString) { self.rawValue = rawValue }
    public init(_ rawValue: CFString) { self.rawValue = rawValue }
}

/// What becomes of notifications while a program is suspended; ours are never suspended.
public enum CFNotificationSuspensionBehavior: Int, Sendable {
    case drop = 1
    case coalesce = 2
    case hold = 3
    case deliverImmediately = 4
}

/// Called with the center, the observer, the name, and nothing else: neither object nor values travel.
public typealias CFNotificationCallback = (
    CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?, CFDictionary?
) -> Void

/// The way to tell every program a name.
public final class CFNotificationCenter: Sendable {
    fileprivate struct Observer {
        var pointer: UnsafeRawPointer?
        var name: String?
        var callback: CFNotificationCallback
    }
    fileprivate static let darwin = CFNotificationCenter()
    fileprivate let observers = Shared<[Observer]>([])
    private let isListening = Shared(false)

    /// Listens from the first observer on.
    fileprivate func listen() {
        let isFirst = isListening.use { isListening in
            defer { isListening = true }
            return !isListening
        }
        guard isFirst else { return }
        Link.shared.subscribe(types: [DarwinPosted.type]) { _, data in
            // An event of another version of the contract tells us nothing.
            guard let posted = try? DarwinPosted.decode(data.bytes) else { return }
            DispatchQueue.main.async { self.tell(posted.name) }
        }
    }

    private func tell(_ name: String) {
        for observer in observers.use({ $0 }) where observer.name == nil || observer.name == name {
            let pointer = observer.pointer.map { UnsafeMutableRawPointer(mutating: $0) }
            observer.callback(self, pointer, CFNotificationName(name), nil, nil)
        }
    }
}

/// The center of the names that every program hears; implicitly unwrapped as Apple's, and never nil.
public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! { .darwin }

/// Tells every program that has an observer for `name`, also this one: once for each post, in their order, on
/// the main queue. Returns when it is committed; what refuses it stands in the log.
/// - Parameters: `object`, `userInfo`, `deliverImmediately` mean nothing in this center, as with Apple's.
public func CFNotificationCenterPostNotification(
    _ center: CFNotificationCenter!, _ name: CFNotificationName!, _ object: UnsafeRawPointer!,
    _ userInfo: CFDictionary!, _ deliverImmediately: Bool
) {
    guard let name else { return }
    do { _ = try Link.shared.call(DarwinPost.self, DarwinPost.Params(name: name.rawValue)) } catch {
        ProgramLog.refuse(
            "the notification '\(name.rawValue)' was not posted: \(error.message).", remedy: error.remedy)
    }
}

public let kCFNotificationDeliverImmediately: CFOptionFlags = 1
public let kCFNotificationPostToAllSessions: CFOptionFlags = 2

/// As above; the options mean nothing in this center, as with Apple's.
public func CFNotificationCenterPostNotificationWithOptions(
    _ center: CFNotificationCenter!, _ name: CFNotificationName!, _ object: UnsafeRawPointer!,
    _ userInfo: CFDictionary!, _ options: CFOptionFlags
) {
    CFNotificationCenterPostNotification(center, name, object, userInfo, true)
}

/// - Parameters:
///   - observer: handed back to `callBack`, and names it for the removal.
///   - name: nil: every name.
public func CFNotificationCenterAddObserver(
    _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!,
    _ callBack: @escaping CFNotificationCallback, _ name: CFString!, _ object: UnsafeRawPointer!,
    _ suspensionBehavior: CFNotificationSuspensionBehavior
) {
    guard let center else { return }
    center.observers.use {
        $0.append(CFNotificationCenter.Observer(pointer: observer, name: name, callback: callBack))
    }
    center.listen()
}

/// - Parameter name: nil: all names of this observer.
public func CFNotificationCenterRemoveObserver(
    _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ name: CFNotificationName!,
    _ object: UnsafeRawPointer!
) {
    let name = name?.rawValue
    center?.observers.use {
        $0.removeAll { $0.pointer == observer && (name == nil || $0.name == name) }
    }
}

/// Takes back everything that this observer asked for. (`!` is Apple's; nothing is unwrapped.)
public func CFNotificationCenterRemoveEveryObserver(
    _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!
) {
    center?.observers.use { $0.removeAll { $0.pointer == observer } }
}
