public import FoundationExtras
internal import Synchronization

/// The program as the desktop sees it.
///
/// Extensions have none in Apple's system; here `open` fails in them, because their confinement lets them
/// start nothing.
@preconcurrency @MainActor
public final class UIApplication: UIResponder {
    /// Whether a person works with the program. A program without windows is always active.
    public enum State: Int, Sendable {
        case active = 0
        case inactive, background
    }

    /// What an address is opened with; nothing on Linux depends on it.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public static let shared = UIApplication()

    private override init() { super.init() }

    public var applicationState: State { .active }

    /// Whether the desktop is asked for such an address: one with a scheme.
    public func canOpenURL(_ url: URL) -> Bool { !(url.scheme ?? "").isEmpty }

    /// Opens the address with the desktop's program for it (`xdg-open`).
    /// - Parameter completion: told whether a program took it.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        Task { @MainActor in
            let opened = await open(url)
            completion?(opened)
        }
    }

    /// Opens the address with the desktop's program for it (`xdg-open`).
    /// - Returns: whether a program took it.
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        guard canOpenURL(url) else { return false }
        return await withCheckedContinuation { continuation in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["xdg-open", url.absoluteString]
            process.standardInput = FileHandle.nullDevice
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus == 0) }
            do { try process.run() } catch {
                Complaint.once(
                    "\(url.scheme ?? "") addresses cannot be opened: \(error.localizedDescription)")
                continuation.resume(returning: false)
            }
        }
    }

    /// The address of a program's settings in Apple's system; nothing on Linux opens it.
    public nonisolated static let openSettingsURLString = "app-settings:"

    // MARK: time in the background

    /// A stretch of work that a program wants to finish. Linux suspends no programs, so it may run on.
    public struct BackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
        public var rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
    }

    private nonisolated static let lastTask = Mutex(0)

    /// - Parameter handler: is not called: no time runs out.
    public nonisolated func beginBackgroundTask(
        withName taskName: String? = nil,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        UIBackgroundTaskIdentifier(
            rawValue: Self.lastTask.withLock {
                $0 += 1
                return $0
            })
    }

    public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

    /// No end.
    public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
}

public typealias UIBackgroundTaskIdentifier = UIApplication.BackgroundTaskIdentifier

/// Moments in a program's life. A program here has no window that comes and goes, so nobody but the program
/// itself posts them.
extension UIApplication {
    public nonisolated static let didBecomeActiveNotification =
        Notification.Name("UIApplicationDidBecomeActiveNotification")
    public nonisolated static let willResignActiveNotification =
        Notification.Name("UIApplicationWillResignActiveNotification")
    public nonisolated static let didEnterBackgroundNotification =
        Notification.Name("UIApplicationDidEnterBackgroundNotification")
    public nonisolated static let willEnterForegroundNotification =
        Notification.Name("UIApplicationWillEnterForegroundNotification")
    public nonisolated static let willTerminateNotification =
        Notification.Name("UIApplicationWillTerminateNotification")
    public nonisolated static let didFinishLaunchingNotification =
        Notification.Name("UIApplicationDidFinishLaunchingNotification")
    public nonisolated static let significantTimeChangeNotification =
        Notification.Name("UIApplicationSignificantTimeChangeNotification")
}
