import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Reports the installed apps to activity-center: all at first, then changes.
@LoopActor final class AppReporter {
    private let client: RequestClient
    private let device: String
    private let log: Log
    private let patience: Milliseconds
    private var wanted: [String: InstalledApp] = [:]
    /// The acknowledged apps; nil if none yet.
    private var acknowledged: [String: InstalledApp]?
    private var isBusy = false
    private var isClosed = false
    private var waiting: [Waiter] = []

    /// A caller that waits for the report of some apps.
    private struct Waiter {
        let number: Int
        let reply: @LoopActor (Position?) -> Void
    }
    private var nextWaiter = 0

    /// - Parameter patience: how long `report` waits for activity-center.
    init(
        _ client: RequestClient, device: String, log: Log, patience: Milliseconds = AgentLimits.report
    ) {
        self.client = client
        self.device = device
        self.log = log
        self.patience = patience
    }

    func close() { isClosed = true }

    /// The apps as they are now.
    func set(_ entries: [AppEntry]) {
        wanted = [:]
        for entry in entries where !entry.isHidden {
            if let app = InstalledApp(entry) { wanted[app.app] = app }
        }
        send()
    }

    /// Those of `apps` that are installed here, so that they can be reported.
    func reportable(_ apps: Set<String>) -> Set<String> { apps.filter { wanted[$0] != nil } }

    /// Reports apps that activity-center does not know, or has forgotten.
    /// - Parameter reply: receives the report's position in activity-center's log; nil if it did not arrive
    ///   in time.
    func report(_ apps: Set<String>, reply: @escaping @LoopActor (Position?) -> Void) {
        for app in apps { acknowledged?[app] = nil }
        nextWaiter += 1
        let number = nextWaiter
        waiting.append(Waiter(number: number, reply: reply))
        EventLoop.main.after(patience) { [weak self] in
            guard let self, let place = waiting.firstIndex(where: { $0.number == number }) else { return }
            waiting.remove(at: place).reply(nil)
        }
        send()
    }

    private func settled(_ position: Position?) {
        let waiting = waiting
        self.waiting = []
        for one in waiting { one.reply(position) }
    }

    private func send() {
        guard !isBusy, !isClosed, acknowledged != wanted else { return }
        let changed = wanted.filter { acknowledged?[$0.key] != $0.value }.sorted { $0.key < $1.key }
        let apps = changed.prefix(AgentLimits.appsPerRequestMax).map(\.value)
        let gone = (acknowledged ?? [:]).keys.filter { wanted[$0] == nil }.sorted()
        isBusy = true
        client.send(
            CatalogObserve.self,
            CatalogObserve.Params(
                device: device, apps: apps, gone: gone.isEmpty ? nil : gone,
                begins: acknowledged == nil ? true : nil),
            options: CallOptions(deadline: AgentLimits.answer)
        ) { [weak self] in self?.finish(apps, gone, $0) }
    }

    private func finish(_ apps: [InstalledApp], _ gone: [String], _ result: Result<Written, ServiceError>) {
        isBusy = false
        switch result {
        case .success(let written):
            var known = acknowledged ?? [:]
            for app in apps { known[app.app] = app }
            for id in gone { known[id] = nil }
            acknowledged = known
            if known == wanted { settled(Position(.activity, written.sequence)) }
            send()
        case .failure(let error) where error.name == .unavailable || error.name == .deadlineExceeded:
            send()
        case .failure(let error):
            log.warnOnce(
                "apps", "activity-center refuses the list of apps", [("error", .text(error.name.rawValue))])
            settled(nil)
        }
    }
}

extension InstalledApp {
    /// Nil if its id is too long for a report.
    fileprivate init?(_ entry: AppEntry) {
        // As in AppIdentity: desktop files come from anybody.
        let id = VisibleText.escaped(entry.id)
        guard VisibleText.isName(id) else { return nil }
        func short(_ text: String?) -> String? {
            text.map { VisibleText.escaped($0) }.flatMap { VisibleText.isName($0) ? $0 : nil }
        }
        self.init(
            app: id, name: short(String(entry.name.prefix(100))) ?? id,
            categories: Array(entry.categories.compactMap { short($0) }.prefix(32)),
            icon: short(entry.icon), windowClass: short(entry.startupClass))
    }
}
