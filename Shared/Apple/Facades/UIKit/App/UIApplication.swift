public import FoundationExtras
internal import Synchronization

/// The program as seen by the desktop.
///
/// Apple's extensions have none. Here it exists in extensions too, but `open` fails in them, because their
/// confinement does not allow starting programs.
@preconcurrency @MainActor
public final class UIApplication: UIResponder {
    /// Whether the program is in use. A program without windows is always active.
    public enum State: Int, Sendable {
        case active = 0
        case inactive, background
    }

    /// Options for opening a URL. Ignored.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// Ignored.
        public var rawValue: String
        /// Accepts any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The only instance.
    public static let shared = UIApplication()

    private override init() { super.init() }

    /// Always active.
    public var applicationState: State { .active }

    /// Whether the URL has a scheme. Whether a program for it is installed is not checked.
    public func canOpenURL(_ url: URL) -> Bool { !(url.scheme ?? "").isEmpty }

    /// Opens the URL with the desktop's program for it (`xdg-open`).
    /// - Parameter completion: receives whether a program accepted it.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        Task { @MainActor in
            let opened = await open(url)
            completion?(opened)
        }
    }

    /// Opens the URL with the desktop's program for it (`xdg-open`).
    /// - Returns: whether a program accepted it.
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

    /// The URL of an app's settings on Apple's systems. Nothing on Linux opens it.
    public nonisolated static let openSettingsURLString = "app-settings:"

    // MARK: time in the background

    /// A piece of work that a program wants to finish. Linux does not suspend programs, so it always can.
    public struct BackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
        /// Unique within the process.
        public var rawValue: Int
        /// - Parameter rawValue: 0 is invalid.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Belongs to no task.
        public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
    }

    private nonisolated static let lastTask = Mutex(0)

    /// - Parameter handler: never called, because the time is not limited.
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

    /// Does nothing.
    public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

    /// Unlimited.
    public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
}

/// The older name of ``UIApplication/BackgroundTaskIdentifier``.
public typealias UIBackgroundTaskIdentifier = UIApplication.BackgroundTaskIdentifier

/// Events in the life of a program. Without a window that appears and disappears nothing posts them, except
/// the program itself.
extension UIApplication {
    /// Never posted by the system here.
    public nonisolated static let didBecomeActiveNotification =
        Notification.Name("UIApplicationDidBecomeActiveNotification")
    /// Never posted by the system here.
    public nonisolated static let willResignActiveNotification =
        Notification.Name("UIApplicationWillResignActiveNotification")
    /// Never posted by the system here.
    public nonisolated static let didEnterBackgroundNotification =
        Notification.Name("UIApplicationDidEnterBackgroundNotification")
    /// Never posted by the system here.
    public nonisolated static let willEnterForegroundNotification =
        Notification.Name("UIApplicationWillEnterForegroundNotification")
    /// Never posted by the system here.
    public nonisolated static let willTerminateNotification =
        Notification.Name("UIApplicationWillTerminateNotification")
    /// Never posted by the system here.
    public nonisolated static let didFinishLaunchingNotification =
        Notification.Name("UIApplicationDidFinishLaunchingNotification")
    /// Never posted by the system here.
    public nonisolated static let significantTimeChangeNotification =
        Notification.Name("UIApplicationSignificantTimeChangeNotification")
}
