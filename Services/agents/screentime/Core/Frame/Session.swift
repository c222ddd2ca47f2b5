package import Bus
import CommandKit
package import Contract
import CPosix
import Glibc
package import Loop
package import ServiceKit
package import Units

/// The way from the command line to the services.
@LoopActor package final class Session {
    package let configuration: Configuration
    package let tracer = Tracer(service: "screentime")
    private var clients: [String: RequestClient] = [:]

    /// Milliseconds that a service which is just being started again is waited for.
    private static let grace: Milliseconds = 1_500
    /// Milliseconds that a service may take to say how far its log goes.
    private static let headDeadline: Milliseconds = 500

    package init(_ configuration: Configuration) { self.configuration = configuration }

    package func client(_ service: ServiceName) throws(ServiceError) -> RequestClient {
        try client(named: service.rawValue)
    }

    /// - Parameter name: of a service or an agent.
    package func client(named name: String) throws(ServiceError) -> RequestClient {
        if let client = clients[name] { return client }
        do throws(SocketError) {
            let client = try RequestClient(toNamed: name, in: configuration.runtime, tracer: tracer)
            clients[name] = client
            return client
        } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
    }

    /// Calls a method on behalf of the person, or of `client`.
    /// - Throws: the service's refusal; `unavailable` soon when nobody is at the other end.
    package func call<M: Method>(
        _ method: M.Type, _ params: M.Params, deadline: Milliseconds = Limits.requestDeadline,
        client bundle: String? = nil
    ) async throws(ServiceError) -> M.Result {
        // The bus refuses such a request as if a program of ours had made it wrong.
        if let bundle { try VisibleText.checkName(bundle, "the app's bundle id") }
        return try await call(method, params, options: CallOptions(deadline: deadline, client: bundle))
    }

    package func call<M: Method>(
        _ method: M.Type, _ params: M.Params, options: CallOptions
    ) async throws(ServiceError) -> M.Result {
        try await makeSure(M.owner)
        do throws(ServiceError) {
            return try await client(M.owner).call(method, params, options: options)
        } catch {
            var error = error
            error.message = InstantReading.inOwnTime(error.message)
            // A stopped process holds its socket: it is there, and says nothing. One that answers has said
            // itself what it misses.
            guard error.name == .unavailable, somebodyListens(at: M.owner), await head(of: M.owner) == nil
            else { throw error }
            throw silent(M.owner)
        }
    }

    /// Head of a service's log. Nil if the service is stopped or absent, so that it does not answer at once.
    package func head(of service: ServiceName) async -> Int64? {
        guard somebodyListens(at: service) else { return nil }
        do throws(ServiceError) {
            return try await client(service).call(
                HealthCheck.self, Nothing(), options: CallOptions(deadline: Self.headDeadline)
            ).head
        } catch {
            return nil
        }
    }

    /// Present heads of these logs, for `not_before` of a request to a service that follows them: its
    /// answer then includes what the person just did. A service that is absent or silent is left out.
    package func positions(of services: ServiceName...) async -> [Position] {
        var positions: [Position] = []
        for service in services {
            if let head = await head(of: service) { positions.append(Position(service, head)) }
        }
        return positions
    }

    /// Throws `unavailable` when the service says nothing within the time of an ordinary request; before
    /// calls that may take much longer.
    package func makeSureItAnswers(_ service: ServiceName) async throws(ServiceError) {
        try await makeSure(service)
        do throws(ServiceError) {
            _ = try await client(service).call(HealthCheck.self, Nothing(), options: CallOptions())
        } catch {
            // A refusal is an answer, too.
            guard error.name == .unavailable || error.name == .deadlineExceeded else { return }
            throw somebodyListens(at: service) ? silent(service) : error
        }
    }

    private func silent(_ service: ServiceName) -> ServiceError {
        ServiceError(
            .unavailable, "\(service.rawValue) is there but does not answer",
            remedy: "It may be stopped or busy; see `screentime status`.")
    }

    /// Throws `unavailable` unless the service is there, or comes within a moment.
    package func makeSure(_ service: ServiceName) async throws(ServiceError) {
        guard !somebodyListens(at: service) else { return }
        do throws(ServiceError) {
            _ = try await client(service).call(
                HealthCheck.self, Nothing(), options: CallOptions(deadline: Self.grace))
        } catch {
            guard !somebodyListens(at: service), var why = hindrance(to: service.rawValue) else {
                throw error
            }
            why.message = "\(service.rawValue) \(why.message)"
            throw why
        }
    }

    /// The process that holds the service's store, or the agent, whether it can be reached or not.
    package func pid(of name: String) -> Int64? {
        LockTable.holder(of: configuration.keptLockPath(of: name))
    }

    /// Why no process listens at the socket of a service or an agent.
    package func silence(of name: String) -> ServiceError {
        hindrance(to: name)
            ?? ServiceError(
                .unavailable, "is not running", remedy: "Start it with scripts/run-all.sh, or see its log.")
    }

    /// What keeps this process from one that may well run; nil: it does not run.
    package func hindrance(to name: String) -> ServiceError? {
        let path = configuration.runtime.socketPath(named: name, .requests)
        if access(path, F_OK) != 0, errno == EACCES {
            return ServiceError(
                .accessDenied, "cannot be seen: '\(configuration.runtime.path)' is closed to this user",
                remedy: "Say this as its owner, or set another SCREENTIME_RUNTIME_DIR.")
        }
        guard pid(of: name) != nil else { return nil }
        return ServiceError(
            .unavailable, "runs, but does not listen at '\(path)'",
            remedy: "It is just starting, or that was removed: then say scripts/run-all.sh --stop, and start "
                + "it again.")
    }

    /// Whether a process has the service's socket open; a stopped one counts.
    package func somebodyListens(at service: ServiceName) -> Bool { somebodyListens(at: service.rawValue) }

    /// - Parameter name: of a service or an agent.
    package func somebodyListens(at name: String) -> Bool {
        configuration.runtime.somebodyListens(named: name)
    }

    /// The id of a member who was named by name or id; nil stays nil, the person of the uid.
    /// - Throws: an error that says how to add an unknown one.
    package func memberID(_ nameOrID: String?) async throws -> String? {
        guard let nameOrID else { return nil }
        let members = try await call(MemberList.self, Nothing()).members
        if let member = members.first(where: { $0.id == nameOrID || $0.name == nameOrID }) {
            return member.id
        }
        throw CommandError(
            ExitCode.refused, "there is no member '\(nameOrID)'",
            remedy: "Add one with `screentime member add \(VisibleText.shellWord(nameOrID))`; see "
                + "`screentime member list`.")
    }

    /// Members' names by id, for lists.
    package func memberNames() async throws(ServiceError) -> [String: String] {
        let members = try await call(MemberList.self, Nothing()).members
        return Dictionary(members.map { ($0.id, $0.name) }) { first, _ in first }
    }
}
