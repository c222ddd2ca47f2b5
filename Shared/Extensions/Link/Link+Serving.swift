package import Contract
import Glibc
package import JSON
import Synchronization

/// Handles one request of the host.
struct HostHandler: Sendable {
    var run: @Sendable (RawJSON?, @escaping @Sendable (Result<RawJSON, ServiceError>) -> Void) -> Void
}

struct EventSubscriber: Sendable {
    var types: Set<String>
    var handler: @Sendable (_ type: String, RawJSON) -> Void
}

/// Answers a request of the host once, from any thread. Released unused, it answers with an error.
package final class HostAnswer<R: HostRequest>: Sendable {
    private let answer: @Sendable (Result<RawJSON, ServiceError>) -> Void
    private let given = Atomic<Bool>(false)

    init(_ answer: @escaping @Sendable (Result<RawJSON, ServiceError>) -> Void) { self.answer = answer }

    deinit {
        guard !given.load(ordering: .sequentiallyConsistent) else { return }
        answer(
            .failure(
                ServiceError(
                    .internalError, "the extension did not answer \(R.name)",
                    remedy: "Call its completion handler.")))
    }

    /// Sends the answer.
    /// - Returns: false if it was answered before; only the first answer counts.
    @discardableResult
    package func give(_ result: Result<R.Result, ServiceError>) -> Bool {
        guard !given.exchange(true, ordering: .sequentiallyConsistent) else { return false }
        answer(result.map { RawJSON(encoding: $0) })
        return true
    }
}

/// Identifies a subscription.
package struct LinkSubscription: Sendable {
    let id: Int64
}

extension Link {
    // MARK: requests of the host

    /// Serves requests of one kind. `handler` runs on the callback thread, one at a time, in order. It may
    /// call the system; an error it throws is sent to the host. After it returned from a monitor's callback,
    /// that is written to the journal, then sent. A callback with a write that no service accepted is not
    /// written there, because it has to be repeated.
    package func serve<R: HostRequest>(
        _ request: R.Type, _ handler: sending @escaping (R.Params) throws -> R.Result
    ) {
        let owned = Mutex(handler)
        let box = HandlerBox(owned)
        register(R.self) { [weak self] params, answer in
            let missed = self?.missedWrites
            do {
                let result = try box.run(params)
                if let callback = params as? CallbackParams, missed == self?.missedWrites {
                    self?.note(callback)
                }
                answer.give(.success(result))
            } catch let error as ServiceError {
                answer.give(.failure(error))
            } catch {
                answer.give(.failure(Self.thrown(error)))
            }
        }
    }

    /// Serves requests of one kind whose answers may come later, from any thread.
    package func serve<R: HostRequest>(
        _ request: R.Type, answering handler: sending @escaping (R.Params, HostAnswer<R>) -> Void
    ) {
        let owned = Mutex(handler)
        let box = AnsweringBox<R>(owned)
        register(R.self) { params, answer in box.run(params, answer) }
    }

    /// Serves the host until it closes the stream, while the main thread runs `main`. For
    /// extensions, after everything they serve is registered. Exit codes: 0 the host closed the stream; 64
    /// the program was not started by a host; 65 the host violated the protocol.
    /// - Parameter main: runs on the main thread meanwhile; the frameworks run Foundation's run loop.
    package func serveForever(_ main: () -> Never) -> Never {
        signal(SIGPIPE, SIG_IGN)
        guard LinkSocket.isInherited else {
            let text = Array(
                "this is an extension program; the system starts it when it is needed\n".utf8)
            // Standard error may be closed; the exit code reports the error as well.
            _ = write(STDERR_FILENO, text, text.count)
            exit(64)
        }
        startServing()
        main()
    }

    /// As ``serveForever(_:)``, but returns.
    package func startServing() {
        do throws(ServiceError) { _ = try stream() } catch {
            let text = Array("\(error.message)\n".utf8)
            // Standard error may be closed; the exit code reports the error as well.
            _ = write(STDERR_FILENO, text, text.count)
            exit(64)
        }
        let postponed = state.withLock { state in
            state.serves = true
            defer { state.postponed = [] }
            return state.postponed
        }
        for request in postponed { dispatch(request.stream, request.id, request.method, request.params) }
    }

    private func register<R: HostRequest>(
        _ request: R.Type, _ handle: @escaping @Sendable (R.Params, HostAnswer<R>) -> Void
    ) {
        let handler = HostHandler { params, reply in
            let answer = HostAnswer<R>(reply)
            do throws(JSONError) {
                handle(try R.Params.decode((params ?? RawJSON()).bytes), answer)
            } catch {
                answer.give(
                    .failure(ServiceError(.invalidParams, error.message, remedy: "See the wire protocol.")))
            }
        }
        state.withLock { $0.handlers[R.name] = handler }
    }

    private static func thrown(_ error: any Error) -> ServiceError {
        ServiceError(.internalError, "the extension threw \(type(of: error))", remedy: "See its log.")
    }

    /// Sets the principal class; its name is compared with Info.plist at installation.
    package func name(principal: Any.Type) {
        let name = String(reflecting: principal)
        state.withLock { $0.principal = name }
    }

