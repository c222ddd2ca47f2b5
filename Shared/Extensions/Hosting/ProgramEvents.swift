package import Bus
package import Contract
package import JSON
package import Loop
import Units

/// Pushes events of the bus to programs: events about their client, and Darwin notifications, from the moment
/// they subscribe. A program that did not run reads the present state instead.
@LoopActor package final class ProgramEvents {
    package typealias Push = @LoopActor (_ type: String, _ data: RawJSON) -> Void

    private struct Listener {
        var types: Set<String>
        var client: String?
        var push: Push
    }

    /// Delay before a service that did not return the end of its log is asked again.
    private static let retry: Milliseconds = 1_000

    private let client: @LoopActor (ServiceName) throws(ServiceError) -> RequestClient
    private let transport: any Transport
    private let authorizationChanged: @LoopActor (AuthorizationChanged) -> Void
    private let grantsUnknown: @LoopActor () -> Void
    private var listeners: [Int64: Listener] = [:]
    private var nextListener: Int64 = 1
    private var followers: [ServiceName: EventFollower] = [:]
    private var starting: Set<ServiceName> = []

    /// - Parameters:
    ///   - client: makes a connection to a service.
    ///   - authorizationChanged: called with each change of an authorization.
    ///   - grantsUnknown: called when changes of authorizations may have been missed.
    package init(
        in transport: any Transport,
        client: @escaping @LoopActor (ServiceName) throws(ServiceError) -> RequestClient,
        authorizationChanged: @escaping @LoopActor (AuthorizationChanged) -> Void,
        grantsUnknown: @escaping @LoopActor () -> Void
    ) {
        self.transport = transport
        self.client = client
        self.authorizationChanged = authorizationChanged
        self.grantsUnknown = grantsUnknown
    }

    /// Follows authorizations; call it before anything that depends on them is cached.
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

    /// Ends a subscription.
    package func forget(_ listener: Int64) { listeners[listener] = nil }

    // MARK: following

    /// Follows a service from its present head, which is requested at once: whatever the program reads
    /// afterwards is not older.
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
                service, in: transport, client: client(service), cursor: try log.get().end,
                output: FollowerOutput(
                    deliver: { [weak self] events, _ in events.forEach { self?.receive($0) } },
                    reset: nil, lost: { [weak self] _ in self?.missed(service) },
                    forked: { [weak self] _ in
                        // It was restored from a backup: continue from its present head.
                        self?.followers[service] = nil
                        self?.missed(service)
                        self?.follow(service)
                        return .stop
                    },
                    refused: { _, _ in }))
        } catch {
            transport.loop.after(Self.retry) { [weak self] in self?.follow(service) }
        }
    }

    private func missed(_ service: ServiceName) {
        if service == .auth { grantsUnknown() }
    }

    private func receive(_ received: ReceivedEvent) {
        guard let raw = received.event.data else { return }
        // An event of a newer version that cannot be decoded is not about an authorization.
        if received.type == AuthorizationChanged.type,
            let change = try? AuthorizationChanged.decode(raw.bytes)
        {
            authorizationChanged(change)
        }
        let wanted = listeners.values.filter { $0.types.contains(received.type) }
        // Its owner encoded it, so it can be decoded.
        guard !wanted.isEmpty, let data: JSONValue = try? raw.decoded() else { return }
        let concerned = Self.client(of: data)
        for listener in wanted where received.type == DarwinPosted.type || concerned == listener.client {
            listener.push(received.type, raw)
        }
    }

    /// The client of an event: `client` of its data, or of the one object in it.
    private static func client(of data: JSONValue) -> String? {
        if let client = data["client"]?.stringValue { return client }
        for (_, value) in data.objectValue ?? [] {
            if let client = value["client"]?.stringValue { return client }
        }
        return nil
    }
}
