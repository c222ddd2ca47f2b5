import DBus

/// The menu of the tray icon, as com.canonical.dbusmenu describes it.
struct TrayMenu: Equatable {
    struct Item: Equatable {
        enum Kind: Equatable {
            /// A line to read.
            case row(String)
            case separator
            /// Opens the console, at a page of it or at its first one.
            case open(String, page: String?)
        }
        var id: Int32
        var kind: Kind
    }

    /// Ids of the items that are always what they are; rows have their number.
    private static let separator: Int32 = 101, requests: Int32 = 102, open: Int32 = 103
    let items: [Item]

    init(_ face: TrayFace, _ words: TrayWords) {
        let rows = face.rows.isEmpty ? [face.title] : face.rows
        var items = rows.enumerated().map { Item(id: Int32($0.offset + 1), kind: .row($0.element)) }
        items.append(Item(id: Self.separator, kind: .separator))
        if face.requests > 0 {
            let text = words.requests(face.requests)
            items.append(Item(id: Self.requests, kind: .open(text, page: "requests")))
        }
        items.append(Item(id: Self.open, kind: .open(words.open, page: nil)))
        self.items = items
    }

    func has(_ id: Int32) -> Bool { id == 0 || items.contains { $0.id == id } }

    /// The item that was chosen; nil if it is only there to be read.
    func chosen(_ id: Int32) -> Item.Kind? {
        items.first { $0.id == id }.flatMap { if case .open = $0.kind { $0.kind } else { nil } }
    }

    /// The properties of an item, those with these names; no names: all.
    func properties(of id: Int32, _ names: [String]) -> DBusValue {
        let all: [(key: String, value: DBusValue)]
        if id == 0 {
            all = [("children-display", .string("submenu"))]
        } else {
            switch items.first(where: { $0.id == id })?.kind {
            case nil: all = []
            case .separator: all = [("type", .string("separator"))]
            case .row(let text): all = [("enabled", .bool(false)), ("label", .string(TrayText.label(text)))]
            case .open(let text, _): all = [("label", .string(TrayText.label(text)))]
            }
        }
        return .dictionary(all.filter { names.isEmpty || names.contains($0.key) })
    }

    /// - Parameters:
    ///   - depth: 0: without what is inside; else all, as it has no submenus.
    ///   - names: of the properties; none: all.
    /// - Returns: an item with what is inside, `(ia{sv}av)`; nil if there is no such item.
    func layout(of parent: Int32, depth: Int32, _ names: [String]) -> DBusValue? {
        guard has(parent) else { return nil }
        let inside = parent == 0 && depth != 0 ? items.map(\.id) : []
        return .structure([
            .int32(parent), properties(of: parent, names),
            .array(
                of: "v",
                inside.map { id in
                    .variant(.structure([.int32(id), properties(of: id, names), .array(of: "v", [])]))
                }),
        ])
    }

    /// For each known id, `(ia{sv})`; no ids: all items.
    func group(_ ids: [Int32], _ names: [String]) -> DBusValue {
        let wanted = Set(ids)
        let known = ([0] + items.map(\.id)).filter { wanted.isEmpty || wanted.contains($0) }
        return .array(
            of: "(ia{sv})", known.map { .structure([.int32($0), properties(of: $0, names)]) })
    }
}
