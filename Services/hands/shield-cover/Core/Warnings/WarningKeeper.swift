import Contract
import Loop
import ServiceKit
import Units

/// What draws a warning: one window of ours, which never has the focus.
@LoopActor protocol WarningView: AnyObject {
    /// Called when the person clicked it, or its close button.
    var onDismiss: (@LoopActor () -> Void)? { get set }
    /// Changes what it shows.
    func set(_ face: WarningFace)
    /// The size that it needs in pixels.
    /// - Parameter width: the most.
    func size(atMost width: Int) -> (width: Int, height: Int)
    /// Shows it there, or moves it.
    func show(at frame: Frame)
    /// Puts it above all other windows.
    func raise()
    func close()
}

/// What warnings need of the desktop.
@LoopActor protocol WarningDesktop: AnyObject {
    /// The monitors without what belongs to panels, in pixels.
    var monitors: [Frame] { get }
    /// A window with its borders; nil: it was closed.
    func frame(of window: UInt32) -> Frame?
    /// The pointer, and the window below it.
    var pointer: (place: Frame, window: Frame?) { get }
    /// Pixels of a unit of GTK.
    var scale: Int { get }
}

/// The warnings that stand: each a banner at first, then a chip, until no time is left.
@LoopActor final class WarningKeeper {
    /// What it needs from outside.
    struct Ports {
        var makeView: @LoopActor () -> any WarningView
        var appearance: @LoopActor () -> Appearance
        /// Monotonic.
        var now: @LoopActor () -> Milliseconds
    }

    private final class Warning {
        var params: WarningShow.Params
        /// When the time left was `params.secondsLeft`.
        var since: Milliseconds
        let bannerEnd: Milliseconds
        /// Nil: dismissed.
        var view: (any WarningView)?
        var timer: TimerToken?
        var form = WarningFace.Form.banner

        init(_ params: WarningShow.Params, now: Milliseconds, view: any WarningView) {
            self.params = params
            since = now
            bannerEnd = now + CoverLimits.banner
            self.view = view
        }

        func left(at now: Milliseconds) -> Milliseconds {
            let all = Milliseconds(params.secondsLeft * 1_000)
            return params.counting ? max(0, all - (now - since)) : all
        }
    }

    private let desktop: any WarningDesktop
    private let ports: Ports
    private let words: WarningWords
    private let log: Log
    private var warnings: [String: Warning] = [:]
    private var order: [String] = []
    /// The corner of each monitor's warnings. It stays while there are any, so that none jumps.
    private var corners: [(area: Frame, corner: WarningPlace.Corner)] = []
    /// Called when ``isNeeded`` may have changed.
    var onChange: (@LoopActor () -> Void)?
    /// Number of the list of warnings, and who waits for another one.
    private var number: Int64 = 1
    private var waiting: [(after: Int64, answer: @LoopActor (WarningList.Result) -> Void)] = []

    init(_ desktop: any WarningDesktop, _ ports: Ports, words: WarningWords, log: Log) {
        self.desktop = desktop
        self.ports = ports
        self.words = words
        self.log = log
    }

    /// Whether the process must stay: something is shown, or a dismissed warning must be remembered.
    var isNeeded: Bool { warnings.values.contains { $0.view != nil || $0.params.counting } }
    /// How many can be seen.
    var shownCount: Int { warnings.values.count { $0.view != nil } }

    /// Shows a warning, or changes one. Returns whether it can be seen.
    /// - Throws: `invalidParams`, `limitExceeded`
    func show(_ params: WarningShow.Params) throws(ServiceError) -> Bool {
        try VisibleText.checkName(params.key, "the key")
        guard params.secondsLeft > 0 else {
            remove(params.key)
            return false
        }
        if let warning = warnings[params.key] {
            (warning.params, warning.since) = (params, ports.now())
            update(warning)
            layout()
        } else {
            guard warnings.count < CoverLimits.warningsMax else {
                throw ServiceError(
                    .limitExceeded, "\(warnings.count) warnings stand, which is the most",
                    remedy: "Hide those that are over.")
            }
            add(params)
        }
        onChange?()
        return warnings[params.key]?.view != nil
    }

    /// Calls `answer` with the warnings that stand, when their list has another number than `after`.
    func list(after: Int64, _ answer: @escaping @LoopActor (WarningList.Result) -> Void) {
        guard after == number else { return answer(WarningList.Result(warnings: standing, number: number)) }
        waiting.append((after, answer))
        // The oldest caller has given up, or asks again at its deadline.
        if waiting.count > CoverLimits.pressesMax { waiting.removeFirst() }
    }

    private var standing: [StandingWarning] {
        order.compactMap { warnings[$0] }.map { warning in
            var params = warning.params
            params.secondsLeft = (warning.left(at: ports.now()).count + 999) / 1_000
            return StandingWarning(warning: params, dismissed: warning.view == nil)
        }
    }

