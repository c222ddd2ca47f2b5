import Contract
import DBus
import Glibc
import Loop
import Testing
import Units

@testable import DesktopCore

/// What hosts are answered, and what they may not do.
@Suite struct TrayMenuTests {
    private static func menu(requests: Int = 0, name: String = "my_game") -> TrayMenu {
        let limits = [TrayTests.limit(minutes: 25), TrayTests.limit(EventDefinition(), minutes: 60)]
        let time = TrayTests.time(limits)
        return TrayMenu(TrayTests.face(time, requests: requests, names: ["chess": name]), .english)
    }

    private static func row(_ text: String) -> DBusValue {
        .dictionary([("enabled", .bool(false)), ("label", .string(text))])
    }

    @Test func theMenuHasTheLimitsAndTheConsole() throws {
        let menu = Self.menu(requests: 2)
        #expect(
            menu.items.map(\.kind) == [
                .row("my_game: 25 min left"), .row("Everything: 1 h left"), .separator,
                .open("2 requests wait", page: "requests"), .open("Open Screen Time", page: nil),
            ])
        #expect(menu.properties(of: 1, []) == Self.row("my__game: 25 min left"), "_ is a mnemonic")
        let label: DBusValue = .dictionary([("label", .string("my__game: 25 min left"))])
        #expect(menu.properties(of: 1, ["label"]) == label)
        #expect(menu.properties(of: 77, []) == .dictionary([]))
        #expect(menu.chosen(103) == .open("Open Screen Time", page: nil) && menu.chosen(1) == nil)
        #expect(Self.menu().items.count == 4, "no requests, no line")
        let empty = TrayMenu(TrayTests.face(TrayTests.time([]), words: .korean), .korean)
        #expect(
            empty.items.map(\.kind)
                == [.row("오늘은 제한 없음"), .separator, .open("스크린 타임 열기", page: nil)])
    }

    @Test func theLayoutIsWhatHostsRead() throws {
        let menu = Self.menu()
        let layout = try #require(menu.layout(of: 0, depth: -1, []))
        #expect(layout.signature == "(ia{sv}av)")
        let root: DBusValue = .dictionary([("children-display", .string("submenu"))])
        guard case .structure(let parts) = layout, case .array(of: "v", let inside) = parts[2] else {
            Issue.record("\(layout)")
            return
        }
        #expect(parts[0] == .int32(0) && parts[1] == root && inside.count == 4)
        func alone(_ id: Int32, _ properties: DBusValue) -> DBusValue {
            .structure([.int32(id), properties, .array(of: "v", [])])
        }
        #expect(menu.layout(of: 0, depth: 0, []) == alone(0, root))
        #expect(menu.layout(of: 1, depth: -1, []) == alone(1, Self.row("my__game: 25 min left")))
        #expect(menu.layout(of: 5, depth: -1, []) == nil && menu.layout(of: -1, depth: -1, []) == nil)
        #expect(menu.group([1, 1, 7], ["enabled"]).signature == "a(ia{sv})")
        func count(_ ids: [Int32]) -> Int? {
            if case .array(_, let items) = menu.group(ids, []) { items.count } else { nil }
        }
        #expect(count([1, 1, 7]) == 1 && count([]) == 5, "each once, unknown ones never")
    }

    @Test @LoopActor func onlyWhatTheTableSaysIsAnswered() {
        var asked: [[DBusValue]] = []
        let one = DBusInterface(
            "org.x.One",
            methods: [
                "Add": .init(takes: ["i", "as"], gives: ["u"]) {
                    asked.append($0)
                    return .values([.uint32(7)])
                }
            ], properties: ["Name": .init("s") { .string("n") }], signals: ["Gone": ["s"]])
        let objects = DBusObjects(["/One": [one]])
        func call(
            _ member: String, _ interface: String = "org.x.One", path: String = "/One",
            _ signature: String = "", _ body: [DBusValue] = []
        ) -> DBusAnswer {
            objects.answer(
                DBusCall(
                    path: path, interface: interface, member: member, sender: ":1.1", signature: signature,
                    body: body))
        }
        func failure(_ answer: DBusAnswer) -> DBusFailure? {
            if case .failure(let name, _) = answer { name } else { nil }
        }
        let good: [DBusValue] = [.int32(1), .strings(["a"])]
        #expect(call("Add", "org.x.One", "ias", good) == .values([.uint32(7)]))
        #expect(call("Add", "", "ias", good) == .values([.uint32(7)]), "an interface need not be named")
        #expect(asked.count == 2)
        #expect(failure(call("Add", "org.x.One", "is", [.int32(1), .string("a")])) == .invalidArguments)
        #expect(failure(call("Add", "org.x.One", "ias", [.int32(1)])) == .invalidArguments, "cut off")
        #expect(failure(call("Add", path: "/Two")) == .unknownObject)
        #expect(failure(call("Add", "org.x.Two")) == .unknownInterface)
        #expect(failure(call("Sub")) == .unknownMethod)
        let properties = "org.freedesktop.DBus.Properties"
        func text(_ words: String...) -> [DBusValue] { words.map(DBusValue.string) }
        #expect(call("Get", properties, "ss", text("org.x.One", "Name")) == .values([.variant(.string("n"))]))
        #expect(failure(call("Get", properties, "ss", text("org.x.Two", "Name"))) == .unknownProperty)
        let all: DBusValue = .dictionary([("Name", .string("n"))])
        #expect(call("GetAll", properties, "s", text("org.x.One")) == .values([all]))
        let change = text("org.x.One", "Name") + [.string("m")]
        #expect(failure(call("Set", properties, "ssv", change)) == .propertyReadOnly)
        let described = """
            <node><interface name="org.x.One"><method name="Add"><arg type="i" direction="in"/>\
            <arg type="as" direction="in"/><arg type="u" direction="out"/></method>\
            <property name="Name" type="s" access="read"/>\
            <signal name="Gone"><arg type="s"/></signal></interface></node>
            """
        let introspectable = "org.freedesktop.DBus.Introspectable"
        #expect(call("Introspect", introspectable) == .values([.string(described)]))
        #expect(
            call("Introspect", "", path: "/") == .values([.string("<node><node name=\"One\"/></node>")]))
        #expect(failure(call("Introspect", "", path: "/none")) == .unknownObject)
    }

    @Test func whoSendsTooFastWaits() {
        var pace = DBusPace(50, burst: 3)
        #expect(pace.next(after: 3, at: 1_000) == .goesOn)
        #expect(pace.next(after: 1, at: 1_000) == .rests(50))
        #expect(pace.next(after: 1, at: 1_050) == .rests(50))
        #expect(pace.next(after: 10, at: 1_100) == .rests(500))
        #expect(pace.next(after: 1, at: 9_000) == .goesOn, "after a long pause as at first")
    }

    @Test func whoGoesOnSendingLosesTheConnection() {
        var pace = DBusPace(50, burst: 3)
        for turn in 1...5 { #expect(pace.next(after: 64, at: 0) != .isGivenUp, "turn \(turn)") }
        #expect(pace.next(after: 64, at: 0) == .isGivenUp)
        #expect(pace.next(after: 3, at: 0) == .goesOn, "the next connection has the whole burst again")
    }

    @Test @LoopActor func theIconIsTheThemesOrDrawn() throws {
        let scratch = try ScratchDirectory()
        let environment = ["XDG_DATA_HOME": scratch.path, "XDG_DATA_DIRS": "/nowhere"]
        let drawn = TrayPicture.chosen(by: environment)
        #expect(drawn.name.isEmpty && drawn.pixels.signature == "a(iiay)")
        let bytes = HourglassDrawing.argb(48)
        #expect(bytes.count == 48 * 48 * 4)
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(bytes[((y * 48 + x) * 4)...].prefix(4)) }
        #expect(pixel(0, 0) == [0, 0, 0, 0] && pixel(6, 24) == [255, 79, 70, 184])
        #expect(pixel(24, 38) == [255, 255, 255, 255] && pixel(24, 19) == [255, 242, 163, 58])
        var folder = scratch.path
        for part in ["icons", "hicolor", "scalable", "apps"] {
            folder += "/" + part
            mkdir(folder, 0o700)
        }
        close(open(folder + "/\(TrayItem.id).svg", O_CREAT | O_WRONLY, 0o600))
        #expect(TrayPicture.chosen(by: environment).name == "org.screentime.Console")
        #expect(TrayPicture.chosen(by: environment).pixels == .array(of: "(iiay)", []))
    }
}
