package import Bus
package import Contract
package import JSON
package import Loop
import Units

/// Pushes events of the bus to programs: those that concern their client, and Darwin notifications, from the
/// moment they ask for them. What a program missed while it was away it reads from the present state.
@LoopActor package final class ProgramEvents {
    package typealias Push = @LoopActor (_ type: String, _ data: RawJSON) -> Void

    private struct Listener {
        var types: Set<String>
        var client: String?
        var push: Push
    }

    /// Milliseconds before a service that did not say where its log ends is asked again.
    private static let retry: Milliseconds = 1_000

    private let client: @LoopActor (ServiceName) throws(ServiceError) -> RequestClient
    private let runtime: RuntimeDirectory
    private let authorizationChanged: @LoopActor (AuthorizationChanged) -> Void
    private let grantsUnknown: @LoopActor () -> Void
    private var listeners: [Int64: Listener] = [:]
    private var nextListener: Int64 = 1
    private var followers: [ServiceName: EventFollower] = [:]
    private var starting: Set<ServiceName> = []

    /// - Parameters:
    ///   - authorizationChanged: of any client; for caches of what a grant allows.
    ///   - grantsUnknown: grants changed and nobody told which: nothing cached of them holds.
    package init(
        in runtime: RuntimeDirectory,
        client: @escaping @LoopActor (ServiceName) throws(ServiceError) -> RequestClient,
        authorizationChanged: @escaping @LoopActor (AuthorizationChanged) -> Void,
        grantsUnknown: @escaping @LoopActor () -> Void
    ) {
        self.runtime = runtime
        self.client = client
        self.authorizationChanged = authorizationChanged
        self.grantsUnknown = grantsUnknown
    }

    /// Follows grants; on the first use of what depends on them.
    package func followGrants() { follow(.auth) }

    /// - Parameters:
    ///   - types: of the contract; others are passed over.
    ///   - client: whose events; nil: the person's own programs.
    /// - Returns: names the listener.
    package func listen(_ types: [String], client: String?, _ push: @escaping Push) -> Int64 {
        let id = nextListener
        nextListener += 1
        listeners[id] = Listener(types: Set(types), client: client, push: push)
        for event in Registry.events where types.contains(event.type) { follow(event.owner) }
        return id
    }

    package func forget(_ listener: Int64) { listeners[listener] = nil }

    // MARK: following

    /// From the service's present head on. It is asked for at once: what the program reads afterwards is no
    /// older.
    private func follow(_ service: ServiceName) {
        guard followers[service] == nil, starting.insert(service).inserted else { return }
        do throws(ServiceError) {
            try client(service).send(EventsRuns.self, Nothing()) { [weak self] in self?.begin(service, $0) }
        } catch {
            begin(service, .failure(error))
        }
    }

    private func begin(_ service: ServiceName, _ log: Result<EventsRuns.Result, ServiceError>) {
        starting.remove(service)
        do {
            followers[service] = try EventFollower(
                service, in: runtime, client: client(service), cursor: try log.get().end,
                output: FollowerOutput(
                    deliver: { [weak self] events, _ in events.forEach { self?.receive($0) } },
                    reset: nil, lost: { [weak self] _ in self?.missed(service) },
                    forked: { [weak self] _ in
                        // Restored from a backup: from its present head on.
                        self?.followers[service] = nil
                        self?.missed(service)
                        self?.follow(service)
                        return .stop
                    },
                    refused: { _, _ in }))
        } catch {
            Reactor.shared.after(Self.retry) { [weak self] in self?.follow(service) }
        }
    }

    private func missed(_ service: ServiceName) {
        if service == .auth { grantsUnknown() }
    }

    private func receive(_ received: ReceivedEvent) {
        guard let raw = received.event.data else { return }
        // An event of a newer version that cannot be read says nothing of a grant.
        if received.type == AuthorizationChanged.type,
            let change = try? AuthorizationChanged.decode(raw.bytes)
        {
            authorizationChanged(change)
        }
        let wanted = listeners.values.filter { $0.types.contains(received.type) }
        // The owner wrote it, so it can be read.
        guard !wanted.isEmpty, let data: JSONValue = try? raw.decoded() else { return }
        let concerned = Self.client(of: data)
        for listener in wanted where received.type == DarwinPosted.type || concerned == listener.client {
            listener.push(received.type, raw)
        }
    }

    /// Whose event it is: `client` of the data, or of the one thing it is about.
    private static func client(of data: JSONValue) -> String? {
        if let client = data["client"]?.stringValue { return client }
        for (_, value) in data.objectValue ?? [] {
            if let client = value["client"]?.stringValue { return client }
        }
        return nil
    }
}
