import Bus
import CGio
import Contract
import Loop
import ServiceKit

/// Opens the app whose store shields something: what a button of a shield asks for
/// (ShieldActionResponse.openParentalControlsApp).
@LoopActor struct ControllingApp {
    let shield: RequestClient
    let log: Log
    let notice: Notice
    private static let notification = "controlling-app"

    init(shield: RequestClient, log: Log, notice: Notice) {
        self.shield = shield
        self.log = log
        self.notice = notice
    }

    /// Opens it by its desktop entry, `<bundle id>.desktop`, with the shield in its environment:
    /// `SCREENTIME_SHIELD_KIND` and `SCREENTIME_SHIELD_SUBJECT`. If that cannot be, the person is told by a
    /// notification: a button that does nothing looks broken.
    func open(_ press: CoverPress) {
        let cover = press.cover
        let params = ShieldScreenRead.Params(
            member: cover.member.isEmpty ? nil : cover.member, kind: cover.kind, subject: cover.subject)
        let options = CallOptions(deadline: AgentLimits.answer, trace: TraceContext(press.traceparent))
        shield.send(ShieldScreenRead.self, params, options: options) { result in
            switch result {
            case .failure(let error):
                log.warning("the app that shields is not known", [("error", .text(error.name.rawValue))])
                tell("Which app shields \(cover.name) is not known now: \(error.message).", options)
            case .success(let answer):
                let client = answer.screen.client
                guard !Self.launch(client, cover) else { return }
                log.warning(
                    "the app that shields has no desktop entry that can be opened",
                    [("client", .text(client))])
                tell(
                    "\(client) shields \(cover.name), and has no desktop entry here that can be opened "
                        + "(\(client).desktop).", options)
            }
        }
    }

    private func tell(_ reason: String, _ options: CallOptions) {
        notice.post(Self.notification, title: "The app that shields cannot be opened", reason, options)
    }

    private static func launch(_ client: String, _ cover: CoveredWindow) -> Bool {
        guard let entry = g_desktop_app_info_new(client + ".desktop") else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(entry)) }
        guard let context = g_app_launch_context_new() else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        g_app_launch_context_setenv(context, "SCREENTIME_SHIELD_KIND", cover.kind.rawValue)
        g_app_launch_context_setenv(context, "SCREENTIME_SHIELD_SUBJECT", cover.subject)
        return g_app_info_launch(entry, nil, context, nil) != 0
    }
}
