import Bus
import CommandKit
import Contract
import Loop
import Rules
import Time
import Units

/// Hands changes to activity-center in batches, several on the way at once, and waits until the report
/// has them.
@LoopActor final class ImportCommandSender {
    struct Sums: Equatable {
        var accepted: Int64 = 0
        var duplicates: Int64 = 0
        /// Head of activity-center's log after the last batch.
        var sequence: Int64 = 0
    }

    private let session: Session
    private let member: String?
    private let trace = TraceContext.root()

    /// Batches on the way: enough that the service never waits for us, few enough that its answers come soon.
    private static let batchesOpenMax = 4
    /// Bytes of observations in one batch, so that it fits into a message.
    private nonisolated static let batchBytesMax = 900 * 1024
    /// Apps and hosts in one batch. The service publishes an event for each and answers no other request
    /// meanwhile.
    private nonisolated static let subjectsPerBatchMax = 500
    /// One batch, on a slow disk.
    private static let batchDeadline: Milliseconds = 120_000
    /// Until report-service has applied everything, even if it must rebuild its copy.
    private static let reportDeadline: Milliseconds = 600_000
    /// Between two looks at why it takes so long.
    private static let reportLook: Milliseconds = 5_000

    init(_ session: Session, member: String?) {
        self.session = session
        self.member = member
    }

    /// - Parameter sums: of the devices before it.
    /// - Returns: those and its own.
    /// - Throws: the refusal of the first batch that failed, saying what was imported before it.
    func send(_ device: ImportedDevice, model: String, after sums: Sums) async throws -> Sums {
        try await session.makeSure(.activity)
        let client = try session.client(.activity)
        let changes = device.changes
        let batches = Self.batches(changes, apps: device.apps)
        let progress = ImportCommandProgress(total: changes.count)
        let name = device.name ?? ""
        return try await withCheckedThrowingContinuation { continuation in
            let run = Run(batches, sums, progress, continuation) { [self] batch, completion in
                client.send(
                    UsageObserve.self,
                    UsageObserve.Params(
                        member: member, device: name, deviceModel: model,
                        observations: Self.observations(of: device, batch)),
                    options: CallOptions(deadline: Self.batchDeadline, trace: trace),
                    completion: completion)
            }
            for _ in 0..<Self.batchesOpenMax { run.sendNext() }
        }
    }

    /// Returns when a report shows what was sent.
    func awaitReport(of sums: Sums) async throws {
        do {
            try await session.makeSureItAnswers(.report)
            let end = MonotonicClock.now + Self.reportDeadline
            while try await !reportShows(sums.sequence) {
                let health = try await Screentime.health(
                    of: .report, session, wait: Self.reportLook)
                guard health.degradedBy.isEmpty, MonotonicClock.now < end else {
                    throw CommandError(
                        ExitCode.temporary, health.degradedBy.first ?? "report-service has not taken it in",
                        remedy: "It will as soon as it can; see `screentime status`.")
                }
                Console.note("report-service has \(health.queue) messages to take in")
            }
        } catch {
            let error = CommandError(anything: error)
            throw CommandError(
                error.code, "everything is imported, but the report does not show it yet: \(error.message)",
                remedy: error.remedy)
        }
    }

    /// Whether a report with everything up to `sequence` came within a short while.
    private func reportShows(_ sequence: Int64) async throws(ServiceError) -> Bool {
        do throws(ServiceError) {
            _ = try await session.client(.report).call(
                ReportQuery.self, ReportQuery.Params(member: member, by: .total),
                options: CallOptions(
                    deadline: Self.reportLook, trace: trace, notBefore: [Position(.activity, sequence)]))
            return true
        } catch {
            guard error.name == .deadlineExceeded else { throw error }
            return false
        }
    }

    /// What is known of an app goes with its first change in a batch.
    nonisolated static func observations(
        of device: ImportedDevice, _ batch: Range<Int>
    ) -> [Observation] {
        var told: Set<String> = []
        return device.changes[batch].map { change in
            var observation = change.observation
            if let id = observation.app, let app = device.apps[id], told.insert(id).inserted {
                observation.appName = app.name
                observation.appCategories = app.categories
            }
            return observation
        }
    }

