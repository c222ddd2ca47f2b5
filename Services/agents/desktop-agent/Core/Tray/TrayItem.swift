import DBus
import Loop

/// What hosts see of the icon, and what they may do with it: two objects on the session bus.
@LoopActor enum TrayItem {
    static let path = "/StatusNotifierItem", interface = "org.kde.StatusNotifierItem"
    static let menuPath = "/MenuBar", menuInterface = "com.canonical.dbusmenu"
    /// Our icon in the theme.
    static let id = "org.screentime.Console"
    /// As wide as a label becomes, so that panels do not jump.
    static let labelGuide = "88 h 88 min"

    /// Who shows it and acts.
    @LoopActor struct Owner {
        let face: @LoopActor () -> TrayFace
        let picture: @LoopActor () -> TrayPicture
        let menu: @LoopActor () -> TrayMenu
        /// The menu with its revision, which its reader has now.
        let takeMenu: @LoopActor () -> (TrayMenu, UInt32)
        /// The menu will be seen. Returns whether it is another than the last one that was taken.
        let menuShows: @LoopActor () -> Bool
        let open: @LoopActor (_ page: String?) -> Void
    }

    static func objects(_ owner: Owner) -> DBusObjects {
        DBusObjects([path: [icon(owner)], menuPath: [menu(owner)]])
    }

    // MARK: the icon

    private static func icon(_ owner: Owner) -> DBusInterface {
        let open = DBusInterface.Method(takes: ["i", "i"]) { _ in
            owner.open(nil)
            return .values([])
        }
        // Hosts show the menu themselves.
        func ignored(_ types: [String]) -> DBusInterface.Method { .init(takes: types) { _ in .values([]) } }
        return DBusInterface(
            interface,
            methods: [
                "Activate": open, "SecondaryActivate": open, "ContextMenu": ignored(["i", "i"]),
                "Scroll": ignored(["i", "s"]), "ProvideXdgActivationToken": ignored(["s"]),
                "XAyatanaSecondaryActivate": ignored(["u"]),
            ],
            properties: texts(owner).merging(pictures(owner)) { text, _ in text },
            signals: [
                "NewTitle": [], "NewIcon": [], "NewAttentionIcon": [], "NewOverlayIcon": [], "NewMenu": [],
                "NewToolTip": [], "NewStatus": ["s"], "XAyatanaNewLabel": ["s", "s"],
            ])
    }

    private static func texts(_ owner: Owner) -> [String: DBusInterface.Property] {
        func fixed(_ value: DBusValue) -> DBusInterface.Property { .init(value.signature) { value } }
        return [
            "Category": fixed(.string("ApplicationStatus")), "Id": fixed(.string(id)),
            "WindowId": fixed(.int32(0)), "ItemIsMenu": fixed(.bool(false)), "Menu": fixed(.path(menuPath)),
            "Status": .init("s") { .string(owner.face().status.rawValue) },
            "Title": .init("s") { .string(owner.face().title) },
            "ToolTip": .init("(sa(iiay)ss)") {
                let face = owner.face()
                let lines = face.rows.map(TrayText.tooltip).joined(separator: "\n")
                return .structure([
                    .string(owner.picture().name), owner.picture().pixels,
                    .string(TrayText.tooltip(face.title)), .string(lines),
                ])
            },
            "XAyatanaLabel": .init("s") { .string(owner.face().label) },
            "XAyatanaLabelGuide": fixed(.string(labelGuide)),
            "XAyatanaOrderingIndex": fixed(.uint32(0)),
            "IconAccessibleDesc": .init("s") { .string(owner.face().title) },
            "AttentionAccessibleDesc": .init("s") { .string(owner.face().title) },
        ]
    }

    private static func pictures(_ owner: Owner) -> [String: DBusInterface.Property] {
        let name = DBusInterface.Property("s") { .string(owner.picture().name) }
        let pixels = DBusInterface.Property("a(iiay)") { owner.picture().pixels }
        let noName = DBusInterface.Property("s") { .string("") }
        return [
            "IconName": name, "IconPixmap": pixels, "AttentionIconName": name, "AttentionIconPixmap": pixels,
            "OverlayIconName": noName, "AttentionMovieName": noName, "IconThemePath": noName,
            "OverlayIconPixmap": .init("a(iiay)") { .array(of: "(iiay)", []) },
        ]
    }

    // MARK: the menu

    private static func menu(_ owner: Owner) -> DBusInterface {
        DBusInterface(
            menuInterface, methods: looks(owner).merging(acts(owner)) { look, _ in look },
            properties: [
                "Version": .init("u") { .uint32(3) }, "TextDirection": .init("s") { .string("ltr") },
                "Status": .init("s") { .string("normal") }, "IconThemePath": .init("as") { .strings([]) },
            ],
            signals: [
                "ItemsPropertiesUpdated": ["a(ia{sv})", "a(ias)"], "LayoutUpdated": ["u", "i"],
                "ItemActivationRequested": ["i", "u"],
            ])
    }

    private static func looks(_ owner: Owner) -> [String: DBusInterface.Method] {
        [
            "GetLayout": .init(takes: ["i", "i", "as"], gives: ["u", "(ia{sv}av)"]) { given in
                let (menu, revision) = owner.takeMenu()
                guard
                    let layout = menu.layout(
                        of: given[0].int32 ?? -1, depth: given[1].int32 ?? -1, given[2].texts)
                else { return noItem }
                return .values([.uint32(revision), layout])
            },
            "GetGroupProperties": .init(takes: ["ai", "as"], gives: ["a(ia{sv})"]) { given in
                .values([owner.menu().group(given[0].items.compactMap(\.int32), given[1].texts)])
            },
            "GetProperty": .init(takes: ["i", "s"], gives: ["v"]) { given in
                let (id, name) = (given[0].int32 ?? -1, given[1].text ?? "")
                guard let value = owner.menu().properties(of: id, [name])[name] else { return noItem }
                return .values([.variant(value)])
            },
        ]
    }

    private static func acts(_ owner: Owner) -> [String: DBusInterface.Method] {
        /// Whether there is such an item.
        func event(_ id: Int32?, _ name: String?) -> Bool {
            guard let id, owner.menu().has(id) else { return false }
            if name == "clicked", case .open(_, let page) = owner.menu().chosen(id) { owner.open(page) }
            return true
        }
        func unknown(_ ids: [Int32]) -> DBusValue { .array(of: "i", ids.map(DBusValue.int32)) }
        return [
            "Event": .init(takes: ["i", "s", "v", "u"]) { given in
                event(given[0].int32, given[1].text) ? .values([]) : noItem
            },
            "EventGroup": .init(takes: ["a(isvu)"], gives: ["ai"]) { given in
                let missing = given[0].items.filter { one in
                    !event(one.items.first?.int32, one.items.dropFirst().first?.text)
                }
                return .values([unknown(missing.compactMap { $0.items.first?.int32 })])
            },
            "AboutToShow": .init(takes: ["i"], gives: ["b"]) { given in
                guard given[0].int32.map(owner.menu().has) == true else { return noItem }
                return .values([.bool(owner.menuShows())])
            },
            "AboutToShowGroup": .init(takes: ["ai"], gives: ["ai", "ai"]) { given in
                let ids = given[0].items.compactMap(\.int32)
                let isNew = ids.contains(0) && owner.menuShows()
                return .values([unknown(isNew ? [0] : []), unknown(ids.filter { !owner.menu().has($0) })])
            },
        ]
    }

    private static var noItem: DBusAnswer { .failure(.invalidArguments, "the menu has no such item") }
}
