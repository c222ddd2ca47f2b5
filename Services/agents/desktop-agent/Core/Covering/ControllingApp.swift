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

    /// Opens it by its desktop entry, `<bundle id>.desktop`, with the shield in its environment:
    /// `SCREENTIME_SHIELD_KIND` and `SCREENTIME_SHIELD_SUBJECT`.
    func open(_ press: CoverPress) {
        let cover = press.cover
        let params = ShieldScreenRead.Params(
            member: cover.member.isEmpty ? nil : cover.member, kind: cover.kind, subject: cover.subject)
        let options = CallOptions(deadline: AgentLimits.answer, trace: TraceContext(press.traceparent))
        shield.send(ShieldScreenRead.self, params, options: options) { [log] result in
            switch result {
            case .failure(let error):
                log.warning("the app that shields is not known", [("error", .text(error.name.rawValue))])
            case .success(let answer):
                guard !Self.launch(answer.screen.client, cover) else { return }
                log.warning(
                    "the app that shields has no desktop entry that can be opened",
                    [("client", .text(answer.screen.client))])
            }
        }
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
