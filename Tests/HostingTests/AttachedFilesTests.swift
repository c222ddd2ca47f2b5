import Contract
import Foundation
import JSON
import Loop
import Testing

@testable import Hosting

/// A confined program attaches files of its own: the person's daemon opens them.
@Suite @LoopActor struct AttachedFilesTests {
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
        let foreign = [
            "/tmp/fifo", "/dev/zero", "/net/host/a.png",
            state + "/containers/org.example.app.monitor.other/a.png",
            state + "/groups/group.org.examples/a.png", state + "/containers/org.example.app.monitor", "",
        ]
        func kept(_ paths: [String]) throws -> ([String]?, left: [String]) {
            var left: [String] = []
            let params = own.own(Self.post(paths), of: NotificationPost.self) { left.append($0.path) }
            let posted = try NotificationPost.Params.decode(params.bytes)
            #expect(posted.title == "hello")
            return (posted.details?.attachments?.map(\.path), left)
        }
        #expect(try kept(lawful + foreign) == (lawful, foreign))
        #expect(try kept(lawful) == (lawful, []))
        #expect(try kept(foreign) == (nil, foreign))
        let other = own.own(Self.post(foreign), of: SettingsWrite.self) { _ in Issue.record("not asked") }
        #expect(other.bytes == Self.post(foreign).bytes)
    }

    /// A program finds its own bundle by the real path, whatever leads to the state directory.
    @Test func byEitherPath() throws {
        let place = try Place()
        defer { place.remove() }
        let directory = place.directory + "/real/Monitor.appex"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let real = try #require(realPath(directory))
        #expect(symlink("real", place.directory + "/linked") == 0)
        var program = ExtensionRecord()
        program.id = "org.example.app.monitor"
        program.path = place.directory + "/linked/Monitor.appex"
        let own = AttachedFiles(
            program: program, files: try HostFiles(place.configuration, host: .monitor))
        for path in [real + "/Icon.png", program.path + "/Icon.png"] {
            let params = Self.post([path])
            #expect(own.own(params, of: NotificationPost.self) { _ in }.bytes == params.bytes)
        }
    }
}
