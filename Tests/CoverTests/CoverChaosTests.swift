import Bus
import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import TestSupport
import Testing
import Time
import Units

@testable import CoverCore

/// The agent, the process of covers and shield-service are killed in the middle of covering, freezing,
/// thawing and uncovering: an app does not stand still without a cover, and is not seen while it is shielded,
/// for longer than a cover takes to start; and it loses nothing.
@Suite(.enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
@LoopActor struct CoverChaosTests {
    @Test func killsLeaveNothingFrozenBareOrSeen() async throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        print("seed \(seed)")
        var random = Draw(state: seed)
        try await World.with([]) { world in
            try Self.writeDesktopFile(world)
            try await world.startDisplay()
            try await world.startWindowManager()
            for service in ["auth-service", "activity-center", "shield-service"] {
                try await world.start(service)
            }
            let display = try XDisplay(world.environment["DISPLAY"] ?? "")
            let reference = try await Self.timeOfACover(world, display)
            try await world.start("desktop-agent")
            let game = try await Game(world, display)
            let watch = Observer(display, game)
            let observing = Task { @LoopActor in await watch.run() }
            try await watch.set(true, world)
            try await Self.until("frozen behind a cover") { watch.isFrozen && watch.isCovered }
            for round in 0..<24 {
                try await Self.disturb(world, watch, using: &random)
                // Short and long ones, so that every step is interrupted, and some are not.
                let longest: Int64 = round % 3 == 0 ? 600 : 90
                await EventLoop.main.pause(Milliseconds(Int64.random(in: 0...longest, using: &random)))
            }
            try await watch.set(false, world)
            let before = game.size
            try await Self.until("it counts on, uncovered") {
                game.size > before && !watch.isCovered && !watch.isFrozen
            }
            watch.isOver = true
            await observing.value
            #expect(game.isGapless)
            let limit = max(300, reference * 4)
            print("a cover takes \(reference) ms; frozen bare \(watch.bare) ms, seen \(watch.seen) ms")
            #expect(watch.bare <= limit, "seed \(seed): frozen without a cover: \(watch.worst)")
            #expect(watch.seen <= limit, "seed \(seed): shielded without a cover: \(watch.worst)")
        }
    }

    private static func writeDesktopFile(_ world: World) throws {
        let folder = world.directory + "/data/applications"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        world.environment["XDG_DATA_HOME"] = world.directory + "/data"
        try "[Desktop Entry]\nType=Application\nName=Chaos\nExec=/usr/bin/env chaos\nStartupWMClass=Chaos\n"
            .write(toFile: folder + "/chaos.desktop", atomically: true, encoding: .utf8)
    }

    /// One step: another shield, or the end of a process, which comes back.
    private static func disturb(_ world: World, _ watch: Observer, using random: inout Draw) async throws {
        let step = Int.random(in: 0..<5, using: &random)
        watch.note(["shield", "unshield", "agent", "cover", "service"][step])
        defer { watch.note("done") }
        switch step {
        case 0: try await watch.set(true, world)
        case 1: try await watch.set(false, world)
        case 2:
            watch.expectsCover = false
            try await world.process("desktop-agent").destroy()
            try await world.start("desktop-agent")
            watch.expectsCover = watch.isShielded
            watch.begin()
        case 3:
            let path = world.runtime.lockPath(named: AgentName.shieldCover)
            if let pid = LockTable().holder(of: path).flatMap({ Int32(exactly: $0) }) { kill(pid, SIGKILL) }
            watch.begin()
        default:
            try await world.process("shield-service").destroy()
            try await world.start("shield-service")
            watch.begin()
        }
    }

    /// From the start of a process to the first frame of its first cover, in milliseconds: here and now.
    private static func timeOfACover(_ world: World, _ display: XDisplay) async throws -> Int64 {
        _ = try world.launch("xterm-ref", ["xterm", "-class", "Reference", "-e", "sh", "-c", "read line"])
        let window = try await find("Reference", display)
        let runtime = RuntimeDirectory(path: world.directory + "/other")
        try runtime.prepare()
        let client = try RequestClient(toNamed: AgentName.shieldCover, in: runtime, tracer: world.tracer)
        defer { client.close() }
        let began = MonotonicClock.now
        let process = try world.launch(
            "reference", [World.products + "/" + AgentName.shieldCover],
            environment: ["SCREENTIME_RUNTIME_DIR": runtime.path])
        let about = CoveredWindow(window: Int64(window), app: "reference", subject: "reference")
        _ = try await client.call(
            CoverShow.self, CoverShow.Params(cover: about), options: CallOptions(deadline: 60_000))
        let took = (MonotonicClock.now - began).count
        _ = try await process.stop()
        return took
    }

    static func find(_ name: String, _ display: XDisplay) async throws -> UInt32 {
        var found: UInt32?
        try await until("the window of \(name)") {
            for window in display.numbers("_NET_CLIENT_LIST", of: display.root) where found == nil {
                if display.text("WM_CLASS", of: window).contains(name), display.isViewable(window) {
                    found = window
                }
            }
            return found != nil
        }
        return try #require(found)
    }

    static func until(_ what: String, _ isTrue: @LoopActor () throws -> Bool) async throws {
        let end = MonotonicClock.now + 180_000
        var looks = Looks()
        while try !isTrue() {
            guard MonotonicClock.now < end else { throw Overdue(what) }
            await looks.pause()
        }
    }

    /// A terminal whose program counts into a file.
    @LoopActor struct Game {
        let window: UInt32
        let pid: Int32
        private let file: String
        private let world: World

        init(_ world: World, _ display: XDisplay) async throws {
            self.world = world
            file = world.directory + "/count.txt"
            let script = """
                $| = 1; open(F, ">", "\(file)");
                for (1 .. 600000) { syswrite(F, "$_\\n"); select(undef, undef, undef, 0.001); }
                """
            let process = try world.launch(
                "xterm-game", ["xterm", "-class", "Chaos", "-e", "perl", "-e", script])
            pid = process.pid
            window = try await CoverChaosTests.find("Chaos", display)
        }

        var size: Int { world.readText(file).utf8.count }

        /// Lines 1, 2, 3 … without a gap and without a repeat; the last may be half written.
        var isGapless: Bool {
            let lines = world.readText(file).split(separator: "\n").dropLast()
            return !lines.isEmpty
                && lines.enumerated().allSatisfy { String($0.offset + 1) == $0.element }
        }
    }

    /// Looks at the game again and again, and keeps the longest times.
    @LoopActor final class Observer {
        private let display: XDisplay
        private let game: Game
        private(set) var isShielded = false
        /// Whether the game must be covered: shielded, and an agent runs.
        var expectsCover = false
        var isOver = false
        private(set) var isFrozen = false
        private(set) var isCovered = false
        /// The longest time, in milliseconds, that it stood still without a cover, and that it was seen
        /// although it was shielded.
        private(set) var bare: Int64 = 0, seen: Int64 = 0
        /// The steps before the longest, and when it ended.
        private(set) var worst: (steps: [String], at: Int64) = ([], 0)
        private var bareNow: Int64 = 0, seenNow: Int64 = 0
        /// Time between two looks that counts: this process may get no processor for longer.
        private static let lookMax: Int64 = 20

        init(_ display: XDisplay, _ game: Game) {
            self.display = display
            self.game = game
        }

        func set(_ isShielded: Bool, _ world: World) async throws {
            if !isShielded { expectsCover = false }
            let value: JSONValue = isShielded ? .array([.string("chaos")]) : .null
            let settings = [Setting(key: "shield.applications", value: value)]
            _ = try await world.call(
                SettingsWrite.self, SettingsWrite.Params(store: "test", settings: settings))
            self.isShielded = isShielded
            expectsCover = isShielded
        }

        /// Steps with their times, for whoever reads a failure.
        private var steps: [String] = []

        func note(_ step: String) { steps.append("\(MonotonicClock.now.count % 100_000): \(step)") }

        /// What was killed is back, or was just killed: times count from now.
        func begin() { (bareNow, seenNow) = (0, 0) }

        func run() async {
            var last = MonotonicClock.now
            while !isOver {
                look()
                let now = MonotonicClock.now
                let step = min((now - last).count, Self.lookMax)
                last = now
                bareNow = isFrozen && !isCovered ? bareNow + step : 0
                seenNow = expectsCover && !isCovered ? seenNow + step : 0
                if bareNow > bare || seenNow > seen { worst = (Array(steps.suffix(9)), now.count % 100_000) }
                bare = max(bare, bareNow)
                seen = max(seen, seenNow)
                await EventLoop.main.pause(1)
            }
        }

        private func look() {
            isFrozen = Self.isStopped(game.pid)
            let windows = display.numbers("_NET_CLIENT_LIST", of: display.root)
            isCovered = windows.contains {
                display.numbers("WM_TRANSIENT_FOR", of: $0).first == game.window && display.isViewable($0)
            }
        }

        private static func isStopped(_ pid: Int32) -> Bool {
            // A process that has exited has no such file, and does not stand still.
            let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
            return text.split(separator: ")").last?.hasPrefix(" T") ?? false
        }
    }

    /// SplitMix64.
    struct Draw: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}
