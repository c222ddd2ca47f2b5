internal import Contract
internal import Dispatch
internal import ExtensionLink
public import Foundation
internal import JSON
internal import ProgramLog

// The part of Core Foundation's notification centers that apps use to signal their extensions: a name, sent
// to every program. Apple's C types are Swift types here, so `text as CFString` is the text itself.

/// A Swift string; no bridging takes place.
public typealias CFString = String
/// Foundation's class.
public typealias CFDictionary = NSDictionary
/// As wide as Apple's.
public typealias CFIndex = Int
/// A bit set; ignored by this center.
public typealias CFOptionFlags = UInt
/// Seconds since 2001-01-01 00:00 UTC.
public typealias CFAbsoluteTime = Double

/// Seconds since 2001-01-01 00:00 UTC.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// The name of a notification.
public struct CFNotificationName: RawRepresentable, Hashable, Sendable {
    /// Compared exactly; by custom in reverse-DNS form.
    public let rawValue: CFString
    /// Accepts any text.
    public init(rawValue: CFString) { self.rawValue = rawValue }
    /// Same as ``init(rawValue:)``.
    public init(_ rawValue: CFString) { self.rawValue = rawValue }
}

/// What happens to notifications while a program is suspended. Ignored: programs are not suspended here.
public enum CFNotificationSuspensionBehavior: Int, Sendable {
    case drop = 1
    case coalesce = 2
    case hold = 3
    case deliverImmediately = 4
}

/// Called with the center, the observer and the name. The object and the dictionary are always nil.
public typealias CFNotificationCallback = (
    CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?, CFDictionary?
) -> Void

/// Sends names to every program.
public final class CFNotificationCenter: Sendable {
    fileprivate struct Observer {
        var pointer: UnsafeRawPointer?
        var name: String?
        var callback: CFNotificationCallback
    }
    fileprivate static let darwin = CFNotificationCenter()
    fileprivate let observers = Shared<[Observer]>([])
    private let isListening = Shared(false)

    /// Subscribes with the first observer.
    fileprivate func listen() {
        let isFirst = isListening.use { isListening in
            defer { isListening = true }
            return !isListening
        }
        guard isFirst else { return }
        Link.shared.subscribe(types: [DarwinPosted.type]) { _, data in
            // An event that cannot be decoded contains no name.
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

/// The center whose names every program receives. Implicitly unwrapped as Apple's is; never nil.
public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! { .darwin }

/// Sends `name` to every program with an observer for it, including this one: once per call, in order, on the
/// main queue. Returns when it is committed. A refusal is logged.
/// - Parameters: `object`, `userInfo` and `deliverImmediately` are ignored by this center, as with Apple's.
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

/// Ignored by this center.
public let kCFNotificationDeliverImmediately: CFOptionFlags = 1
/// Ignored by this center.
public let kCFNotificationPostToAllSessions: CFOptionFlags = 2

/// The same; this center ignores the options, as Apple's does.
public func CFNotificationCenterPostNotificationWithOptions(
    _ center: CFNotificationCenter!, _ name: CFNotificationName!, _ object: UnsafeRawPointer!,
    _ userInfo: CFDictionary!, _ options: CFOptionFlags
) {
    CFNotificationCenterPostNotification(center, name, object, userInfo, true)
}

/// Adds an observer. The first one subscribes to the names.
/// - Parameters:
///   - observer: passed to `callBack`, and identifies the observer on removal.
///   - name: if nil, all names.
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

/// Removes an observer.
/// - Parameter name: if nil, all names of this observer.
public func CFNotificationCenterRemoveObserver(
    _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ name: CFNotificationName!,
    _ object: UnsafeRawPointer!
) {
    let name = name?.rawValue
    center?.observers.use {
        $0.removeAll { $0.pointer == observer && (name == nil || $0.name == name) }
    }
}

/// Removes all registrations of an observer. (`!` matches Apple's signature; nothing is unwrapped.)
public func CFNotificationCenterRemoveEveryObserver(
    _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!
) {
    center?.observers.use { $0.removeAll { $0.pointer == observer } }
}
