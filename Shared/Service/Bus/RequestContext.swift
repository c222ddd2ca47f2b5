package import Contract
import Glibc
internal import JSON
import Loop
package import Units

/// What a handler knows about a request besides its parameters.
package struct RequestContext: Sendable {
    /// The connected process, as the kernel reports it.
    package var peer: Peer
    /// Bundle id of the client on whose behalf it is sent; nil for the person of the uid.
    package var client: String?
    /// Set for each write; the same key and parameters return the first answer.
    package var idempotencyKey: String?
    /// Log positions that must be reached before the request is handled.
    package var notBefore: [Position]
    /// Deadline on the monotonic clock, in milliseconds.
    package var deadline: Milliseconds
    /// The span of this request; pass it to calls made on its behalf.
    package var trace: TraceContext
    /// What contains the encoded parameters, and where.
    private var message: [UInt8]
    private var range: Range<Int>
    /// Digest of the parameters, to compare a repeat with the first request.
    package var paramsDigest: [UInt8] = []
    /// Notify it when the request has to wait; nil if the request is not counted.
    package var open: OpenRequest?

    /// The encoded parameters, as a copy; empty once they are released.
    package var params: [UInt8] { Array(message[range]) }
    /// Releases the encoded parameters.
    package mutating func releaseParams() { (message, range) = ([], 0..<0) }

    /// A request from `peer`, whose parameters are a part of `message`; nil: all of it.
    init(
        peer: Peer, client: String? = nil, idempotencyKey: String? = nil, notBefore: [Position],
        deadline: Milliseconds, trace: TraceContext, params message: [UInt8], in range: Range<Int>? = nil,
        open: OpenRequest? = nil
    ) {
        self.peer = peer
        self.client = client
        self.idempotencyKey = idempotencyKey
        self.notBefore = notBefore
        self.deadline = deadline
        self.trace = trace
        self.message = message
        self.range = range ?? message.indices
        self.open = open
    }
}

/// A method that a server answers.
@LoopActor final class AnsweredMethod {
    typealias Admit = @LoopActor (_ endOfParams: Int) -> (RequestContext, Reply)?

    let name: String
    private let nameBytes: [UInt8]
    /// Whether its requests are traced and counted.
    let isTraced: Bool
    /// Decodes the parameters, which the reader reads next, and the end of the message. If both are valid,
    /// calls `admit` and, if that returns a reply, the handler; otherwise returns false.
    let answerInPlace: @LoopActor (inout JSONReader, _ admit: Admit) -> Bool
    /// Answers a request whose parameters are not decoded.
    let answer: @LoopActor (RawJSON?, RequestContext, Reply) -> Void

    /// - Parameter refused: called for parameters that are not valid.
    init<M: Call>(
        _ method: M.Type, isTraced: Bool,
        _ handler: @escaping @LoopActor (M.Params, RequestContext, TypedReply<M>) -> Void,
        refused: @escaping @LoopActor () -> Void
    ) {
        name = M.name
        nameBytes = Array(M.name.utf8)
        self.isTraced = isTraced
        answerInPlace = { reader, admit in
            // What is wrong is determined without this way, too.
            guard let params = try? M.Params.decodeNext(&reader) else { return false }
            let end = reader.position
            guard reader.takeObjectEnd(), reader.isAtEnd else { return false }
            if let (context, reply) = admit(end) { handler(params, context, TypedReply<M>(reply)) }
            return true
        }
        answer = { raw, context, reply in
            let params: M.Params
            do throws(JSONError) {
                params = try M.Params.decodeStrictly(raw?.bytes ?? Array("{}".utf8))
            } catch {
                refused()
                reply.fail(
                    ServiceError(
                        .invalidParams, "the parameters of \(M.name) are wrong: \(error.message)",
                        remedy: "See the schema \(M.name).params of the contract."))
                return
            }
            handler(params, context, TypedReply<M>(reply))
        }
    }

    func isNamed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        nameBytes.withUnsafeBufferPointer { name in
            guard let start = name.baseAddress, let other = bytes.baseAddress else { return false }
            return name.count == bytes.count && memcmp(start, other, name.count) == 0
        }
    }
}
