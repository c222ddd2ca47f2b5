import Bus
import Contract
import Loop
import ServiceKit

/// The desktop-agent's banners. A notification that repeats one is not shown beside it.
@LoopActor struct Banners {
    let service: Service

    /// Asks the agent of this session whether it shows a warning. `end` is called later; with false, too, if
    /// no agent runs here or it does not answer in time: then the notification is what the person sees.
    func isShown(_ key: String, trace: TraceContext, _ end: @escaping @LoopActor (Bool) -> Void) {
        guard service.configuration.runtime.somebodyListens(named: AgentName.desktopAgent) else {
            return end(false)
        }
        Task { @LoopActor in
            do {
                let agent = try RequestClient(
                    toNamed: AgentName.desktopAgent, in: service.transport, tracer: service.tracer)
                defer { agent.close() }
                let options = CallOptions(deadline: NotifierLimits.banner, trace: trace)
                let answer = try await agent.call(
                    BannerIsShown.self, BannerIsShown.Params(key: key), options: options)
                end(answer.shown)
            } catch {
                service.log.warning(
                    "whether the desktop-agent shows a warning is not known; its notification is shown",
                    [("error", .name(of: error))])
                end(false)
            }
        }
    }
}
