import Contract
import ExtensionBundling
public import Foundation
import Loop

/// A complete Screen Time system for one test: every service as a real process in separate directories, with
/// a clock that only the test moves. Extensions run in it as they do for a person.
///
///     try await VirtualHousehold.with { house in
///         try await house.install("MyMonitor")
///         try await house.startMonitoring("evening", from: "20:00", to: "22:00")
///         try await house.advance(to: "2026-03-02T20:00:00Z")
///         #expect(try await house.callbacks.map(\.name) == ["intervalDidStart"])
///     }
///
/// The services are those of the newest build of the screentime checkout; `SCREENTIME_BIN` selects another
/// directory. `SCREENTIME_KEEP=1` keeps the directories and prints their paths.
public final class VirtualHousehold: Sendable {
    let world: World
    /// Bundle id of the app whose extensions are tested; ``install(_:client:file:)`` changes it.
    @LoopActor private(set) var client = "org.example.app"
    @LoopActor private var approved: Set<String> = []
    /// Number of observations so far: one use may begin in the millisecond in which another ends.
    @LoopActor var observed: Int64 = 0

    @LoopActor init(_ world: World) { self.world = world }

    /// What failed and what to do.
    public struct Failure: Error, CustomStringConvertible {
        public var description: String
    }

    /// Runs `body` in a new household, whose clock starts at `instant`; everything ends with `body`.
    /// - Parameter instant: RFC 3339 in UTC. The member's zone is UTC.
    /// - Throws: the error of `body`, or a failure if the services do not start.
    public static func with(
        at instant: String = "2026-03-02T08:00:00Z",
        _ body: @Sendable (VirtualHousehold) async throws -> Void
    ) async throws {
        try await World.with(clock: instant) { world in try await body(VirtualHousehold(world)) }
    }

    /// Its directory, for example for bundles; it is removed at the end.
    @LoopActor public var folder: URL { URL(filePath: world.directory) }

    // MARK: extensions

    /// Installs the extension that a target of the test's own package builds, and approves its app.
    /// - Parameters:
    ///   - target: name of the program and of the folder in `Sources` that contains the Info.plist.
    ///   - client: bundle id of its app; default: the extension's id without its last part.
    /// - Returns: its bundle id.
    @discardableResult @LoopActor
    public func install(
        _ target: String, client: String? = nil, file: String = #filePath
    ) async throws -> String {
        var root = URL(filePath: file)
        while root.path != "/",
            !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path)
        {
            root.deleteLastPathComponent()
        }
        let bundle = URL(filePath: world.directory).appending(path: "bundles/\(target)")
        try ExtensionBundling.make(
            bundle, from: root.appending(path: "Sources/\(target)"),
            program: URL(filePath: World.testPrograms).appending(path: target))
        return try await install(bundle: bundle, client: client)
    }

    /// Installs a bundle, and approves its app.
    @discardableResult @LoopActor
    public func install(bundle: URL, client: String? = nil) async throws -> String {
        let record = try await world.call(
            ExtensionInstall.self,
            ExtensionInstall.Params(
                path: bundle.path, client: try client ?? Self.client(of: bundle), withoutBubblewrap: true)
        ).program
        self.client = record.client
        try await approve(record.client)
        return record.id
    }

    /// The app's id, given explicitly: if the test has approved the app before, a bundle does not join it by
    /// its name alone.
    /// - Returns: nil if the id contains variables; the installation expands them.
    private static func client(of bundle: URL) throws -> String? {
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: bundle.appending(path: "Info.plist")), format: nil)
        guard let id = (list as? [String: Any])?["CFBundleIdentifier"] as? String, !id.contains("$("),
            let end = id.lastIndex(of: ".")
        else { return nil }
        return String(id[..<end])
    }

    /// Approves an app, as the person would.
    @LoopActor public func approve(_ client: String) async throws {
        guard approved.insert(client).inserted else { return }
        let events = try world.record(.auth)
        let asking = Task { @LoopActor in
            try await world.call(
                AuthorizationRequest.self, AuthorizationRequest.Params(client: client), client: client)
        }
        let pending = try await events.first(AuthorizationChanged.self) {
            $0.authorization.pending && $0.authorization.client == client
        }
        _ = try await world.call(
            AuthorizationDecide.self,
            AuthorizationDecide.Params(id: pending.authorization.id, decision: .approve))
        _ = try await asking.value
        try await world.clock.settle()
    }

    /// The shared directory of an app group from an extension's entitlements.
    @LoopActor public func groupContainer(_ group: String) throws -> URL {
        let folder = URL(filePath: world.directory).appending(path: "state/groups/\(group)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The result of the app's picker: a `FamilyActivitySelection` as JSON, whose tokens are valid for this
    /// app. The app must be approved.
    /// - Parameter client: bundle id of the app; default: the app of the extension that was installed last.
    @LoopActor public func selection(
        apps: [String] = [], categories: [String] = [], domains: [String] = [], client other: String? = nil
    ) async throws -> Data {
        let subjects =
            apps.map { TokenSubject(.app, $0) } + categories.map { TokenSubject(.category, $0) }
            + domains.map { TokenSubject(.domain, $0) }
        let tokens = try await world.call(
            TokenMake.self, TokenMake.Params(client: other ?? client, subjects: subjects)
        ).tokens.map { ["data": $0] }
        let object: [String: Any] = [
            "applicationTokens": Array(tokens.prefix(apps.count)),
            "categoryTokens": Array(tokens.dropFirst(apps.count).prefix(categories.count)),
            "webDomainTokens": Array(tokens.suffix(domains.count)), "includeEntireCategory": false,
            "untokenizedApplicationIdentifiers": [String](), "untokenizedCategoryIdentifiers": [String](),
            "untokenizedWebDomainIdentifiers": [String](),
        ]
        return try JSONSerialization.data(withJSONObject: object)
    }

    /// The token of one category, as JSON.
    @LoopActor public func token(category: String, client other: String? = nil) async throws -> Data {
        let params = TokenMake.Params(client: other ?? client, subjects: [TokenSubject(.category, category)])
        let tokens = try await world.call(TokenMake.self, params).tokens
        return try JSONSerialization.data(withJSONObject: ["data": tokens[0]])
    }

    /// Output and log of an extension so far.
    @LoopActor public func log(of id: String) async throws -> [String] {
        try await command(["logs", id])
    }

    /// Runs `screentime` with these arguments and returns the lines it prints.
    /// - Throws: a failure with its standard error if its exit code is not 0.
    @discardableResult @LoopActor
    public func command(_ words: [String]) async throws -> [String] {
        let name = "screentime-\(world.processes.count)"
        let (status, lines) = try await world.run(name, [World.products + "/screentime"] + words)
        guard status == 0 else {
            throw Failure(
                description: "screentime \(words.joined(separator: " ")): \(world.errors(of: name))")
        }
        return lines
    }
}
