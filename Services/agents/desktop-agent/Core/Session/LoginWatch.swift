import DBus
import Glibc
import Loop
import ServiceKit

/// State of the machine and our session from logind: sleep, lock, and programs that inhibit idleness.
/// Reported by signals, without polling. Without logind it waits until one appears.
@LoopActor final class LoginWatch {
    enum Event: Equatable {
        /// A session that is not active counts as locked.
        case locked, unlocked
        /// Call `allowSleep` when everything is reported.
        case sleeps
        case woke
    }

    /// A program that inhibits idleness.
    struct Inhibitor: Equatable {
        var who: String
        var pid: Int32
    }

    private let sessionID: String?
    private let log: Log
    private let tell: @LoopActor (Event) -> Void
    private let inhibitorsChanged: @LoopActor () -> Void
    private var link: DBusLink?
    private var session: Session?
    private var isLocked = false
    /// Delays sleep until it is closed.
    private var delay: Int32?
    private var asked = 0
    private(set) var inhibitors: [Inhibitor] = []

    /// Our session in logind.
    private struct Session {
        var path: String
        var lockedHint = false
        var isActive = true
        /// Locked by a signal that no locker confirmed, so that no event will report the unlock.
        var isSignalled = false
    }

    private static let manager = DBusTarget(
        destination: "org.freedesktop.login1", path: "/org/freedesktop/login1",
        interface: "org.freedesktop.login1.Manager")
    private static let sessionInterface = "org.freedesktop.login1.Session"

    /// - Parameters:
    ///   - address: of the system bus.
    ///   - sessionID: XDG_SESSION_ID; nil asks logind.
    init(
        address: String, sessionID: String?, log: Log, tell: @escaping @LoopActor (Event) -> Void,
        inhibitorsChanged: @escaping @LoopActor () -> Void
    ) {
        self.sessionID = sessionID
        self.log = log
        self.tell = tell
        self.inhibitorsChanged = inhibitorsChanged
        link = DBusLink(
            address: address, connected: { [weak self] in self?.subscribe() },
            lost: { [weak self] in self?.forget() }, signalled: { [weak self] in self?.receive($0) })
    }

    /// Whether lock and sleep are known.
    var knowsSession: Bool { session != nil }

    func start() { link?.start() }

    func close() {
        link?.close()
        allowSleep()
    }

    /// Allows the machine to sleep.
    func allowSleep() {
        if let delay { Glibc.close(delay) }
        delay = nil
    }

    /// The person is active: a lock that only a signal reported is over.
    func sawSomebody() {
        guard session?.isSignalled == true else { return }
        session?.isSignalled = false
        judge()
    }

    // MARK: finding the session

    private func subscribe() {
        link?.match("sender='org.freedesktop.login1'")
        link?.match(
            "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.freedesktop.login1'")
        find()
    }

    private func find() {
        asked += 1
        delaySleep()
        askInhibitors()
        let this = asked
        let (member, argument): (String, DBusValue) =
            sessionID.map { ("GetSession", .string($0)) }
            ?? ("GetSessionByPID", .uint32(UInt32(bitPattern: getpid())))
        link?.call(Self.manager, member, [argument]) { [weak self] answer in
            guard let self, this == asked else { return }
            if let path = answer?.first?.text { return receive(session: path) }
            findDisplay()
        }
    }

    /// A process of the user's systemd manager belongs to no session; then the user's graphical session is
    /// used.
    private func findDisplay() {
        let this = asked
        link?.call(Self.manager, "GetUser", [.uint32(getuid())]) { [weak self] answer in
            guard let self, this == asked, let path = answer?.first?.text else { return }
            link?.property(Self.manager.destination, path, "org.freedesktop.login1.User", "Display") {
                guard this == self.asked, let path = $0?.first?.items.last?.text, path != "/" else { return }
                self.receive(session: path)
            }
        }
    }

    private func receive(session path: String) {
        session = Session(path: path)
        log.info("logind has our session", [("path", .text(path))])
        askSession()
    }

    private func askSession() {
        guard let path = session?.path else { return }
        let target = DBusTarget(
            destination: Self.manager.destination, path: path, interface: "org.freedesktop.DBus.Properties")
        link?.call(target, "GetAll", [.string(Self.sessionInterface)]) { [weak self] answer in
            if let properties = answer?.first { self?.receive(properties: properties) }
        }
    }

    private func forget() {
        asked += 1
        session = nil
        allowSleep()
        guard !inhibitors.isEmpty else { return }
        inhibitors = []
        inhibitorsChanged()
    }

    // MARK: signals

    private func receive(_ signal: DBusLink.Signal) {
        switch signal.member {
        case "NameOwnerChanged" where signal.body.first?.text == Self.manager.destination:
            forget()
            if signal.body.last?.text?.isEmpty == false { find() }
        case "PrepareForSleep": prepareForSleep(signal.body.first?.flag ?? false)
        case "Lock" where signal.path == session?.path:
            session?.isSignalled = true
            judge()
        case "Unlock" where signal.path == session?.path:
            session?.isSignalled = false
            session?.lockedHint = false
            judge()
        case "PropertiesChanged" where signal.path == session?.path:
            if signal.body.count > 1 { receive(properties: signal.body[1]) }
            if signal.body.count > 2, signal.body[2] != .strings([]) { askSession() }
        case "PropertiesChanged" where signal.path == Self.manager.path: askInhibitors()
        default: break
        }
    }

    private func receive(properties: DBusValue) {
        if let hint = properties["LockedHint"]?.flag {
            session?.lockedHint = hint
            // From now on the locker reports the state.
            session?.isSignalled = false
        }
        if let isActive = properties["Active"]?.flag { session?.isActive = isActive }
        judge()
    }

    private func judge() {
        guard let session else { return }
        let now = session.lockedHint || session.isSignalled || !session.isActive
        guard now != isLocked else { return }
        isLocked = now
        tell(now ? .locked : .unlocked)
    }

    private func prepareForSleep(_ begins: Bool) {
        tell(begins ? .sleeps : .woke)
        if !begins { delaySleep() }
    }

    /// Delays sleep, so that the end of use can be reported first.
    private func delaySleep() {
        guard delay == nil else { return }
        let words = ["sleep", "screentime", "reports that the machine is not in use", "delay"]
        link?.call(Self.manager, "Inhibit", words.map(DBusValue.string)) { [weak self] answer in
            guard case .descriptor(let descriptor)? = answer?.first, descriptor >= 0 else { return }
            guard let self, delay == nil else {
                Glibc.close(descriptor)
                return
            }
            delay = descriptor
        }
    }

    private func askInhibitors() {
        link?.call(Self.manager, "ListInhibitors") { [weak self] answer in
            guard let self, let list = answer?.first?.items else { return }
            let found = list.compactMap { Inhibitor($0.items) }
            guard found != inhibitors else { return }
            inhibitors = found
            inhibitorsChanged()
        }
    }
}

extension LoginWatch.Inhibitor {
    /// Nil if it inhibits something other than idleness. The order is what, who, why, mode, uid, pid.
    fileprivate init?(_ parts: [DBusValue]) {
        guard parts.count == 6, parts[0].text?.split(separator: ":").contains("idle") == true,
            parts[3].text == "block", let who = parts[1].text, case .uint32(let pid) = parts[5]
        else { return nil }
        self.init(who: who, pid: Int32(bitPattern: pid))
    }
}
