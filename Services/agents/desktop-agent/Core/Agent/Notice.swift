import Bus
import Contract
import Loop
import ServiceKit

/// Tells the person by a notification what could not be done: a button that does nothing looks broken.
@LoopActor struct Notice {
    let log: Log
    /// Connects to the notifier, which is seldom needed.
    let connect: @LoopActor () throws(SocketError) -> RequestClient

    init(log: Log, connect: @escaping @LoopActor () throws(SocketError) -> RequestClient) {
        self.log = log
        self.connect = connect
    }

    /// - Parameter identifier: a later notification of the same one replaces the former.
    func post(
        _ identifier: String, title: String, _ reason: String,
        _ options: CallOptions = CallOptions(deadline: AgentLimits.answer)
    ) {
        Task { @LoopActor in
            do {
                let notifier = try connect()
                defer { notifier.close() }
                let post = NotificationPost.Params(identifier: identifier, title: title, body: reason)
                _ = try await notifier.call(NotificationPost.self, post, options: options)
            } catch {
                log.warning(
                    "what could not be done could not be said",
                    [
                        ("notification", .text(identifier)),
                        ("error", .text(ServiceError(anything: error).message)),
                    ])
            }
        }
    }
}
