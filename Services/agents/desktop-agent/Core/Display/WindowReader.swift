import CXcb

/// Reads windows. All requests about one window are sent together and cost one round trip.
struct WindowReader {
    /// Largest property sizes in 32-bit words: class 256 bytes, title 1 KiB, client list 1,024 windows.
    static let classWords = UInt32(64), titleWords = UInt32(256), listWords = UInt32(1_024)
    /// Pixels of the shorter side of an unmanaged window that counts.
    static let unmanagedSideMin = UInt16(200)

    private let connection: Connection
    let activeWindow: xcb_atom_t
    let clientList: xcb_atom_t
    let managerCheck: xcb_atom_t
    let protocols: xcb_atom_t
    let deleteWindow: xcb_atom_t
    let windowType: xcb_atom_t
    let dialogType: xcb_atom_t
    /// Types of windows that belong to others: menus and the like.
    private let popupTypes: Set<xcb_atom_t>
    private let visibleName: xcb_atom_t

    init(_ connection: Connection) {
        self.connection = connection
        let atoms = connection.atoms([
            "_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST", "_NET_SUPPORTING_WM_CHECK", "_NET_WM_NAME",
            "WM_PROTOCOLS", "WM_DELETE_WINDOW", "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DIALOG",
        ])
        let popups = ["MENU", "DROPDOWN_MENU", "POPUP_MENU", "TOOLTIP", "NOTIFICATION", "COMBO", "DND"]
        popupTypes = Set(connection.atoms(popups.map { "_NET_WM_WINDOW_TYPE_" + $0 }))
        (activeWindow, clientList, managerCheck, visibleName) = (atoms[0], atoms[1], atoms[2], atoms[3])
        (protocols, deleteWindow, windowType, dialogType) = (atoms[4], atoms[5], atoms[6], atoms[7])
    }

    /// The window `id` with all its properties; nil if it was closed or the server does not answer.
    func window(_ id: xcb_window_t) -> Window? {
        let classCookie = ask(id, xcb_atom_t(XCB_ATOM_WM_CLASS.rawValue), Self.classWords)
        let titleCookie = ask(id, visibleName, Self.titleWords)
        let oldTitleCookie = ask(id, xcb_atom_t(XCB_ATOM_WM_NAME.rawValue), Self.titleWords)
        let pidCookie = askPid(id)
        let classBytes = bytes(classCookie)
        let title = bytes(titleCookie)
        let oldTitle = bytes(oldTitleCookie)
        let pid = pid(pidCookie)
        guard let classBytes else { return nil }
        let parts = classBytes.split(separator: 0, omittingEmptySubsequences: false)
        let words = (title?.isEmpty ?? true) ? oldTitle : title
        return Window(
            id: id, instance: parts.first.map { String(decoding: $0, as: UTF8.self) } ?? "",
            windowClass: parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "",
            title: String(decoding: words ?? [], as: UTF8.self), pid: pid)
    }

