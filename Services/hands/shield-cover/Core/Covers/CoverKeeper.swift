import Bus
import Contract
import Loop
import ServiceKit
import Units

/// The covers that stand: which windows have one, what they show, and what happens after a press. It knows
/// neither GTK nor X11.
@LoopActor final class CoverKeeper {
    /// What it needs from outside.
    struct Ports {
        /// Makes the window of a cover.
        var makeView: @LoopActor () -> any CoverView
        /// Presses a button at shield-service.
        var press: @LoopActor (ShieldPress.Params, TraceContext, @escaping PressEnd) -> Void
        /// Called when the subjects of the covers changed, or a look may have: asks for their looks again.
        var askForLooks: @LoopActor () -> Void
        var appearance: @LoopActor () -> Appearance
        var asking: Asking.Ports
        /// Decodes a picture of a look.
        var decode: PictureShelf.Decode

        typealias PressEnd = @LoopActor (Result<ShieldPress.Result, ServiceError>) -> Void

        init(
            makeView: @escaping @LoopActor () -> any CoverView,
            press: @escaping @LoopActor (ShieldPress.Params, TraceContext, @escaping PressEnd) -> Void,
            askForLooks: @escaping @LoopActor () -> Void,
            appearance: @escaping @LoopActor () -> Appearance, asking: Asking.Ports,
            decode: @escaping PictureShelf.Decode
        ) {
            self.makeView = makeView
            self.press = press
            self.askForLooks = askForLooks
            self.appearance = appearance
            self.asking = asking
            self.decode = decode
        }
    }

    private let placement: any CoverPlacement
    private let ports: Ports
    private let words: Words
    private let tracer: Tracer
    private let log: Log
    private let asking: Asking
    private let looks: Looks
    /// Presses for whoever manages the apps.
    let presses: PressQueue
    private var covers: [UInt32: StandingCover] = [:]
    private var order: [UInt32] = []
    private var isUnreachable = false
    private let idleTime: Milliseconds
    private var idle: TimerToken?
    /// Whether the process is needed for something else.
    var isHeld = false {
        didSet { if isHeld != oldValue { waitForWork() } }
    }
    /// Called when no cover stood, and none was expected, for as long.
    var onIdle: (@LoopActor () -> Void)?

    init(
        _ placement: any CoverPlacement, _ ports: Ports, words: Words, tracer: Tracer, log: Log,
        idleTime: Milliseconds = CoverLimits.idle
    ) {
        self.placement = placement
        self.ports = ports
        self.words = words
        self.tracer = tracer
        self.log = log
        self.idleTime = idleTime
        presses = PressQueue(now: EventLoop.main.now)
        asking = Asking(ports.asking, words: words, tracer: tracer, log: log)
        let pictures = PictureShelf(decode: ports.decode)
        looks = Looks(words: words, pictures: pictures)
        asking.onChange = { [weak self] in self?.paintAll() }
        pictures.onChange = { [weak self] in self?.paintAll() }
        placement.onEvent = { [weak self] in self?.happened($1, to: $0) }
        waitForWork()
    }

    // MARK: requests

    /// The covers, oldest first.
    var standing: [CoveredWindow] { order.compactMap { covers[$0]?.about } }
    /// Their subjects.
    var subjects: Set<CoverSubject> { Set(covers.values.map { CoverSubject($0.about) }) }
    var problem: String? { placement.problem }

    /// A cover is expected soon.
    func prepare() { waitForWork() }

    /// Covers a window. `end` is called when the cover is on the screen, with true; or with false, if its
    /// window is not.
    func show(
        _ params: CoverShow.Params, trace: TraceContext,
        _ end: @escaping @LoopActor (Result<Bool, ServiceError>) -> Void
    ) {
        guard let window = UInt32(exactly: params.cover.window) else {
            return end(.failure(Self.closed(params.cover.window)))
        }
        if let cover = covers[window] { return change(cover, to: params.cover, end) }
        if let refusal = roomRefusal(for: params.cover.app) { return end(.failure(refusal)) }
        // Before a view is taken: GTK cannot destroy one that was never shown.
        guard placement.exists(window) else { return end(.failure(Self.closed(params.cover.window))) }
        let cover = StandingCover(params.cover, ports.makeView(), isVisible: false)
        guard let isVisible = place(cover, over: window) else {
            return end(.failure(Self.closed(params.cover.window)))
        }
        covers[window] = cover
        order.append(window)
        lead(cover)
        if let idle { EventLoop.main.cancel(idle) }
        idle = nil
        log.info("covered", [("app", .text(cover.about.app)), ("window", .number(cover.about.window))])
        tracer.mark("cover", .internal, parent: trace, subject: cover.about.app)
        answer(cover, whenDrawn: isVisible, end)
        ports.askForLooks()
    }

