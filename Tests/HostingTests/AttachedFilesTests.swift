import Bus
import Contract
import JSON
import Testing

@testable import Hosting

/// A confined program attaches files of its own: the person's daemon opens them.
@Suite @BusActor struct AttachedFilesTests {
    private static func post(_ paths: [String]) -> RawJSON {
        var details = NotificationDetails()
        details.attachments = paths.map {
            NotificationAttachment(identifier: "a", path: $0, type: "public.png")
        }
        var params = NotificationPost.Params(identifier: "one", title: "hello")
        params.details = details
        return RawJSON(encoding: params)
    }

    @Test func onlyItsOwn() throws {
        let place = try Place()
        defer { place.remove() }
        var program = ExtensionRecord()
        program.id = "org.example.app.monitor"
        program.path = place.directory + "/state/bundles/abc/Monitor.appex"
        program.groups = ["group.org.example"]
        let own = AttachedFiles(
            program: program, files: try HostFiles(place.configuration, host: .monitor))
        let state = place.directory + "/state"
        let lawful = [
            program.path + "/Icon.png", state + "/containers/org.example.app.monitor/a.png",
            state + "/groups/group.org.example/a/b.png",
        ]
        #expect(throws: Never.self) { try own.check(Self.post(lawful), of: NotificationPost.self) }
        #expect(throws: Never.self) { try own.check(Self.post([]), of: NotificationPost.self) }
        for path in [
            "/tmp/fifo", "/dev/zero", "/net/host/a.png",
            state + "/containers/org.example.app.monitor.other/a.png",
            state + "/groups/group.org.examples/a.png", state + "/containers/org.example.app.monitor", "",
        ] {
            let error = #expect(throws: ServiceError.self, "\(path)") {
                try own.check(Self.post(lawful + [path]), of: NotificationPost.self)
            }
            #expect(error?.name == .accessDenied)
        }
    }
}
