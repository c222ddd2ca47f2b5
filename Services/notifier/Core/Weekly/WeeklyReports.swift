import Bus
import Contract
import Loop
import ServiceKit

/// Writes weekly reports when they are due, and opens what they lead to.
@LoopActor final class WeeklyReports {
    private let service: Service
    private let reader: WeekOfUseReader
    private let words: WeeklyWords
    private var pause = BackOff()
    private var isTried = false
    private var retry: TimerToken?
    /// Why the last attempt failed, by number of the notification, until the next one.
    private var waiting: [Int64: String] = [:]
    /// Called when those that wait may be tried again; whether they must wait for others first.
    var onRetry: @LoopActor () -> Bool = { false }

    init(_ service: Service) {
        self.service = service
        reader = WeekOfUseReader(service)
        words = .chosen(from: service.configuration.languages)
    }

    /// Why a notification is not written yet, a sentence; nil if it may be tried.
    func obstacle(_ number: Int64) -> String? { waiting[number] }

    /// Writes title and body. `end` is called later, with nil if they cannot be known now; then the
    /// notification waits until ``onRetry``.
    func write(
        _ row: StoredNotification, trace: TraceContext,
        _ end: @escaping @LoopActor (OutgoingReport?) -> Void
    ) {
        isTried = true
        let record = row.record
        let name = record.member.flatMap { service.household.member($0)?.name }
        Task { @LoopActor [weak self, reader, words] in
            do throws(ServiceError) {
                let week = try await reader.read(
                    record.member, due: record.due ?? record.posted, by: record.trigger, trace: trace)
                self?.succeeded()
                let (title, body) = words.text(week, name)
                end(OutgoingReport(week, title: title, body: body, member: record.member))
            } catch {
                self?.failed(row.number, error)
                end(nil)
            }
        }
    }

    func stop() {
        if let retry { service.loop.cancel(retry) }
        retry = nil
    }

    private func succeeded() {
        // Another one may still wait.
        guard waiting.isEmpty else { return }
        pause.reset()
        service.setDegraded("weekly report", nil)
    }

    private func failed(_ number: Int64, _ error: ServiceError) {
        let reason = "the weekly report is not written: report.query: \(error.message)"
        waiting[number] = reason
        service.setDegraded("weekly report", reason)
        service.log.warning(
            "a weekly report is not written; it will be retried", [("error", .text(error.name.rawValue))])
        retryLater()
    }

    private func retryLater() {
        guard retry == nil else { return }
        retry = service.loop.after(pause.take()) { [weak self] in
            self?.tryAgain()
        }
    }

    private func tryAgain() {
        (retry, waiting, isTried) = (nil, [:], false)
        let isHeldBack = onRetry()
        guard !isTried else { return }
        if isHeldBack { return retryLater() }
        // What waited was withdrawn, or there is no daemon now.
        succeeded()
    }

    /// A report was clicked: the desktop-agent of this session opens the console.
    func open(trace: TraceContext?) {
        guard service.configuration.runtime.somebodyListens(named: AgentName.desktopAgent) else {
            return service.log.warning("no desktop-agent runs here that could open the console")
        }
        Task { @LoopActor in
            do {
                let agent = try RequestClient(
                    toNamed: AgentName.desktopAgent, in: service.transport, tracer: service.tracer)
                defer { agent.close() }
                _ = try await agent.call(
                    PageOpen.self, PageOpen.Params(page: WeeklyReport.page),
                    options: CallOptions(deadline: NotifierLimits.banner, trace: trace))
            } catch {
                service.log.warning(
                    "the desktop-agent did not open the console",
                    [("error", .text(ServiceError(anything: error).message))])
            }
        }
    }
}