    /// Why there cannot be another cover for an app; nil if there can.
    private func roomRefusal(for app: String) -> ServiceError? {
        let own = covers.values.count { $0.about.app == app }
        let isFull = covers.count >= CoverLimits.coversMax
        guard isFull || own >= CoverLimits.coversPerAppMax else { return nil }
        return ServiceError(
            .limitExceeded, isFull
                ? "\(covers.count) covers stand, which is the most"
                : "\(own) windows of this app have covers, which is the most",
            remedy: "Hide covers of windows that are not shielded any more.")
    }

    /// Puts a cover's view on the screen. Returns whether its window is there; nil if it was closed.
    private func place(_ cover: StandingCover, over window: UInt32) -> Bool? {
        // Before it is placed, so that its first frame is complete.
        paint(cover)
        cover.view.onPress = { [weak self, weak cover] in if let cover { self?.pressed($0, on: cover) } }
        cover.view.onAsk = { [weak self, weak cover] in if let cover { self?.ask($0, on: cover) } }
        cover.view.onTurn = { [weak self] in self?.placement.turn(from: window) }
        cover.view.onFrame = { [weak self] in self?.drawn(window) }
        cover.view.onOpen = { [weak self, weak cover] isOpen in
            self?.tracer.mark(
                "buttons", .internal, parent: nil, outcome: isOpen ? "ok" : "waiting",
                subject: cover?.about.app, numbers: [Counter(name: "window", count: Int64(window))])
        }
        let isVisible = placement.show(cover.view, over: window)
        if isVisible == nil { cover.view.close() }
        return isVisible
    }

    /// Says where its app asks something.
    private func lead(_ cover: StandingCover) {
        guard let window = UInt32(exactly: cover.about.window) else { return }
        placement.lead(from: window, to: cover.about.question.flatMap(UInt32.init(exactly:)))
    }

    private static func closed(_ window: Int64) -> ServiceError {
        ServiceError(
            .notFound, "there is no window \(window)", remedy: "Nothing needs a cover: it was closed.")
    }

    private func change(
        _ cover: StandingCover, to about: CoveredWindow,
        _ end: @escaping @LoopActor (Result<Bool, ServiceError>) -> Void
    ) {
        let isAnother = cover.about != about
        // A press from before the cover said that the app has not closed would do something else now.
        if about.closing != nil, cover.about.closing != about.closing {
            cover.generation += 1
            enable(cover)
        }
        // What was pressed for one subject is not done to another.
        if CoverSubject(cover.about) != CoverSubject(about) || cover.about.app != about.app {
            cover.generation += 1
            cover.askProblem = nil
            presses.forget(window: about.window)
            enable(cover)
        }
        cover.about = about
        if isAnother {
            lead(cover)
            paint(cover)
            ports.askForLooks()
        }
        answer(cover, whenDrawn: cover.isVisible || !cover.waiting.isEmpty, end)
    }

    /// Answers when the first frame is drawn, and at once if there will be none.
    private func answer(
        _ cover: StandingCover, whenDrawn isVisible: Bool,
        _ end: @escaping @LoopActor (Result<Bool, ServiceError>) -> Void
    ) {
        guard isVisible, !cover.hasFrame else { return end(.success(cover.hasFrame && cover.isVisible)) }
        cover.waiting.append { end(.success($0)) }
        guard cover.overdue == nil else { return }
        cover.overdue = EventLoop.main.after(CoverLimits.frame) { [weak self, weak cover] in
            self?.log.warning("a cover was not drawn in time")
            cover?.answer(false)
        }
    }

