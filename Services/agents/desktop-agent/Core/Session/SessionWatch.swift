import Contract
import Loop
import ServiceKit

/// Passes events of logind, media players and screen savers to `Presence`.
@LoopActor final class SessionWatch {
    private let presence: Presence
    private let sender: ObservationSender
    private var login: LoginWatch?
    private var players: PlayerWatch?

    init(_ options: AgentOptions, _ presence: Presence, _ sender: ObservationSender, _ log: Log) {
        self.presence = presence
        self.sender = sender
        login = LoginWatch(
            address: options.systemBus, sessionID: options.loginSession, log: log,
            tell: { [weak self] in self?.handle($0) }, inhibitorsChanged: { [weak self] in self?.judge() })
        players = options.sessionBus.map { address in
            PlayerWatch(
                address: address, changed: { [weak self] in self?.judge() },
                saver: { [weak self] in self?.handle(saver: $0) })
        }
        presence.onSomebody = { [weak self] in self?.login?.sawSomebody() }
    }

    func start() {
        login?.start()
        players?.start()
    }

    func close() {
        login?.close()
        players?.close()
    }

    /// For `health.check`: whether logind knows our session, and how many processes play media.
    var counters: [Counter] {
        [
            Counter(name: "login_session", count: login?.knowsSession == true ? 1 : 0),
            Counter(name: "players", count: Int64(players?.playing.count ?? 0)),
        ]
    }

    private func handle(_ event: LoginWatch.Event) {
        switch event {
        case .locked: presence.attendance.setLocked(true)
        case .unlocked: presence.attendance.setLocked(false)
        case .woke: presence.attendance.setAsleep(false)
        case .sleeps:
            presence.attendance.setAsleep(true)
            sender.whenEmpty(within: AgentLimits.sleep) { [weak self] in self?.login?.allowSleep() }
        }
    }

    /// If logind knows our session, its lock state is used instead.
    private func handle(saver isActive: Bool) {
        guard login?.knowsSession != true else { return }
        presence.attendance.setLocked(isActive)
    }

    private func judge() {
        var programs = (login?.inhibitors ?? []).map { Presence.Playing(pid: $0.pid, name: $0.who) }
        programs += (players?.playing ?? []).map { Presence.Playing(pid: $0, name: "") }
        presence.setPlaying(programs)
    }
}
