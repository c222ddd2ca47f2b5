package import Contract
import Glibc
package import JSON
package import Units

/// The wire protocol between a host (a service, or `app-link`) and a program. This is the complete
/// specification.
///
/// **Start of an extension.** The host starts the program with an environment of its own and two inherited
/// descriptors, whose numbers are in the environment as decimal text:
/// - `SCREENTIME_EXTENSION_FD`: a connected stream socket (AF_UNIX), for both directions;
/// - `SCREENTIME_EXTENSION_JOURNAL_FD`: a file of 16 bytes, see below; only for monitor extensions.
///
/// Working directory: the bundle. Standard input: empty; output and error: the extension's log. The program
/// exits with code 0 when it reads the end of the stream.
///
/// **Start of an app.** A program without that variable starts `app-link` with a socket of a pair as
/// descriptor 3, and from then on behaves as an extension program, except that it may continue to run after
/// the end of the stream: its next call starts `app-link` again.
///
/// **Frames.** A message is its length in bytes, 4 bytes big-endian, 1 to ``messageBytesMax``, followed by
/// that many bytes of one JSON value. Any other length, and bytes that are not the JSON described here, end
/// the connection: the host kills the program; the program exits with code 65.
///
/// **Messages** are JSON-RPC 2.0, in both directions, without batches and notifications. Each side numbers
/// its own requests; an `id` is an integer. An object with `method` is a request, one without is an answer;
/// answers arrive in any order.
/// - Host to program: `callback`, `shield.configure`, `shield.act`, `report.data`, `report.make`
///   (``HostRequest``), one at a time, and `event` at any time: `{"jsonrpc":"2.0","id":7,"method":
///   "callback","params":{"callback":"eventDidReachThreshold","about":{…},"delivery":7402391,"attempt":1}}`.
///   `callback` is one of the six names of Apple's DeviceActivityMonitor, `about` the contract's
///   ActivityCallback, `delivery` a random number, 0 to 2^53 - 1, unique to the attempt. The answer
///   `{"jsonrpc":"2.0","id":7,"result":{}}` means that the callback returned; an `error` means that it failed
///   and may be retried, with `attempt` + 1.
/// - Program to host, at any time: `hello` and `subscribe` (``Hello``, ``Subscribe``), which the host answers
///   itself, and methods of the bus that its ``ProgramKind`` may call: `{"jsonrpc":"2.0","id":1,"method":
///   "settings.write","deadline":5000,"params":{…}}`, with params and results as on the bus. `deadline`:
///   milliseconds left, from receipt. The host adds the identity of the program, and ignores all other
///   members of the request; errors are those of the bus (`error.data.name` is the stable name).
///
/// **Tokens.** Subjects (apps, categories, domains) are sent to a program as `token:BASE64` wherever the
/// contract marks a field as naming them (FieldMark), and are accepted from it in no other form. Names of
/// people, and sentences that contain names, are omitted. The person's own programs send `hello
/// {"tokens":false}` to use names; from other programs this is ignored.
///
/// **Journal.** Before it answers a callback with a result, the program writes 16 bytes at offset 0 of the
/// journal, and waits until they are on the disk: `delivery` and `attempt` of that callback, 8 bytes each,
/// big-endian. If the host dies before it has recorded the answer, it finds the entry there, and does not
/// repeat a callback that returned. If a write of the callback got an error that means that a service did not
/// run or could not keep it (``ServiceError/isOfService``), the program writes no entry: the callback is
/// repeated, whatever it answers. A program that cannot write it exits with `journalExitCode`. The journal
/// outlives a restore of the host's store, so `delivery` must not be the number of a row.
package enum Wire {
    /// Environment variable with the number of the socket's descriptor.
    package static let descriptorKey = "SCREENTIME_EXTENSION_FD"
    /// Environment variable with the number of the journal's descriptor.
    package static let journalKey = "SCREENTIME_EXTENSION_JOURNAL_FD"
    /// Maximum bytes of one message without its length, as on the bus.
    package static let messageBytesMax = Limits.messageBytesMax
    /// What a monitor extension may ask its host for.
    package static var relayedMethods: [any Method.Type] { ProgramKind.monitor.relayedMethods }
    /// Prefix of the token of a subject.
    package static let tokenPrefix = RawToken.prefix
    /// The host's request for one of the six callbacks.
    package static let callbackMethod = "callback"
    /// The program's exit code when the host violates this protocol.
    package static let protocolExitCode: Int32 = 65
    /// The program's exit code when it cannot write to the journal.
    package static let journalExitCode: Int32 = 74
    /// Bytes of the journal: `delivery` and `attempt`.
    package static let journalBytes = 16

    /// A message preceded by its length.
    package static func frame(_ message: [UInt8]) -> [UInt8] {
        precondition(
            !message.isEmpty && message.count <= messageBytesMax, "a frame of \(message.count) bytes")
        let length = UInt32(message.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + message
    }

    /// The journal's content for an attempt that returned.
    package static func journal(delivery: Int64, attempt: Int64) -> [UInt8] {
        [delivery, attempt].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
        }
    }
}