    /// Removes the cover of a window. Returns whether there was one.
    @discardableResult func hide(_ window: Int64) -> Bool {
        guard let id = UInt32(exactly: window), let cover = remove(id) else { return false }
        placement.hide(id)
        cover.view.close()
        log.info("uncovered", [("app", .text(cover.about.app)), ("window", .number(window))])
        return true
    }

    private func remove(_ window: UInt32) -> StandingCover? {
        guard let cover = covers.removeValue(forKey: window) else { return nil }
        order.removeAll { $0 == window }
        presses.forget(window: cover.about.window)
        cover.end()
        looks.keep(only: subjects)
        if covers.isEmpty { waitForWork() }
        return cover
    }

    /// Removes all; for the end of the process.
    func close() {
        onIdle = nil
        asking.close()
        for window in order { hide(Int64(window)) }
        if let idle { EventLoop.main.cancel(idle) }
    }

    private func waitForWork() {
        if let idle { EventLoop.main.cancel(idle) }
        idle = nil
        guard covers.isEmpty, !isHeld else { return }
        idle = EventLoop.main.after(idleTime) { [weak self] in self?.onIdle?() }
    }

    // MARK: windows

    private func happened(_ event: PlacementEvent, to window: UInt32) {
        guard let cover = covers[window] else { return }
        switch event {
        case .moved(let frame): cover.view.follow(frame)
        case .shown:
            cover.isVisible = true
            cover.view.becomeVisible()
        case .hidden:
            cover.isVisible = false
            cover.answer(false)
        case .closed:
            guard let cover = remove(window) else { return }
            cover.view.close()
            log.info("a covered window was closed", [("app", .text(cover.about.app))])
        case .lost:
            log.warning("a cover was destroyed by another program", [("app", .text(cover.about.app))])
            replace(cover, over: window)
        }
    }

    /// Covers a window again: at once, or after a pause if that did not help several times.
    private func replace(_ cover: StandingCover, over window: UInt32) {
        cover.replaced += 1
        cover.hasFrame = false
        cover.isVisible = false
        cover.view.close()
        guard cover.replaced > CoverLimits.replacedAtOnceMax else { return renew(cover, over: window) }
        cover.replacing = EventLoop.main.after(CoverLimits.replacePause) { [weak self, weak cover] in
            if let cover { self?.renew(cover, over: window) }
        }
    }

    private func renew(_ cover: StandingCover, over window: UInt32) {
        cover.view = ports.makeView()
        cover.view.areButtonsEnabled = !cover.isPressing
        guard place(cover, over: window) != nil else {
            _ = remove(window)
            return
        }
        lead(cover)
        if let forgetting = cover.forgetting { EventLoop.main.cancel(forgetting) }
        cover.forgetting = EventLoop.main.after(CoverLimits.replacedForget) { [weak cover] in
            cover?.replaced = 0
        }
    }

    private func drawn(_ window: UInt32) {
        guard let cover = covers[window] else { return }
        cover.hasFrame = true
        cover.answer(true)
    }

    // MARK: looks

    /// The looks of subjects, from shield-service.
    func apply(_ fresh: [CoverSubject: ShieldLook]) {
        isUnreachable = false
        looks.replace(with: fresh)
        paintAll()
        looks.keep(only: subjects)
    }

    /// shield-service cannot be reached. What is shown stays, with a sentence that says so.
    func becomeUnreachable() {
        guard !isUnreachable else { return }
        isUnreachable = true
        paintAll()
    }

    /// The desktop's appearance or text size changed.
    func restyle() {
        paintAll()
        for cover in covers.values { cover.view.fit() }
    }

    /// What covers show may have changed.
    func paintAll() {
        for window in order { if let cover = covers[window] { paint(cover) } }
    }