    private func listChanged() {
        number += 1
        let ready = waiting
        waiting = []
        for one in ready { list(after: one.after, one.answer) }
        onChange?()
    }

    /// Other windows were put above.
    func raiseAll() { for key in order { warnings[key]?.view?.raise() } }

    private func add(_ params: WarningShow.Params) {
        let view = ports.makeView()
        let warning = Warning(params, now: ports.now(), view: view)
        let key = params.key
        warnings[key] = warning
        order.append(key)
        view.onDismiss = { [weak self] in self?.dismiss(key) }
        update(warning)
        layout()
        listChanged()
        log.info("warned", [("seconds", .number(params.secondsLeft))])
    }

    /// Removes a warning. Returns whether it was seen.
    @discardableResult func hide(_ key: String) -> Bool {
        let wasShown = warnings[key]?.view != nil
        remove(key)
        return wasShown
    }

    private func remove(_ key: String) {
        guard let warning = warnings.removeValue(forKey: key) else { return }
        order.removeAll { $0 == key }
        if let timer = warning.timer { EventLoop.main.cancel(timer) }
        warning.view?.close()
        layout()
        listChanged()
    }

    /// It stays unseen until no time is left.
    private func dismiss(_ key: String) {
        guard let warning = warnings[key] else { return }
        warning.view?.close()
        warning.view = nil
        update(warning)
        layout()
        listChanged()
    }

    func close() {
        onChange = nil
        waiting = []
        for key in order { remove(key) }
    }

    /// The desktop's appearance changed.
    func paintAll() {
        for key in order { if let warning = warnings[key] { update(warning) } }
        layout()
    }

    // MARK: time

    private func update(_ warning: Warning) {
        if let timer = warning.timer { EventLoop.main.cancel(timer) }
        warning.timer = nil
        let now = ports.now()
        let left = warning.left(at: now)
        guard left > 0 else { return remove(warning.params.key) }
        let form: WarningFace.Form = now < warning.bannerEnd ? .banner : .chip
        warning.form = form
        warning.view?.set(
            WarningFace(
                form, title: warning.params.title, body: warning.params.body,
                left: (left.count + 999) / 1_000, isPaused: !warning.params.counting, words: words,
                appearance: ports.appearance()))
        guard let next = pause(of: warning, form, left, now) else { return }
        let key = warning.params.key
        warning.timer = EventLoop.main.after(next) { [weak self] in
            guard let self, let warning = warnings[key] else { return }
            let form = warning.form
            update(warning)
            // A banner's size does not depend on the time.
            if warning.form != form || form == .chip { layout() }
        }
    }

    /// Until something changes; nil: nothing does by itself. What nobody sees changes only with its end.
    private func pause(
        of warning: Warning, _ form: WarningFace.Form, _ left: Milliseconds, _ now: Milliseconds
    ) -> Milliseconds? {
        guard warning.view != nil else { return warning.params.counting ? left : nil }
        var pauses: [Milliseconds] = []
        if form == .banner { pauses.append(warning.bannerEnd - now) }
        if warning.params.counting { pauses.append(WarningFace.nextChange(form, left: left)) }
        return pauses.min()
    }

    // MARK: places

    /// Those of one monitor stand one below the other.
    private func layout() {
        let shown = order.compactMap { warnings[$0] }.filter { $0.view != nil }
        let monitors = desktop.monitors
        guard !shown.isEmpty, let first = monitors.first else {
            corners = []
            return
        }
        let pointer = desktop.pointer
        var groups: [(area: Frame, warnings: [Warning])] = []
        var used = pointer.window.map { [$0] } ?? []
        for warning in shown {
            let focus = warning.params.focusWindow.flatMap(UInt32.init(exactly:)).flatMap(desktop.frame)
            if let focus { used.append(focus) }
            let area = WarningPlace.monitor(of: focus ?? pointer.place, among: monitors) ?? first
            if let index = groups.firstIndex(where: { $0.area == area }) {
                groups[index].warnings.append(warning)
            } else {
                groups.append((area, [warning]))
            }
        }
        let margin = CoverLimits.warningMargin * desktop.scale
        for group in groups {
            let sizes = group.warnings.compactMap { $0.view?.size(atMost: group.area.width - 2 * margin) }
            let known = corners.first { $0.area == group.area }?.corner
            let corner = known
                ?? WarningPlace.corner(for: sizes, in: group.area, margin: margin, avoiding: used)
            if known == nil { corners.append((group.area, corner)) }
            let frames = WarningPlace.frames(sizes, in: group.area, margin: margin, corner)
            for (warning, frame) in zip(group.warnings, frames) { warning.view?.show(at: frame) }
        }
    }
}
