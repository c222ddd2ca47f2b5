import CXcb
import Glibc

/// Which clients keep the keyboard and the pointer from all others.
struct Grabs {
    private let connection: Connection
    /// The name of this kind of resource in the server.
    private let passiveGrab: xcb_atom_t

    /// Never shown: a grab for it is refused, because another client has one or else because of that.
    private let unseen: xcb_window_t

    init(_ connection: Connection) {
        self.connection = connection
        passiveGrab = connection.atoms(["PASSIVE GRAB"])[0]
        let id = xcb_generate_id(connection.raw)
        unseen = id
        _ = connection.tell { [root = connection.root] raw in
            let kind = UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue)
            _ = xcb_create_window(raw, 0, id, root, -1, -1, 1, 1, 0, kind, 0, 0, nil)
        }
    }

    /// Whether a client holds the pointer: an open menu or a pressed button. If that client were frozen, no
    /// input would reach anybody. No other program sees that it was asked.
    func isPointerHeld() -> Bool {
        let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let question = connection.ask {
            xcb_grab_pointer($0, 0, unseen, 0, mode, mode, 0, 0, 0).sequence
        }
        let reply = connection.answer(to: question, as: xcb_grab_pointer_reply_t.self)
        guard let reply else { return false }
        return Self.isHeld(reply.body.pointee.status)
    }

    /// Whether the pointer waits for a client that has the keyboard (GrabModeSync). Only a grab that could be
    /// had tells that; the window below the pointer sees it come and go.
    func isPointerFrozen() -> Bool {
        let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let question = connection.ask { [root = connection.root] in
            xcb_grab_pointer($0, 0, root, 0, mode, mode, 0, 0, 0).sequence
        }
        // Also if the answer comes too late.
        _ = connection.tell { _ = xcb_ungrab_pointer($0, 0) }
        let reply = connection.answer(to: question, as: xcb_grab_pointer_reply_t.self)
        guard let reply else { return false }
        return Self.isHeld(reply.body.pointee.status)
    }

    /// The same as ``isPointerHeld()`` for the keyboard.
    func isKeyboardHeld() -> Bool {
        let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let question = connection.ask { xcb_grab_keyboard($0, 0, unseen, 0, mode, mode).sequence }
        let reply = connection.answer(to: question, as: xcb_grab_keyboard_reply_t.self)
        guard let reply else { return false }
        return Self.isHeld(reply.body.pointee.status)
    }

    private static func isHeld(_ status: UInt8) -> Bool {
        let status = UInt32(status)
        return status == XCB_GRAB_STATUS_ALREADY_GRABBED.rawValue
            || status == XCB_GRAB_STATUS_FROZEN.rawValue
    }

    /// Whether one of these processes has asked for keys or buttons that are pressed anywhere (XGrabKey,
    /// XGrabButton). From such a press on the server may wait for it. False if the server does not answer.
    func haveHotkeys(_ pids: Set<Int32>, _ reader: WindowReader) -> Bool {
        let question = connection.ask { xcb_res_query_clients($0).sequence }
        let reply = connection.answer(to: question, as: xcb_res_query_clients_reply_t.self)
        guard let reply, let start = xcb_res_query_clients_clients(reply.body) else { return false }
        let count = Int(xcb_res_query_clients_clients_length(reply.body))
        let bases = UnsafeBufferPointer(start: start, count: count).map(\.resource_base)
        let owners = reader.pids(of: bases)
        let own = zip(bases, owners).filter { $1.map(pids.contains) ?? false }.map(\.0)
        let questions = own.map { base in
            connection.ask { xcb_res_query_client_resources($0, base).sequence }
        }
        return questions.map(hasPassive).contains(true)
    }

    private func hasPassive(_ question: UInt32?) -> Bool {
        let reply = connection.answer(to: question, as: xcb_res_query_client_resources_reply_t.self)
        guard let reply, let start = xcb_res_query_client_resources_types(reply.body) else { return false }
        let count = Int(xcb_res_query_client_resources_types_length(reply.body))
        return UnsafeBufferPointer(start: start, count: count).contains {
            $0.resource_type == passiveGrab && $0.count > 0
        }
    }
}