    /// Neighbouring changes, so that each batch is one stretch of time.
    nonisolated static func batches(
        _ changes: [UsageChange], apps: [String: ImportedApp] = [:]
    ) -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var start = 0
        var bytes = 0
        var subjects: Set<String> = []
        for (index, change) in changes.enumerated() {
            // An observation's fields and numbers take less than 144; a byte of a name at
            // most 2, since the parser lets no control characters through.
            var size = 144 + 2 * change.kind.nameBytes
            if let app = change.kind.app.flatMap({ apps[$0] }) { size += app.bytes }
            let isFull =
                index - start == Limits.observationsPerRequestMax || bytes + size > batchBytesMax
                || subjects.count >= subjectsPerBatchMax
            if isFull {
                batches.append(start..<index)
                (start, bytes, subjects) = (index, 0, [])
            }
            bytes += size
            subjects.formUnion(change.kind.names)
        }
        if start < changes.count { batches.append(start..<changes.count) }
        return batches
    }

    /// The batches of one import under way.
    @LoopActor private final class Run {
        typealias Send =
            @LoopActor (Range<Int>, @escaping @LoopActor (Result<UsageObserve.Result, ServiceError>) -> Void)
            -> Void

        private var rest: ArraySlice<Range<Int>>
        private var openCount = 0
        private var sums: Sums
        private var failure: ServiceError?
        private var continuation: CheckedContinuation<Sums, any Error>?
        private let progress: ImportCommandProgress
        private let send: Send

        init(
            _ batches: [Range<Int>], _ sums: Sums, _ progress: ImportCommandProgress,
            _ continuation: CheckedContinuation<Sums, any Error>, send: @escaping Send
        ) {
            rest = batches[...]
            self.sums = sums
            self.progress = progress
            self.continuation = continuation
            self.send = send
        }

        func sendNext() {
            guard failure == nil, let batch = rest.popFirst() else { return finishIfIdle() }
            openCount += 1
            send(batch) { [self] result in took(batch, result) }
        }

        private func took(_ batch: Range<Int>, _ result: Result<UsageObserve.Result, ServiceError>) {
            openCount -= 1
            switch result {
            case .success(let answer):
                sums.accepted += answer.accepted
                sums.duplicates += answer.duplicates
                sums.sequence = max(sums.sequence, answer.sequence)
                progress.advance(by: batch.count)
            case .failure(let error): failure = failure ?? error
            }
            sendNext()
        }

        private func finishIfIdle() {
            guard openCount == 0, let continuation else { return }
            self.continuation = nil
            progress.end()
            guard let failure else { return continuation.resume(returning: sums) }
            let error = CommandError(failure)
            let kept = sums.accepted + sums.duplicates
            continuation.resume(
                throwing: CommandError(
                    error.code, error.message,
                    remedy: kept == 0
                        ? "\(error.remedy) Nothing was imported."
                        : "\(error.remedy) \(kept) rows are imported; the same import again adds the others."
                ))
        }
    }
}

extension ImportedApp {
    /// In JSON, at most.
    fileprivate var bytes: Int {
        (categories ?? []).reduce(48 + 2 * (name?.utf8.count ?? 0)) { $0 + 4 + 2 * $1.utf8.count }
    }
}

extension UsageChange.Kind {
    fileprivate var app: String? {
        switch self {
        case .opened(let subject, _), .closed(let subject, _), .notification(let subject):
            subject.kind == .app ? subject.id : nil
        case .focus(.app(let id)): id
        case .domain(_, let browser): browser
        default: nil
        }
    }

    fileprivate var names: [String] {
        switch self {
        case .opened(let subject, _), .closed(let subject, _), .notification(let subject): [subject.id]
        case .focus(.app(let id)): [id]
        case .visit(let host): [host]
        case .domain(let host, let browser): [host, browser].compactMap(\.self)
        default: []
        }
    }

    fileprivate var nameBytes: Int { names.reduce(0) { $0 + $1.utf8.count } }
}
