import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// Programs of the same user that take all they can get: connections, descriptors, memory.
@Suite struct HostilePeerTests {
    private static let limited = "/usr/bin/prlimit"

    /// Starts a service with limits of open files, and waits until it is ready.
    @LoopActor private static func start(
        _ service: ServiceName, nofile: String, _ world: World
    ) async throws {
        let process = try world.launch(
            service.rawValue,
            [limited, "--nofile=\(nofile)", "\(World.products)/\(service.rawValue)"])
        _ = try await process.line("READY")
    }

    @LoopActor private static func counter(_ name: String, _ service: ServiceName, _ world: World)
        async throws -> Int64
    {
        try await world.health(service).counters.first { $0.name == name }?.count ?? 0
    }

    /// Asks for the service's health over a connection of its own until there is one.
    @LoopActor private static func isReachableAgain(
        _ service: ServiceName, _ world: World
    ) async throws -> Bool {
        let client = try RequestClient(to: service, in: world.runtime, tracer: world.tracer)
        defer { client.close() }
        let health = try await client.call(
            HealthCheck.self, Nothing(), options: CallOptions(deadline: 30_000))
        return health.state == .ready
    }

    @Test(.enabled(if: ForeignPrograms.python != nil, ForeignPrograms.reason), arguments: [
        ServiceName.auth, .activity,
    ])
    func moreConnectionsThanDescriptorsEndNoService(service: ServiceName) async throws {
        try await World.with([]) { world in
            try await Self.start(service, nofile: "256:256", world)
            _ = try await world.health(service)
            for door in [RuntimeDirectory.SocketKind.requests, .events] {
                let crowd = try world.launchPython(
                    "crowd-\(door.rawValue)", "ForeignClient/many_connections.py",
                    [world.runtime.socketPath(service, door), "8", "40"])
                let held = try await crowd.line("HELD")
                #expect(held != "HELD 320 REFUSED 0")
                #expect(try world.process(service.rawValue).status == nil, "\(service.rawValue) ended")
                // Whoever is connected is served as before.
                #expect(try await Self.counter("too_many_connections", service, world) > 0)
                try await crowd.destroy()
            }
            #expect(try await Self.isReachableAgain(service, world))
        }
    }

    @Test(.enabled(if: ForeignPrograms.python != nil, ForeignPrograms.reason))
    func oneProcessHoldsNoMoreThanItsShareOfConnections() async throws {
        try await World.with(["auth-service"]) { world in
            let greedy = try world.launchPython(
                "greedy", "ForeignClient/many_connections.py",
                [world.runtime.socketPath(.auth, .requests), "1", "300"])
            #expect(try await greedy.line("HELD") == "HELD 32 REFUSED 268")
            // Others are as welcome as before.
            #expect(try await Self.isReachableAgain(.auth, world))
            #expect(try await Self.counter("too_many_connections", .auth, world) == 268)
            let log = world.readText("\(world.directory)/state/logs/auth-service.log")
            #expect(log.contains(#""detail":"pid \#(greedy.pid)""#))
            try await greedy.destroy()
            let next = try world.launchPython(
                "next", "ForeignClient/many_connections.py",
                [world.runtime.socketPath(.auth, .requests), "1", "32"])
            #expect(try await next.line("HELD") == "HELD 32 REFUSED 0")
        }
    }

    /// All connections used by processes of which none exceeds its limit: a process with its first connection
    /// is served anyway.
    @Test(.enabled(if: ForeignPrograms.python != nil, ForeignPrograms.reason), arguments: [
        ("256:256", 8), ("8192:8192", 66),
    ])
    func whoHasNoConnectionGetsOneFromWhoHasMany(nofile: String, processes: Int) async throws {
        try await World.with([]) { world in
            try await Self.start(.auth, nofile: nofile, world)
            // Later ones displace some of the first, whose numbers others get.
            for number in 0..<(processes < 10 ? 3 : 1) {
                let crowd = try world.launchPython(
                    "crowd-\(number)", "ForeignClient/many_connections.py",
                    [world.runtime.socketPath(.auth, .requests), String(processes), "32"])
                let held = try await crowd.line("HELD", deadline: 120_000)
                #expect(!held.hasSuffix("REFUSED 0"))
                #expect(try await Self.isReachableAgain(.auth, world))
            }
            #expect(try await Self.counter("too_many_connections", .auth, world) > 0)
            #expect(try world.process("auth-service").status == nil, "auth-service ended")
        }
    }

