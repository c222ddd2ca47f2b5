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
    /// Whether buttons can be pressed.
    var areButtonsEnabled: Bool { get set }
    /// - Parameters:
    ///   - announcement: what a screen reader says.
    ///   - notice: shown instead of the subtitle.
    /// - Returns: what could not be drawn, a sentence each.
    func set(_ face: CoverFace, words: Words, about announcement: String, notice: String?) -> [String]
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