    /// What the program serves, as registered so far.
    private var description: RawJSON {
        let (methods, principal) = state.withLock { (Set($0.handlers.keys), $0.principal) }
        let points = ExtensionPoint.allCases.filter { methods.contains(Describe.method(of: $0)) }
        return RawJSON(encoding: Describe.Result(points: points, principal: principal))
    }

    /// Handles a request of the host, on the stream's thread.
    func receive(_ id: Int64, _ method: String, _ params: RawJSON?) {
        let ready = state.withLock { state -> LinkStream? in
            guard let stream = state.stream else { return nil }
            guard state.serves || method == PushedEvent.name else {
                state.postponed.append((stream, id, method, params))
                return nil
            }
            return stream
        }
        if let ready { dispatch(ready, id, method, params) }
    }

    private func dispatch(_ stream: LinkStream, _ id: Int64, _ method: String, _ params: RawJSON?) {
        guard method != PushedEvent.name else {
            return events.enqueue { self.push(params) { stream.answer(id, $0) } }
        }
        guard method != Describe.name else { return stream.answer(id, .success(description)) }
        guard let handler = state.withLock({ $0.handlers[method] }) else {
            let known = state.withLock { $0.handlers.keys.sorted() }
            return stream.answer(
                id,
                .failure(
                    ServiceError(
                        .methodNotFound, "this program does not serve '\(method.prefix(64))'",
                        remedy: "It serves \(known.joined(separator: ", ")).")))
        }
        callbacks.enqueue {
            handler.run(params) { result in
                // The callback's output must be in the log before the host receives its end.
                fflush(nil)
                stream.answer(id, result)
            }
        }
    }

    private var missedWrites: Int { state.withLock { $0.missedWrites } }

    /// Notes on the disk that the callback returned, so that the next host knows it, even if the machine dies
    /// now.
    private func note(_ callback: CallbackParams) {
        let journal = state.withLock { $0.journal }
        guard journal >= 0 else { return }
        let bytes = Wire.journal(delivery: callback.delivery, attempt: callback.attempt)
        guard pwrite(journal, bytes, bytes.count, 0) == bytes.count, fdatasync(journal) == 0 else {
            let text = Array("writing to the journal failed: \(String(cString: strerror(errno)))\n".utf8)
            // Standard error may be closed; the exit code reports the error as well.
            _ = write(STDERR_FILENO, text, text.count)
            exit(Wire.journalExitCode)
        }
    }

    // MARK: events

    /// Pushes events of these types to `handler`, on one separate thread, one at a time, in order. Does not
    /// wait for the host. If the connection of an app breaks, the subscription continues on the next one.
    /// Events in between may be missing, so read the present state when it matters.
    @discardableResult
    package func subscribe(
        types: [String], _ handler: @escaping @Sendable (_ type: String, _ data: RawJSON) -> Void
    ) -> LinkSubscription {
        let (id, all, present) = state.withLock { state in
            let id = state.nextSubscription
            state.nextSubscription += 1
            state.subscriptions[id] = EventSubscriber(types: Set(types), handler: handler)
            return (id, Self.types(of: state), state.stream)
        }
        if let present {
            send(subscription: all, on: present)
        } else {
            // Connecting sends the subscriptions.
            connectToListen()
        }
        return LinkSubscription(id: id)
    }

    /// No handler starts after it; a running one is not waited for.
    package func unsubscribe(_ subscription: LinkSubscription) {
        let (all, present) = state.withLock { state in
            state.subscriptions[subscription.id] = nil
            return (Self.types(of: state), state.stream)
        }
        if let present { send(subscription: all, on: present) }
    }

    private static func types(of state: borrowing State) -> [String] {
        Set(state.subscriptions.values.flatMap(\.types)).sorted()
    }

    private func push(_ params: RawJSON?, _ reply: (Result<RawJSON, ServiceError>) -> Void) {
        do throws(JSONError) {
            let event = try PushedEvent.Params.decode((params ?? RawJSON()).bytes)
            let subscribers = state.withLock { $0.subscriptions.sorted { $0.key < $1.key } }
            for (id, subscriber) in subscribers where subscriber.types.contains(event.type) {
                guard state.withLock({ $0.subscriptions[id] != nil }) else { continue }
                subscriber.handler(event.type, event.data)
            }
            reply(.success(RawJSON(encoding: Nothing())))
        } catch {
            reply(.failure(ServiceError(.invalidParams, error.message, remedy: "See the wire protocol.")))
        }
    }
}

/// Owns a handler that only the callback thread runs; the lock is always free.
private final class HandlerBox<Params: Sendable, Result: Sendable>: Sendable {
    private let handler: Mutex<(Params) throws -> Result>

    init(_ handler: consuming sending Mutex<(Params) throws -> Result>) { self.handler = handler }

    func run(_ params: Params) throws -> Result {
        try handler.withLock { try $0(params) }
    }
}

private final class AnsweringBox<R: HostRequest>: Sendable {
    private let handler: Mutex<(R.Params, HostAnswer<R>) -> Void>

    init(_ handler: consuming sending Mutex<(R.Params, HostAnswer<R>) -> Void>) { self.handler = handler }

    func run(_ params: R.Params, _ answer: HostAnswer<R>) { handler.withLock { $0(params, answer) } }
}