/// The other side violated the protocol.
package struct WireError: Error, Equatable {
    /// What was wrong, without content of the message.
    package var reason: String
    package init(_ reason: String) { self.reason = reason }
}

/// Splits a stream into messages.
package struct FrameReader {
    private var bytes: [UInt8] = []
    private var start = 0

    package init() {}

    /// Adds bytes that were read from the stream.
    package mutating func append(_ new: some Collection<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += new
    }

    /// The next complete message; nil if more bytes are needed.
    package mutating func next() throws(WireError) -> [UInt8]? {
        guard bytes.count - start >= 4 else { return nil }
        let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length > 0, length <= Wire.messageBytesMax else {
            throw WireError("a message of \(length) bytes; allowed are 1 to \(Wire.messageBytesMax)")
        }
        guard bytes.count - start >= 4 + length else { return nil }
        defer { start += 4 + length }
        return Array(bytes[start + 4..<start + 4 + length])
    }
}

/// A message, distinguished by whether it has a method.
package enum WireMessage {
    case request(id: Int64, method: String, params: RawJSON?, deadline: Milliseconds? = nil)
    case answer(id: Int64, Result<RawJSON, ServiceError>)

    /// - Throws: ``WireError`` with the reason, never with content of the message.
    package static func read(_ bytes: [UInt8]) throws(WireError) -> WireMessage {
        do {
            let any = try AnyMessage.decode(bytes)
            guard any.jsonrpc == "2.0" else { throw WireError("a message that is not JSON-RPC 2.0") }
            if let method = any.method {
                return .request(id: any.id, method: method, params: any.params, deadline: any.deadline)
            }
            switch (any.result, any.error) {
            case (let result?, nil): return .answer(id: any.id, .success(result))
            case (nil, let error?): return .answer(id: any.id, .failure(error.serviceError))
            default: throw WireError("an answer without exactly one of result and error")
            }
        } catch let error as JSONError {
            throw WireError(error.message)
        } catch let error as WireError {
            throw error
        } catch {
            throw WireError("unreadable")
        }
    }

    /// - Parameter deadline: time that the other side has.
    package static func request(
        _ id: Int64, _ method: String, _ params: RawJSON, deadline: Milliseconds? = nil
    ) -> [UInt8] {
        var message = AnyMessage()
        message.deadline = deadline
        message.id = id
        message.method = method
        message.params = params
        return message.encoded()
    }

    /// An answer, without its length.
    package static func answer(_ id: Int64, _ result: Result<RawJSON, ServiceError>) -> [UInt8] {
        var message = AnyMessage()
        message.id = id
        switch result {
        case .success(let value): message.result = value
        case .failure(let error): message.error = ErrorObject(error)
        }
        return message.encoded()
    }
}

@Record
private struct AnyMessage: Record {
    /// Always "2.0".
    var jsonrpc: String = "2.0"
    /// Id of the request.
    var id: Int64 = 0
    /// Of a request.
    var method: String?
    /// Of a request: milliseconds left.
    @Field(name: "deadline") var deadline: Milliseconds?
    /// Of a request.
    var params: RawJSON?
    /// Of an answer.
    var result: RawJSON?
    /// Of an answer.
    var error: ErrorObject?
}

/// Parameters of the host's request `callback`.
@Record
package struct CallbackParams: Record {
    /// Apple's name of the callback.
    package var callback: CallbackName = CallbackName.intervalDidStart
    /// What happened.
    package var about: ActivityCallback = ActivityCallback()
    /// Unique number of this attempt, for the journal.
    package var delivery: Int64 = 0
    /// 1 for the first.
    package var attempt: Int64 = 0
}