    private func paint(_ cover: StandingCover) {
        let about = cover.about
        let appearance = ports.appearance()
        let face = looks.face(of: about, appearance)
            .offering(asking.face(of: cover), words: words, appearance: appearance)
            .telling(about.closing, of: about, mayAsk: !isUnreachable, words: words)
        let (picture, refused) = looks.picture(of: face)
        let name = PlainText.of(about.name, bytesMax: CoverLimits.buttonBytesMax) ?? about.app
        let content = CoverContent(
            subject: CoverSubject(about), face: face, picture: picture,
            announcement: words.announcement(name), notice: isUnreachable ? notice(face, about) : nil,
            closing: about.closing)
        for reason in refused where looks.isNew(reason, for: CoverSubject(about)) {
            log.warning(
                "a part of a shield's look is not shown",
                [("subject", .text(about.subject)), ("reason", .text(reason))])
        }
        guard content != cover.content else { return }
        cover.content = content
        cover.view.set(content, words: words)
    }

    private func notice(_ face: CoverFace, _ about: CoveredWindow) -> String {
        // What a press does to an app that has not closed is more important than why it does it.
        about.closing == nil ? words.unreachable(face.primary.text) : face.subtitle.text
    }

    // MARK: buttons

    private func pressed(_ button: ShieldButton, on cover: StandingCover) {
        // It is being closed already, and waits for an answer.
        if cover.about.closing == .asking, button == .primary {
            if let window = UInt32(exactly: cover.about.window) { placement.turn(from: window) }
            return
        }
        guard begin(cover) else { return }
        let span = tracer.start("press", .internal, parent: nil)
        let about = cover.about
        let params = ShieldPress.Params(
            member: about.member.isEmpty ? nil : about.member, kind: about.kind, subject: about.subject,
            button: button)
        let generation = cover.generation
        ports.press(params, span.context) { [weak self, weak cover] result in
            guard let self else { return }
            // An answer for a cover that is gone, or is about something else now, is for nobody.
            let cover = cover?.generation == generation ? cover : nil
            switch result {
            case .success(let answer):
                tracer.end(span, subject: about.app)
                guard let cover else { return }
                finish(cover, button, answer.action.response, span.context, withoutService: false)
            case .failure(let error):
                tracer.end(span, outcome: error.name.rawValue, subject: about.app)
                if let cover { failed(cover, button, error, span.context) }
            }
        }
    }

    private func finish(
        _ cover: StandingCover, _ button: ShieldButton, _ response: ShieldResponse, _ trace: TraceContext,
        withoutService: Bool
    ) {
        switch response {
        case .none: enable(cover)
        case .defer:
            enable(cover)
            ports.askForLooks()
        case .close, .openParentalControlsApp:
            presses.add(
                CoverPress(
                    cover: cover.about, button: button, response: response, withoutService: withoutService,
                    traceparent: trace.traceparent))
            // The app closes, and its cover with it; if not, it can be pressed again.
            cover.acting = EventLoop.main.after(CoverLimits.acting) { [weak self, weak cover] in
                if let cover { self?.enable(cover) }
            }
        }
    }

    private func failed(
        _ cover: StandingCover, _ button: ShieldButton, _ error: ServiceError, _ trace: TraceContext
    ) {
        log.warning(
            "a press was not answered",
            [("subject", .text(cover.about.subject)), ("error", .text(error.name.rawValue))])
        guard error.name == .unavailable || error.name == .deadlineExceeded else { return enable(cover) }
        becomeUnreachable()
        // Notices when it can be reached again.
        ports.askForLooks()
        guard button == .primary else { return enable(cover) }
        finish(cover, button, .close, trace, withoutService: true)
    }

    /// One press at a time.
    private func begin(_ cover: StandingCover) -> Bool {
        guard !cover.isPressing else { return false }
        cover.isPressing = true
        cover.view.areButtonsEnabled = false
        return true
    }

    // MARK: more time

    /// The requests and members, from auth-service.
    func apply(_ picture: AskPicture) { asking.apply(picture) }

    private func ask(_ action: AskAction, on cover: StandingCover) {
        guard begin(cover) else { return }
        let generation = cover.generation
        asking.act(action, on: cover) { [weak self, weak cover] in
            guard let cover, cover.generation == generation else { return }
            self?.enable(cover)
        }
    }

    private func enable(_ cover: StandingCover) {
        if let acting = cover.acting { EventLoop.main.cancel(acting) }
        cover.acting = nil
        cover.isPressing = false
        cover.view.areButtonsEnabled = true
    }
}
