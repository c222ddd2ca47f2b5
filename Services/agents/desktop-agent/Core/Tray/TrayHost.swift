import DBus
import Loop
import Units

/// Whether the session has somebody who shows tray icons (StatusNotifierItem), and our icon there. Everything
/// is told by signals: without a host nothing happens.
@LoopActor final class TrayHost {
    static let watcher = "org.kde.StatusNotifierWatcher"
    private static let watcherPath = "/StatusNotifierWatcher"
    private static let signals = ["StatusNotifierHostRegistered", "StatusNotifierHostUnregistered"]

    private let changed: @LoopActor (Bool) -> Void
    private var link: DBusLink?
    /// The unique name of the watcher: only it is believed.
    private var owner: String?
    private var isAsking = false
    private var isStale = false
    private var isRegistered = false
    private(set) var isThere = false

    /// - Parameters:
    ///   - address: of the session bus.
    ///   - objects: what hosts ask and press.
    ///   - changed: called when the first host came, or the last one went.
    init(address: String, objects: DBusObjects, changed: @escaping @LoopActor (Bool) -> Void) {
        self.changed = changed
        link = DBusLink(
            address: address, pace: DBusPace(AgentLimits.trayPace, burst: AgentLimits.trayBurst),
            connected: { [weak self] in self?.subscribe() }, lost: { [weak self] in self?.set(owner: nil) },
            signalled: { [weak self] in self?.receive($0) }, answer: { objects.answer($0) })
    }

    func start() { link?.start() }

    func close() {
        link?.close()
        isThere = false
    }

    /// Tells hosts of a change.
    func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []) {
        guard isThere else { return }
        link?.emit(path, interface, member, arguments)
    }

    private func subscribe() {
        link?.match("sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.watcher)'")
        for member in Self.signals {
            link?.match("sender='\(Self.watcher)',interface='\(Self.watcher)',member='\(member)'")
        }
        // It starts none.
        link?.call(.driver, "GetNameOwner", [.string(Self.watcher)]) { [weak self] answer in
            if let self, owner == nil, let name = answer?.first?.text { set(owner: name) }
        }
    }

    /// Any program may send us a signal of any name, but none can claim another's unique name.
    private func receive(_ signal: DBusLink.Signal) {
        if signal.member == "NameOwnerChanged", signal.sender == DBusTarget.driver.destination {
            let words = signal.body.compactMap(\.text)
            guard words.count == 3, words[0] == Self.watcher else { return }
            set(owner: words[2].isEmpty ? nil : words[2])
        } else if signal.sender == owner, Self.signals.contains(signal.member) {
            ask()
        }
    }

    private func set(owner now: String?) {
        guard now != owner else { return }
        owner = now
        (isAsking, isStale, isRegistered) = (false, false, false)
        set(isThere: false)
        if now != nil { ask() }
    }

    private func ask() {
        guard let asked = owner else { return }
        guard !isAsking else {
            isStale = true
            return
        }
        (isAsking, isStale) = (true, false)
        link?.property(asked, Self.watcherPath, Self.watcher, "IsStatusNotifierHostRegistered") {
            [weak self] answer in
            guard let self, owner == asked else { return }
            isAsking = false
            set(isThere: answer?.first?.flag ?? false)
            if isStale { ask() }
        }
    }

    private func set(isThere now: Bool) {
        guard now != isThere else { return }
        isThere = now
        changed(now)
        if now { register() }
    }

    /// Once with each watcher, which notices our end itself. Hosts that come later learn of it there.
    private func register() {
        guard !isRegistered, let owner, let own = link?.uniqueName else { return }
        isRegistered = true
        let target = DBusTarget(destination: owner, path: Self.watcherPath, interface: Self.watcher)
        link?.call(target, "RegisterStatusNotifierItem", [.string(own)])
    }
}
