import Contract
import Loop

/// What the rules of covers need of a window that draws one.
@LoopActor protocol CoverView: CoverSurface {
    /// Called once, when the first frame is on the screen.
    var onFrame: (@LoopActor () -> Void)? { get set }
    /// Called with each button that the person presses.
    var onPress: (@LoopActor (ShieldButton) -> Void)? { get set }
    /// Called with what the person chose about more time.
    var onAsk: (@LoopActor (AskAction) -> Void)? { get set }
    /// Called with a click beside all that can be pressed.
    var onTurn: (@LoopActor () -> Void)? { get set }
    /// Called with whether the buttons take keys and clicks: at once, and when that changes. They do some
    /// time after the cover appeared or got the focus.
    var onOpen: (@LoopActor (_ isOpen: Bool) -> Void)? { get set }
    /// Whether buttons can be pressed.
    var areButtonsEnabled: Bool { get set }
    func set(_ content: CoverContent, words: Words)
    /// The desktop's text size, style or monitors changed: chooses the parts that fit again.
    func fit()
}

/// Everything that one cover shows.
struct CoverContent: Equatable, Sendable {
    var subject: CoverSubject
    var face: CoverFace
    /// Instead of the hourglass.
    var picture: Pixels?
    /// What a screen reader says.
    var announcement: String
    /// Shown instead of the subtitle.
    var notice: String?
    /// What became of the wish to close the app; the texts say it.
    var closing: CoverClosing?
}

/// The shielded subject that a cover is about, as shield-service knows it.
struct CoverSubject: Hashable, Sendable {
    var member: String
    var kind: SubjectKind
    var subject: String

    init(member: String, kind: SubjectKind, subject: String) {
        self.member = member
        self.kind = kind
        self.subject = subject
    }

    init(_ cover: CoveredWindow) {
        self.init(member: cover.member, kind: cover.kind, subject: cover.subject)
    }
}
