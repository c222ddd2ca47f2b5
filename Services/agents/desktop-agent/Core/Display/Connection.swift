import CXcb
import Glibc
import Time
import Units

/// A reply of the server, freed on deinit.
struct Reply<Body>: ~Copyable {
    let body: UnsafeMutablePointer<Body>
    deinit { free(body) }
}

/// Owns the connection to the server. Every question has a timeout: while another client holds a server grab,
/// the server neither reads requests nor answers. What is sent then stays in the socket, and libxcb waits
/// without limit when that is full; so while a question is unanswered, nothing is sent.
final class Connection {
    /// Timeout of an ordinary question.
    static let answer: Milliseconds = 1_000

    let raw: OpaquePointer
    let display: String
    let root: xcb_window_t
    /// Number of questions without an answer in time. If it has grown, ask again later.
    private(set) var lateAnswers = 0
    /// Sequence numbers of questions that were sent and not answered in time, in order.
    private var unanswered: [UInt32] = []

    /// - Throws: `DisplayError`. Blocks while another client holds a server grab (libxcb has no timeout
    ///   here).
    init(display name: String) throws(DisplayError) {
        var screenNumber: Int32 = 0
        guard let raw = xcb_connect(name, &screenNumber) else {
            throw .notAnswering(display: name, code: 0)
        }
        let code = xcb_connection_has_error(raw)
        guard code == 0 else {
            xcb_disconnect(raw)
            throw .notAnswering(display: name, code: code)
        }
        var screens = xcb_setup_roots_iterator(xcb_get_setup(raw))
        for _ in 0..<screenNumber where screens.rem > 1 { xcb_screen_next(&screens) }
        self.raw = raw
        display = name
        root = screens.data.pointee.root
        // libxcb keeps the answers. It has no timeout here, too.
        _ = xcb_get_extension_data(raw, shim_sync_extension())
        _ = xcb_get_extension_data(raw, shim_res_extension())
    }

    deinit { xcb_disconnect(raw) }

    var fileDescriptor: Int32 { xcb_get_file_descriptor(raw) }
    var isLost: Bool { xcb_connection_has_error(raw) != 0 }

    /// True from a late answer until it comes. Until then nothing is sent and nothing waits, so a held server
    /// costs one timeout. Call ``settle(within:)`` when the descriptor is readable.
    var isSilent: Bool { !unanswered.isEmpty }

    /// Waits for the answers that were late. Returns whether there is none left.
    @discardableResult func settle(within limit: Milliseconds = 0) -> Bool {
        let deadline = MonotonicClock.now + limit
        while let first = unanswered.first {
            if let reply = take(first) {
                free(reply)
                unanswered.removeFirst()
            } else if !wait(until: deadline) {
                return false
            }
        }
        return true
    }

    /// Sends a question, unless the server is silent. Several may be sent before the first is answered.
    /// - Parameter send: makes one request and returns its sequence number.
    /// - Returns: the question; nil if it was not sent.
    func ask(_ send: (OpaquePointer) -> UInt32) -> UInt32? { settle() ? send(raw) : nil }

    /// Sends requests without an answer, unless the server is silent. Returns whether they were sent.
    func tell(_ send: (OpaquePointer) -> Void) -> Bool {
        guard settle() else { return false }
        send(raw)
        flush()
        return true
    }

    /// Waits for the answer to a question. Nil if the server returned an error (usually a closed window), or
    /// did not answer in time, which increments `lateAnswers`.
    func answer<Body>(
        to question: UInt32?, as _: Body.Type, within limit: Milliseconds = answer
    ) -> Reply<Body>? {
        guard let question, !isLost else {
            lateAnswers += 1
            return nil
        }
        // Of questions sent together, the first one waits.
        let deadline = MonotonicClock.now + (isSilent ? 0 : limit)
        repeat {
            guard let reply = take(question) else { continue }
            guard !isLost else { break }
            return reply.map { Reply(body: $0.assumingMemoryBound(to: Body.self)) }
        } while wait(until: deadline)
        lateAnswers += 1
        if !isLost { unanswered.append(question) }
        return nil
    }

    /// What the server answered, some nil for an error; nil: nothing yet.
    private func take(_ question: UInt32) -> UnsafeMutableRawPointer?? {
        flush()
        var reply: UnsafeMutableRawPointer?
        var error: UnsafeMutablePointer<xcb_generic_error_t>?
        guard xcb_poll_for_reply(raw, question, &reply, &error) != 0 else { return nil }
        if let error { free(error) }
        return .some(reply)
    }

    /// Sends what libxcb holds back, if the socket takes it: one that is ready for writing takes all of it.
    private func flush() {
        var entry = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&entry, 1, 0) > 0 { xcb_flush(raw) }
    }

    /// Waits until the server sends something. Returns whether it did.
    private func wait(until deadline: Milliseconds) -> Bool {
        let left = deadline - MonotonicClock.now
        guard left > 0, !isLost else { return false }
        var entry = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, Int32(clamping: left.count)) > 0
    }

    /// The atoms with these names, created if missing.
    func atoms(_ names: [String]) -> [xcb_atom_t] {
        let questions = names.map { name in
            ask { xcb_intern_atom($0, 0, UInt16(name.utf8.count), name).sequence }
        }
        return questions.map { question in
            let reply = answer(to: question, as: xcb_intern_atom_reply_t.self)
            guard let reply else { return xcb_atom_t(XCB_ATOM_NONE.rawValue) }
            return reply.body.pointee.atom
        }
    }
}
