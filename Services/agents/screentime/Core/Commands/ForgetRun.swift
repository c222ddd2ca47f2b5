import Bus
import CommandKit
import Contract
import Glibc
import Loop
import ServiceKit
import Units

/// Makes every service forget: first those whose records mention usage, then its owner, then report-service's
/// copy. After an interruption a repeat completes what is left.
@LoopActor final class ForgetRun {
    private static let services: [ServiceName] = [.notifier, .monitor, .shield, .auth, .activity, .report]
    /// Enough for a large history, whose files are rewritten.
    private static let deadline: Milliseconds = 120_000

    private let session: Session
    private let order: ForgetOrder
    private var words: [String] = []
    private var counts: [ServiceName: [Counter]] = [:]
    private var left: [LeftPlace] = []
    private var heads: [Position] = []
    /// One trace for all services: report-service recognises by it which forgetting an event belongs to.
    private let trace = TraceContext.root()

    init(_ session: Session, _ order: ForgetOrder) {
        self.session = session
        self.order = order
    }

    // MARK: before

    /// Asks every service what would go. Nothing goes before all of them answered.
    func rehearse() async throws {
        try await readHeads()
        for service in [.activity] + Self.services.filter({ $0 != .activity }) {
            let result: PrivacyForget.Result
            do { result = try await ask(service, rehearse: true, until: nil) } catch {
                let error = CommandError(anything: error)
                throw CommandError(
                    error.code, "\(service.rawValue) cannot forget: \(error.message)",
                    remedy: "\(error.remedy) Nothing was removed.")
            }
            if service == .activity { words = result.words }
            counts[service] = result.removed
            left += result.left
        }
    }

    /// What every service has applied before it forgets, since nobody can read an erased event.
    private func readHeads() async throws {
        heads = []
        for service in Self.services {
            do {
                try await session.makeSureItAnswers(service)
                let health = try await session.client(service).call(HealthCheck.self, Nothing())
                heads.append(Position(service, health.head))
            } catch {
                let error = CommandError(anything: error)
                throw CommandError(
                    error.code, "\(service.rawValue) cannot forget now: \(error.message)",
                    remedy: "Start it and ask again. Nothing was removed.")
            }
        }
    }

    private func ask(
        _ service: ServiceName, rehearse: Bool, until: Instant?
    ) async throws(ServiceError) -> PrivacyForget.Result {
        var params = order.params
        params.words = words
        params.rehearse = rehearse
        params.until = until
        return try await session.client(service).call(
            PrivacyForget.self, params,
            options: CallOptions(deadline: Self.deadline, trace: trace, notBefore: heads))
    }

    // MARK: doing it

    func perform() async throws {
        // The person may have thought about it for a while.
        try await readHeads()
        left = []
        counts = [:]
        var until: Instant?
        for service in Self.services {
            do {
                let result = try await ask(service, rehearse: false, until: until)
                counts[service] = result.removed
                left += result.left
                if service == .activity {
                    until = result.until
                    heads.append(Position(.activity, result.sequence))
                }
            } catch {
                let error = CommandError(error)
                let rest = Self.services.drop { $0 != service }.map(\.rawValue).joined(separator: ", ")
                throw CommandError(
                    error.code, "\(service.rawValue) did not say that it forgot: \(error.message)",
                    remedy: "Run the same command again. Not done yet: \(rest).")
            }
        }
        try forgetOtherLogs()
    }

    /// Logs of what is no service: the desktop agent's and those of extensions that are no more.
    private func forgetOtherLogs() throws {
        let directory = session.configuration.logDirectory
        let own = Set(ServiceName.allCases.flatMap { [$0.rawValue + ".log"] })
        var params = order.params
        params.words = words
        let forgetting = try Forgetting(params)
        guard let entries = opendir(directory) else { return }
        defer { closedir(entries) }
        var count = 0
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.contains(".log"), !own.contains(name), entry.pointee.d_type == UInt8(DT_REG) else {
                continue
            }
            count += try forgetting.removeLines(from: "\(directory)/\(name)")
        }
        if count > 0 {
            counts[.monitor, default: []].append(Counter(name: "lines of other logs", count: Int64(count)))
        }
    }

    // MARK: telling

    func printPlan() {
        Console.print("To forget: \(order.sentence).")
        let names = words.map { $0.isEmpty ? "pages without a host" : DomainName.readable($0) }
        if !words.isEmpty { Console.print("Nothing is left then of: \(names.joined(separator: ", ")).") }
        printCounts("Nothing recorded speaks of it.")
    }

    func printOutcome() {
        Console.print("Forgotten:")
        printCounts("Nothing recorded spoke of it.")
        if !left.isEmpty { Console.print("What still names it:") }
        for place in left { Console.print("  \(place.place)\n    to remove that too: \(place.remedy)") }
        printKept()
        printBackups()
    }

    /// Their contents are the apps' own, so they cannot be searched.
    private func printKept() {
        let kept = KeptFiles(stateDirectory: session.configuration.stateDirectory).present()
        guard !kept.isEmpty else { return }
        Console.print("Apps keep files of their own, which may tell of it:")
        for one in kept {
            Console.print("  \(one.owner)")
            Console.print("    to remove what it keeps: rm -r -- \(VisibleText.shellWord(one.path))")
        }
    }

    /// They were made before now, so they hold what was forgotten now.
    private func printBackups() {
        let copies = BackupRegistry(stateDirectory: session.configuration.stateDirectory).present()
        guard !copies.isEmpty else { return }
        Console.print("Backups that still hold it:")
        for copy in copies {
            Console.print("  \(copy.path) (\(LocalTime.text(copy.made)))")
            Console.print("    to remove it: rm -r -- \(VisibleText.shellWord(copy.path))")
        }
    }

    private func printCounts(_ nothing: String) {
        for service in Self.services {
            guard let removed = counts[service], !removed.isEmpty else { continue }
            let words = removed.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
            Console.print("  \(service.rawValue): \(words)")
        }
        if counts.values.allSatisfy(\.isEmpty) { Console.print("  \(nothing)") }
    }
}