    /// The windows in a property of `owner`; nil if the server did not answer or `owner` was closed.
    func windows(in property: xcb_atom_t, of owner: xcb_window_t) -> [xcb_window_t]? {
        guard let content = bytes(ask(owner, property, Self.listWords)) else { return nil }
        return content.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: xcb_window_t.self) }
        }
    }

    /// The window that leads a window's group (WM_HINTS, ICCCM 4.1.2.4); nil if it has none.
    func groupLeader(of window: xcb_window_t) -> xcb_window_t? {
        let hints = windows(in: xcb_atom_t(XCB_ATOM_WM_HINTS.rawValue), of: window) ?? []
        guard hints.count >= 9, hints[0] & 1 << 6 != 0, hints[8] != 0 else { return nil }
        return hints[8]
    }

    /// Whether its program shows a window, perhaps in a frame that is not on the screen; nil if it was closed
    /// or the server does not answer.
    func isMapped(_ id: xcb_window_t) -> Bool? {
        let question = connection.ask { xcb_get_window_attributes($0, id).sequence }
        let reply = connection.answer(to: question, as: xcb_get_window_attributes_reply_t.self)
        guard let reply else { return nil }
        return UInt32(reply.body.pointee.map_state) != XCB_MAP_STATE_UNMAPPED.rawValue
    }

    /// The windows directly below `owner`, the lowest first.
    func children(of owner: xcb_window_t) -> [xcb_window_t] {
        let question = connection.ask { xcb_query_tree($0, owner).sequence }
        let reply = connection.answer(to: question, as: xcb_query_tree_reply_t.self)
        guard let reply, let start = xcb_query_tree_children(reply.body) else { return [] }
        return Array(
            UnsafeBufferPointer(start: start, count: Int(xcb_query_tree_children_length(reply.body))))
    }

    /// Whether one of these windows has the input focus, or a window within one of them.
    func hasInputFocus(_ windows: Set<xcb_window_t>) -> Bool {
        let question = connection.ask { xcb_get_input_focus($0).sequence }
        let reply = connection.answer(to: question, as: xcb_get_input_focus_reply_t.self)
        guard let reply else { return false }
        var place: xcb_window_t? = reply.body.pointee.focus
        while let window = place, window != connection.root {
            if windows.contains(window) { return true }
            place = parent(of: window)
        }
        return false
    }

    /// Nil for the root, for what is no window (None and PointerRoot as the input focus), and if the server
    /// does not answer.
    private func parent(of window: xcb_window_t) -> xcb_window_t? {
        let question = connection.ask { xcb_query_tree($0, window).sequence }
        let reply = connection.answer(to: question, as: xcb_query_tree_reply_t.self)
        guard let reply, reply.body.pointee.parent != 0 else { return nil }
        return reply.body.pointee.parent
    }

    /// Whether a program shows a window of some size by itself, without the window manager
    /// (override-redirect). Not frames, and nothing without which a session cannot be used (screen locks).
    func isUnmanaged(_ id: xcb_window_t, manager: Int32?) -> Bool {
        let question = connection.ask { xcb_get_window_attributes($0, id).sequence }
        let placeQuestion = connection.ask { xcb_get_geometry($0, id).sequence }
        let attributes = connection.answer(to: question, as: xcb_get_window_attributes_reply_t.self)
        let place = connection.answer(to: placeQuestion, as: xcb_get_geometry_reply_t.self)
        guard let attributes, let place, attributes.body.pointee.override_redirect != 0,
            UInt32(attributes.body.pointee.map_state) == XCB_MAP_STATE_VIEWABLE.rawValue,
            attributes.body.pointee._class == UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
            min(place.body.pointee.width, place.body.pointee.height) >= Self.unmanagedSideMin,
            popupTypes.isDisjoint(with: windows(in: windowType, of: id) ?? []),
            let pid = pid(of: id), pid != manager
        else { return false }
        return ProcessFacts.systemName(pid).map { !Protection.systemNames.contains($0) } ?? true
    }

    /// The process that owns `resource`, as the server's socket knows it; the root window means the server.
    func pid(of resource: xcb_window_t) -> Int32? { pid(askPid(resource)) }

    /// As ``pid(of:)``, at the cost of one round trip.
    func pids(of resources: [xcb_window_t]) -> [Int32?] { resources.map(askPid).map { pid($0) } }

    private func ask(_ window: xcb_window_t, _ property: xcb_atom_t, _ words: UInt32) -> UInt32? {
        connection.ask { xcb_get_property($0, 0, window, property, 0, 0, words).sequence }
    }

    private func bytes(_ question: UInt32?) -> [UInt8]? {
        let reply = connection.answer(to: question, as: xcb_get_property_reply_t.self)
        guard let reply else { return nil }
        let count = Int(xcb_get_property_value_length(reply.body))
        guard count > 0, let start = xcb_get_property_value(reply.body) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    private func askPid(_ resource: xcb_window_t) -> UInt32? {
        var wanted = xcb_res_client_id_spec_t(
            client: resource, mask: XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID.rawValue)
        return connection.ask { xcb_res_query_client_ids($0, 1, &wanted).sequence }
    }

    private func pid(_ question: UInt32?) -> Int32? {
        let reply = connection.answer(to: question, as: xcb_res_query_client_ids_reply_t.self)
        guard let reply else { return nil }
        let wanted = XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID.rawValue
        var values = xcb_res_query_client_ids_ids_iterator(reply.body)
        while values.rem > 0 {
            let isPid = values.data.pointee.spec.mask & wanted != 0
            if isPid, let value = xcb_res_client_id_value_value(values.data), value.pointee > 0 {
                return Int32(bitPattern: value.pointee)
            }
            xcb_res_client_id_value_next(&values)
        }
        return nil
    }
}
