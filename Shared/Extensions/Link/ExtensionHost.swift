package import Contract
import Glibc
package import JSON

/// The host from the perspective of a program: synchronous calls that return with the answer. One thread, no
/// tasks.
package final class ExtensionHost {
    private let descriptor: Int32
    private let journal: Int32
    private var frames = FrameReader()
    private var nextID: Int64 = 1
    /// Requests of the host that arrived while waiting for an answer.
    private var postponed: [[UInt8]] = []

    init(descriptor: Int32, journal: Int32) {
        self.descriptor = descriptor
        self.journal = journal
    }

    // MARK: what a program may ask for

    /// Changes settings of one store; settings that are not named are unchanged.
    @discardableResult
    package func writeSettings(
        _ settings: [Setting], store: String, member: String?, clearAll: Bool = false
    ) throws -> Written {
        try call(
            SettingsWrite.self,
            SettingsWrite.Params(
                member: member, store: store, settings: settings, clearAll: clearAll ? true : nil))
    }

    /// Reads a store as it is committed; without settings if it was never written.
    package func readSettings(store: String, member: String?) throws -> SettingsStore {
        try call(SettingsRead.self, SettingsRead.Params(member: member, store: store)).store
    }

    /// Registers activities; one with the same name is replaced.
    package func startMonitoring(_ activities: [ActivityDefinition], member: String?) throws {
        _ = try call(MonitoringStart.self, MonitoringStart.Params(member: member, activities: activities))
    }

    /// - Parameter names: empty for all activities of the client.
    package func stopMonitoring(_ names: [String], member: String?) throws {
        _ = try call(MonitoringStop.self, MonitoringStop.Params(member: member, names: names))
    }

    /// The client's registered activities.
    package func monitored(member: String?) throws -> [MonitoredActivity] {
        try call(MonitoringList.self, MonitoringList.Params(member: member)).activities
    }

    /// Shows a notification; one with the same identifier is replaced.
    /// - Parameter warning: key of the warning that it repeats (``NotificationDetails/warning``).
    package func postNotification(
        identifier: String, title: String, body: String, warning: String? = nil
    ) throws {
        _ = try call(
            NotificationPost.self,
            NotificationPost.Params(
                identifier: identifier, title: title, body: body,
                details: warning.map { NotificationDetails(warning: $0) }))
    }

    /// Sends a request and waits for its answer.
    /// - Throws: the `ServiceError` of the service or the host.
    package func call<M: Method>(_ method: M.Type, _ params: M.Params) throws -> M.Result {
        try M.Result.decode(call(M.name, RawJSON(encoding: params)).bytes)
    }

    /// As `call`, for methods without a type.
    package func call(_ method: String, _ params: RawJSON) throws -> RawJSON {
        let id = nextID
        nextID += 1
        let message = WireMessage.request(id, method, params)
        guard message.count <= Wire.messageBytesMax else {
            throw ServiceError(
                .messageTooLong, "a request of \(message.count) bytes; the limit is \(Wire.messageBytesMax)",
                remedy: "Split it.")
        }
        send(message)
        while true {
            let bytes = receive()
            switch read(bytes) {
            case .request: postponed.append(bytes)
            case .answer(let answered, let result):
                guard answered == id else { leave("an answer to a request that was not sent") }
                return try result.get()
            }
        }
    }

    // MARK: callbacks

    /// Serves callbacks until the host closes the stream; never returns.
    func serve(_ program: any MonitorExtension) -> Never {
        while true {
            let bytes = postponed.isEmpty ? receive() : postponed.removeFirst()
            guard case .request(let id, let method, let params, _) = read(bytes) else {
                leave("an answer outside of a callback")
            }
            send(WireMessage.answer(id, handle(method, params, program)))
        }
    }

    private func handle(
        _ method: String, _ params: RawJSON?, _ program: any MonitorExtension
    ) -> Result<RawJSON, ServiceError> {
        if method == Describe.name {
            let principal = String(reflecting: type(of: program))
            return .success(
                RawJSON(encoding: Describe.Result(points: [.monitor], principal: principal)))
        }
        guard method == Wire.callbackMethod, let params else {
            return .failure(
                ServiceError(
                    .methodNotFound, "there is no '\(method)'", remedy: "Use \(Wire.callbackMethod)."))
        }
        let callback: CallbackParams
        do { callback = try CallbackParams.decode(params.bytes) } catch {
            return .failure(ServiceError(.invalidParams, error.message, remedy: "See the wire protocol."))
        }
        do {
            try program.call(
                callback.callback,
                CallbackContext(about: callback.about, attempt: callback.attempt, host: self))
        } catch let error as ServiceError {
            return .failure(error)
        } catch {
            return .failure(
                ServiceError(.internalError, "the extension threw \(type(of: error))", remedy: "See its log.")
            )
        }
        note(callback)
        return .success(RawJSON(encoding: Nothing()))
    }

    /// Notes that the callback returned, so that the next host knows it if this one dies now.
    private func note(_ callback: CallbackParams) {
        let bytes = Wire.journal(delivery: callback.delivery, attempt: callback.attempt)
        guard pwrite(journal, bytes, bytes.count, 0) == bytes.count, fdatasync(journal) == 0 else {
            let text = Array("writing to the journal failed: \(String(cString: strerror(errno)))\n".utf8)
            // Standard error may be closed; the exit code reports the error as well.
            _ = write(STDERR_FILENO, text, text.count)
            exit(Wire.journalExitCode)
        }
    }

    // MARK: the stream

    private func read(_ bytes: [UInt8]) -> WireMessage {
        do { return try WireMessage.read(bytes) } catch { leave(error.reason) }
    }

    private func send(_ message: [UInt8]) {
        var rest = Wire.frame(message)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { exit(0) }  // The host is gone.
            rest = rest.dropFirst(count)
        }
    }

    private func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            do { if let message = try frames.next() { return message } } catch { leave(error.reason) }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { exit(0) }  // The host is gone, or needs us no longer.
            frames.append(buffer[..<count])
        }
    }

    private func leave(_ reason: String) -> Never {
        let text = Array("the host violated the protocol: \(reason)\n".utf8)
        // Standard error may be closed; the exit code reports the error as well.
        _ = write(STDERR_FILENO, text, text.count)
        exit(Wire.protocolExitCode)
    }
}