    /// One program that holds connections of exited processes: each with another pid, all without an owner.
    @Test(.enabled(if: ForeignPrograms.python != nil, ForeignPrograms.reason))
    func connectionsOfTheDeadShutNobodyOut() async throws {
        try await World.with([]) { world in
            try await Self.start(.auth, nofile: "256:256", world)
            let holder = try world.launchPython(
                "holder", "ForeignClient/connections_of_the_dead.py",
                [world.runtime.socketPath(.auth, .requests), "400"])
            _ = try await holder.line("HELD", deadline: 60_000)
            for _ in 0..<3 { #expect(try await Self.isReachableAgain(.auth, world)) }
            #expect(try await Self.counter("too_many_connections", .auth, world) > 0)
            #expect(try world.process("auth-service").status == nil, "auth-service ended")
        }
    }

    /// Requests that wait for what never comes, of processes that are gone, and of some that stay.
    @Test(.enabled(if: ForeignPrograms.python != nil, ForeignPrograms.reason), arguments: [true, false])
    func requestsThatWaitShutNobodyOut(theyStay: Bool) async throws {
        try await World.with(["activity-center"]) { world in
            let waiting = try world.launchPython(
                "waiting", "ForeignClient/waits_for_ever.py",
                [
                    world.runtime.socketPath(.activity, .requests), "6", "activity-center",
                    theyStay ? "stay" : "leave",
                ])
            _ = try await waiting.line("SENT", deadline: 120_000)
            for _ in 0..<3 { #expect(try await Self.isReachableAgain(.activity, world)) }
            let client = try world.client(.activity)
            _ = try await client.call(EventsRead.self, EventsRead.Params(after: 0))
            // More than a little, too.
            var long = EventsRead.Params(after: 0)
            long.types = (0..<400).map { String(repeating: "x", count: 500) + String($0) }
            _ = try await client.call(EventsRead.self, long, options: CallOptions(deadline: 20_000))
            #expect(try await Self.counter("too_many_requests", .activity, world) > 0 || !theyStay)
        }
    }

    @Test func theSoftLimitOfDescriptorsIsRaisedToTheHardOne() async throws {
        try await World.with([]) { world in
            try await Self.start(.auth, nofile: "128:2048", world)
            let limits = world.readText("/proc/\(try world.process("auth-service").pid)/limits")
            let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
            #expect(line?.split(separator: " ").dropFirst(3).prefix(2) == ["2048", "2048"])
        }
    }

    @Test(.enabled(if: ForeignPrograms.python != nil, ForeignPrograms.reason), arguments: [
        (ServiceName.shield, "trace.read", 1), (.activity, "trace.read", 6),
    ])
    func answersThatNobodyReadsTakeABoundedAmountOfMemory(
        service: ServiceName, method: String, connections: Int
    ) async throws {
        try await World.with([service.rawValue]) { world in
            let lazy = try world.launchPython(
                "lazy", "ForeignClient/never_reads.py",
                [world.runtime.socketPath(service, .requests), method, "3000", String(connections)])
            _ = try await lazy.line("SENT", deadline: 120_000)
            // Requests of ours are taken between theirs.
            #expect(try await Self.isReachableAgain(service, world))
            try await world.eventually("they are disconnected") {
                try await Self.counter("unread_answers", service, world) > 0
            }
            let pid = try world.process(service.rawValue).pid
            let status = world.readText("/proc/\(pid)/status").split(separator: "\n")
            let peak = status.first { $0.hasPrefix("VmHWM") }?.split(separator: " ").dropFirst().first
            let peakKilobytes = try #require(peak.flatMap { Int($0) })
            #expect(peakKilobytes < 300_000, "\(service.rawValue) took \(peakKilobytes) kB")
            let log = world.readText("\(world.directory)/state/logs/\(service.rawValue).log")
            #expect(log.contains("pid \(lazy.pid) left"))
        }
    }
}
