import Bus
import Contract
import Loop
import ServiceKit

/// Tells activity-center which apps this machine has: all of them at first, then what changes.
@LoopActor final class AppReporter {
    private let client: RequestClient
    private let device: String
    private let log: Log
    private var wanted: [String: InstalledApp] = [:]
    /// What was acknowledged; nil: nothing yet.
    private var told: [String: InstalledApp]?
    private var isBusy = false
    private var isClosed = false

    init(_ client: RequestClient, device: String, log: Log) {
        self.client = client
        self.device = device
        self.log = log
    }

    func close() { isClosed = true }

    func take(_ entries: [AppEntry]) {
        wanted = [:]
        for entry in entries where !entry.isHidden {
            if let app = InstalledApp(entry) { wanted[app.app] = app }
        }
        send()
    }

    private func send() {
        guard !isBusy, !isClosed, told != wanted else { return }
        let changed = wanted.filter { told?[$0.key] != $0.value }.sorted { $0.key < $1.key }
        let apps = changed.prefix(AgentLimits.appsPerRequestMax).map(\.value)
        let gone = (told ?? [:]).keys.filter { wanted[$0] == nil }.sorted()
        isBusy = true
        client.send(
            CatalogObserve.self,
            CatalogObserve.Params(
                device: device, apps: apps, gone: gone.isEmpty ? nil : gone,
                begins: told == nil ? true : nil),
            options: CallOptions(deadline: AgentLimits.answer)
        ) { [weak self] in self?.finish(apps, gone, $0) }
    }

    private func finish(_ apps: [InstalledApp], _ gone: [String], _ result: Result<Written, ServiceError>) {
        isBusy = false
        switch result {
        case .success:
            var known = told ?? [:]
            for app in apps { known[app.app] = app }
            for id in gone { known[id] = nil }
            told = known
            send()
        case .failure(let error) where error.name == .unavailable || error.name == .deadlineExceeded:
            send()
        case .failure(let error):
            log.warnOnce(
                "apps", "activity-center does not take the list of apps",
                [("error", .text(error.name.rawValue))])
        }
    }
}

extension InstalledApp {
    /// nil when its id is too long to be told.
    fileprivate init?(_ entry: AppEntry) {
        // As AppIdentity has it: a desktop file is written by anybody.
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
