import CXcb
import Glibc
import Time
import Units

/// A reply of the server, freed on deinit.
struct Reply<Body>: ~Copyable {
    let body: UnsafeMutablePointer<Body>
    deinit { free(body) }
}

/// Owns the connection to the server. Every request has a timeout: while another client holds a server grab,
/// the server reads requests but does not answer.
final class Connection {
    /// Timeout of an ordinary request.
    static let answer: Milliseconds = 1_000

    let raw: OpaquePointer
    let display: String
    let root: xcb_window_t
    /// Number of requests without an answer in time. If it has grown, repeat the request later.
    private(set) var lateAnswers = 0
    /// True from a late answer until the server sends something. Until then no further request waits, so a
    /// held server costs one timeout and not one per request.
    private(set) var isSilent = false

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
    }

    deinit { xcb_disconnect(raw) }

    var fileDescriptor: Int32 { xcb_get_file_descriptor(raw) }
    var isLost: Bool { xcb_connection_has_error(raw) != 0 }

    /// Waits for the answer to the request with this sequence number. Nil if the server returned an error
    /// (usually a closed window) or did not answer in time, which increments `lateAnswers`.
    func answer<Body>(
        to sequence: UInt32, as _: Body.Type, within limit: Milliseconds = answer,
        evenIfSilent: Bool = false
    ) -> Reply<Body>? {
        xcb_flush(raw)
        if isSilent, waitForInput(0) { isSilent = false }
        let deadline = MonotonicClock.now + (isSilent && !evenIfSilent ? 0 : limit)
        while true {
            var reply: UnsafeMutableRawPointer?
            var error: UnsafeMutablePointer<xcb_generic_error_t>?
            if xcb_poll_for_reply(raw, sequence, &reply, &error) != 0 {
                if let error { free(error) }
                isSilent = false
                guard !isLost else { break }
                guard let reply else { return nil }
                return Reply(body: reply.assumingMemoryBound(to: Body.self))
            }
            let left = deadline - MonotonicClock.now
            guard left > 0, !isLost else { break }
            waitForInput(left)
        }
        xcb_discard_reply(raw, sequence)
        lateAnswers += 1
        isSilent = true
        return nil
    }

    /// Waits until the server sends something, at most `limit`. Returns whether it did.
    @discardableResult func waitForInput(_ limit: Milliseconds) -> Bool {
        var entry = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, Int32(clamping: limit.count)) > 0
    }

    /// The atoms with these names, created if missing.
    func atoms(_ names: [String]) -> [xcb_atom_t] {
        let cookies = names.map { xcb_intern_atom(raw, 0, UInt16($0.utf8.count), $0) }
        return cookies.map { cookie in
            let reply = answer(to: cookie.sequence, as: xcb_intern_atom_reply_t.self)
            guard let reply else { return xcb_atom_t(XCB_ATOM_NONE.rawValue) }
            return reply.body.pointee.atom
        }
    }
}
