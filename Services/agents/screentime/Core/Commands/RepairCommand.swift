import Bus
import CommandKit
import Contract
import Loop
import Time

extension Screentime {
    static let repairCommand = Command(
        "repair", [Argument("SERVICE", .optional, values: .suggestions(of: ServiceName.self))],
        options: [
            Option("--discard-unreadable", nil, "Also delete what was set aside because it cannot be read.")
        ],
        summary: "Rebuild the copies that services keep of each other's state.",
        details: """
            They are rebuilt from the owners' present state. Nothing that a service owns is touched:
            members, approvals, usage, limits, extensions, notifications. A restored or damaged owner is
            noticed without this command; it is for a copy that differs from its owner's state for any other
            reason.

            A service sets records aside that it cannot read, and `screentime status` says so until a backup
            is restored, or --discard-unreadable deletes them.

            Exit code 0 when each copy is complete; 69 when a service or an owner of a copy does not run.
            """
    ) { invocation in
        let session = try invocation.session()
        let services = try repaired(invocation.arguments.first)
        let discards = invocation.has("--discard-unreadable")
        for service in services { try await repair(service, discards: discards, session) }
        return ExitCode.ok
    }

    private static func repaired(_ name: String?) throws(CommandError) -> [ServiceName] {
        guard let name else { return ServiceName.startOrder }
        guard let service = ServiceName(rawValue: name) else {
            throw CommandError(
                ExitCode.usage, "there is no service '\(name)'",
                remedy: "Use one of \(ServiceName.startOrder.map(\.rawValue).joined(separator: ", ")).")
        }
        return [service]
    }

    /// Why its copies are not whole, in a sentence; nil: they are. In a long turn, as building a large copy
    /// is, a service says nothing for a while: as long as somebody is there, that is no answer.
    @LoopActor private static func whatIsLeft(
        of service: ServiceName, _ session: Session
    ) async throws(ServiceError) -> String? {
        do throws(ServiceError) {
            let health = try await health(of: service, session)
            // What else does not act there is no matter of its copies.
            let isLeft = health.follows.contains { $0.rebuilding == true }
            return isLeft ? health.notActing?.joined(separator: "; ") ?? "" : nil
        } catch {
            guard error.name == .unavailable, session.somebodyListens(at: service) else {
                throw ServiceError(
                    error.name, "\(service.rawValue) \(error.message)", remedy: error.remedy)
            }
            return "\(service.rawValue) \(error.message)"
        }
    }

    @LoopActor private static func repair(
        _ service: ServiceName, discards: Bool, _ session: Session
    ) async throws(ServiceError) {
        try await session.makeSureItAnswers(service)
        for source in try await session.client(service).call(
            HealthCheck.self, Nothing(), options: CallOptions()
        ).follows.map(\.service) {
            try await session.makeSureItAnswers(source)
        }
        let sources = try await session.client(service).call(
            CopyRebuild.self, CopyRebuild.Params(discardUnreadable: discards ? true : nil),
            options: CallOptions()
        ).sources
        try await waitUntilWhole(service, session)
        let names = sources.map(\.rawValue).joined(separator: ", ")
        Console.print(
            sources.isEmpty
                ? "\(service.rawValue) keeps no copies."
                : "\(service.rawValue): what it keeps of \(names) is built again.")
    }

    /// Says what it waits for, since that may be something that the person has to do.
    @LoopActor private static func waitUntilWhole(
        _ service: ServiceName, _ session: Session
    ) async throws(ServiceError) {
        let begin = MonotonicClock.now
        let end = begin + Limits.requestDeadlineMax
        var said = ""
        while let left = try await whatIsLeft(of: service, session) {
            if left != said, MonotonicClock.now - begin > .seconds(2) {
                Console.note("waiting: \(left.isEmpty ? "\(service.rawValue) rebuilds its copies" : left)")
                said = left
            }
            guard MonotonicClock.now < end else {
                throw ServiceError(
                    .deadlineExceeded, "the copies of \(service.rawValue) are not whole yet: \(left)",
                    remedy: "See `screentime logs \(service.rawValue)`.")
            }
            // Cancelled only with the command itself.
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
