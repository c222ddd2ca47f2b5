import Bus
import CommandKit
import Contract
import Loop
import ServiceKit
import Units

/// `doctor --deep`: every page of every store, and whether the logs and the cursors in them fit together.
enum StoreChecks {
    private static let deadline: Milliseconds = 600_000

    @LoopActor static func all(_ session: Session) async -> [Finding] {
        var findings: [Finding] = []
        var found: [ServiceName: StoreCheck.Result] = [:]
        for service in ServiceName.startOrder {
            let check = "store of \(service.rawValue)"
            do {
                try await session.makeSureItAnswers(service)
                let result = try await session.client(service).call(
                    StoreCheck.self, Nothing(), options: CallOptions(deadline: deadline))
                found[service] = result
                if result.findings.isEmpty {
                    findings.append(.ok(check, "\(result.bytes / 1024) KiB hold what was committed"))
                }
                let remedy = DamagedStore.remedy(service, in: session.configuration.stateDirectory)
                findings += result.findings.map { .error(check, $0, remedy) }
            } catch {
                let error = CommandError(anything: error)
                findings.append(.error(check, "could not be checked: \(error.message)", error.remedy))
            }
        }
        return findings + (await cursors(session, found))
    }

    /// Heads are asked for after all cursors are known: a log only grows.
    @LoopActor private static func cursors(
        _ session: Session, _ found: [ServiceName: StoreCheck.Result]
    ) async -> [Finding] {
        var findings: [Finding] = []
        for (service, result) in found.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for cursor in result.cursors {
                guard let owner = ServiceName(rawValue: cursor.service), let log = found[owner] else {
                    continue
                }
                let check = "cursor of \(service.rawValue)"
                guard cursor.epoch == log.epoch else {
                    findings.append(
                        .error(
                            check, "it is in another log of \(owner.rawValue) than the present one",
                            "See `screentime status`."))
                    continue
                }
                let head = await session.head(of: owner) ?? log.head
                guard cursor.sequence > head else { continue }
                findings.append(
                    .error(
                        check, "it is at \(cursor.sequence) of \(owner.rawValue), whose log ends at \(head)",
                        "The store of \(owner.rawValue) is older than what followed it; see `screentime status`."
                    ))
            }
        }
        return findings.isEmpty ? [.ok("cursors", "fit the logs that they are in")] : findings
    }
}
