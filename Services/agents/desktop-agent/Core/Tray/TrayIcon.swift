import Bus
import Contract
import DBus
import Loop
import ServiceKit
import Units

/// The icon in the panel, with the time that is left: for the person at this desktop. It lives while the
/// session has a host for such icons. Without one, or while nothing runs, nothing wakes this process for it.
@LoopActor final class TrayIcon {
    /// What it is told of the session, and what it asks.
    @LoopActor struct Sources {
        /// The app in use; nil: none is, or nobody is there.
        let use: @LoopActor () -> TimeLeft.Use?
        /// What people call an app; nil if it is not known.
        let appName: @LoopActor (String) -> String?
        /// Reads what is left of the limits; nil if no service answers.
        let read: @LoopActor (@escaping @LoopActor ([DayLimit]?) -> Void) -> Void
        /// Begins to tell how many requests wait; the result ends that.
        let followRequests: @LoopActor (@escaping @LoopActor (Int) -> Void) -> @LoopActor () -> Void
        let open: @LoopActor (_ page: String?) -> Void
    }

    private let sources: Sources
    private let member: String
    private let words: TrayWords
    private let environment: [String: String]
    private var host: TrayHost?
    private var time = TimeLeft()
    private var requests = 0
    private var endRequests: (@LoopActor () -> Void)?
    private var picture: TrayPicture?
    /// What hosts read, and were told of.
    private var shown: TrayFace
    private var menu: TrayMenu
    private var revision: UInt32 = 1
    /// The last revision that somebody read.
    private var taken: UInt32 = 0
    /// While there is a host.
    private var reading: LatestReading<[DayLimit]?>?
    private var lastReading: Milliseconds?
    private var minute: TimerToken?
    private let readings = Throttle(AgentLimits.trayReading, burst: 3)
    private let redraws = Throttle(AgentLimits.trayRedraw, burst: 3)

    /// - Parameters:
    ///   - address: of the session bus.
    ///   - member: whose limits are shown.
    ///   - environment: chooses the language, and where icons are.
    init(address: String, member: String, environment: [String: String], _ sources: Sources) {
        self.sources = sources
        self.member = member
        self.environment = environment
        words = TrayWords.chosen(by: environment)
        shown = TrayFace(time, requests: 0, words: words, at: 0) { _ in nil }
        menu = TrayMenu(shown, words)
        let owner = TrayItem.Owner(
            face: { [unowned self] in shown }, picture: { [unowned self] in chosenPicture() },
            menu: { [unowned self] in presentMenu() }, takeMenu: { [unowned self] in takeMenu() },
            menuShows: { [unowned self] in menuShows() }, open: { sources.open($0) })
        host = TrayHost(address: address, objects: TrayItem.objects(owner)) { [weak self] in
            self?.hostChanged($0)
        }
    }

    /// Whether a host shows it.
    var hasHost: Bool { host?.isThere ?? false }

    func start() { host?.start() }

    func close() {
        host?.close()
        hostChanged(false)
    }

    /// Another app is in use, or none.
    func useChanged() {
        guard hasHost else { return }
        time.use(sources.use(), at: EventLoop.main.now)
        if isOld(AgentLimits.trayAge) { readSoon() }
        redrawSoon()
    }

    /// Limits changed.
    /// - Parameter limits: nil: they have to be read.
    func limitsChanged(_ limits: [DayLimit]?) {
        guard hasHost else { return }
        guard let limits else { return readSoon() }
        reading?.changed()
        take(limits)
    }

    private func hostChanged(_ isThere: Bool) {
        endRequests?()
        endRequests = nil
        stopMinute()
        // Use is not followed without a host.
        (time, lastReading, requests, reading) = (TimeLeft(), nil, 0, nil)
        shown = face()
        guard isThere else { return }
        reading = LatestReading(sources.read) { [weak self] in self?.readingEnded(with: $0) }
        // Icon themes are installed and removed.
        picture = nil
        time.use(sources.use(), at: EventLoop.main.now)
        endRequests = sources.followRequests { [weak self] in self?.take(requests: $0) }
        read()
    }

    // MARK: reading

    private func isOld(_ age: Milliseconds) -> Bool {
        lastReading.map { EventLoop.main.now - $0 >= age } ?? true
    }

    private func readSoon() { readings.run { [weak self] in self?.read() } }

    private func read() { reading?.read() }

    private func readingEnded(with limits: [DayLimit]?) {
        if let limits { take(limits) } else { redraw() }
    }

    private func take(_ limits: [DayLimit]) {
        let now = EventLoop.main.now
        lastReading = now
        time.set(limits, member: member, at: now)
        redraw()
    }

    private func take(requests count: Int) {
        requests = count
        redrawSoon()
    }

    // MARK: showing

    private func face() -> TrayFace {
        TrayFace(time, requests: requests, words: words, at: EventLoop.main.now) { sources.appName($0) }
    }

    private func redrawSoon() { redraws.run { [weak self] in self?.redraw() } }

    /// Tells hosts what changed, and waits for the next minute if time runs.
    private func redraw() {
        guard hasHost else { return }
        let now = face()
        let before = shown
        shown = now
        func tell(_ signal: String, _ arguments: [DBusValue] = []) {
            host?.emit(TrayItem.path, TrayItem.interface, signal, arguments)
        }
        if now.title != before.title { tell("NewTitle") }
        if now.title != before.title || now.rows != before.rows { tell("NewToolTip") }
        if now.label != before.label {
            tell("XAyatanaNewLabel", [.string(now.label), .string(TrayItem.labelGuide)])
        }
        if now.status != before.status { tell("NewStatus", [.string(now.status.rawValue)]) }
        presentMenu()
        armMinute()
    }

    private func armMinute() {
        stopMinute()
        let now = EventLoop.main.now
        guard let left = time.untilNextMinute(at: now) else { return }
        minute = EventLoop.main.after(max(.second, left + AgentLimits.trayLag)) { [weak self] in
            self?.minute = nil
            self?.read()
        }
    }

    private func stopMinute() {
        if let minute { EventLoop.main.cancel(minute) }
        minute = nil
    }

    private func chosenPicture() -> TrayPicture {
        let now = picture ?? TrayPicture.chosen(by: environment)
        picture = now
        return now
    }

    // MARK: the menu

    /// The menu as of now. Who has read the last one is told once that there is another.
    @discardableResult private func presentMenu() -> TrayMenu {
        let now = TrayMenu(face(), words)
        guard now != menu else { return menu }
        menu = now
        let wasTaken = taken == revision
        revision &+= 1
        if wasTaken {
            host?.emit(
                TrayItem.menuPath, TrayItem.menuInterface, "LayoutUpdated", [.uint32(revision), .int32(0)])
        }
        return now
    }

    private func takeMenu() -> (TrayMenu, UInt32) {
        let now = presentMenu()
        taken = revision
        return (now, revision)
    }

    private func menuShows() -> Bool {
        presentMenu()
        if isOld(AgentLimits.trayReading) { readSoon() }
        return taken != revision
    }
}
