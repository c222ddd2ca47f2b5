import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// scripts/install.sh, with the build that is tested.
@Suite("install.sh") struct InstallTests {
    private static func installing(_ folder: String, from build: String = World.products) -> [String] {
        ["/bin/bash", "\(RunAllTests.root)/scripts/install.sh", folder, build]
    }

    /// Files of a process that are mapped into its memory.
    private static func mapped(_ pid: Int32) throws -> Set<String> {
        // Data and String read only the first pages of such a file.
        let bytes = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(pid)/maps")).readToEnd()
        let maps = String(decoding: bytes ?? Data(), as: UTF8.self)
        return Set(maps.split(separator: "\n").compactMap { $0.split(separator: "/").last.map(String.init) })
    }

    @Test func whatIsInstalledRunsAndSharesItsCode() async throws {
        try await World.with([]) { world in
            let folder = "\(world.directory)/installed"
            world.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
            // It links two libraries and every program.
            let install = try await world.run("install", Self.installing(folder), deadline: 300_000)
            #expect(install.status == 0, "\(install.lines) \(world.errors(of: "install"))")
            let auth = try world.launch("auth-service", ["\(folder)/auth-service"])
            let runner = try world.launch("monitor-runner", ["\(folder)/monitor-runner"])
            for (name, process) in [("auth-service", auth), ("monitor-runner", runner)] {
                _ = try await process.line("READY \(name)")
                let mapped = try Self.mapped(process.pid)
                #expect(mapped.contains("libscreentime-services.so"))
                #expect(mapped.filter { $0.contains("Foundation") || $0.contains("_StringProcessing") } == [])
            }
            let members = try await world.run("members", ["\(folder)/screentime", "member", "list", "--json"])
            #expect(members.status == 0, "\(world.errors(of: "members"))")
            // Without the library's accept4 for libzmq no caller would be known, and every write refused.
            let added = try await world.run("add", ["\(folder)/screentime", "member", "add", "kid"])
            #expect(added.status == 0, "\(world.errors(of: "add"))")
            // The built-in apps were found, and a program of the other library starts.
            let list = try await world.run("list", ["\(folder)/screentime", "extension", "list"])
            #expect(list.lines.contains { $0.contains("org.screentime.limits.monitor") }, "\(list.lines)")
            let limits = try await world.run("limits", ["\(folder)/limits", "--help"])
            #expect(limits.status == 0, "\(world.errors(of: "limits"))")
            let again = try await world.run("again", Self.installing(folder))
            #expect(again.lines == ["'\(folder)' is current."])
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.filter { $0.hasPrefix(".") } == [".complete"])
        }
    }

    /// shield-cover replaces functions of Xlib in its process, which depends on how it is linked. Only then a
    /// cover that another program destroys is replaced.
    @Test(.enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
    func whatIsInstalledCoversAWindow() async throws {
        try await World.withDesktop([], agent: false) { world in
            let folder = "\(world.directory)/installed"
            world.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
            let install = try await world.run("install", Self.installing(folder), deadline: 300_000)
            #expect(install.status == 0, "\(install.lines) \(world.errors(of: "install"))")
            for name in ["shield-service", "desktop-agent"] {
                _ = try await world.launch(name, ["\(folder)/\(name)"]).line("READY")
            }
            try await world.openTerminal("Alpha")
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await world.agentSpan("the first frame") {
                $0.name == CoverShow.name && $0.outcome == "ok"
            }
            let pid = try #require(world.coverPid)
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
            #expect(program == "\(folder)/shield-cover")
            #expect(try Self.mapped(pid).contains("libscreentime-services.so"))
            let shown = try await world.run(
                "cover", ["xdotool", "search", "--onlyvisible", "--class", "^org.screentime.ShieldCover$"])
            let cover = try #require(shown.lines.first)
            // Without its own functions in the place of Xlib's, the process would end now.
            try await world.xdotool("windowclose", cover)
            let next = try await world.run(
                "next",
                ["xdotool", "search", "--sync", "--onlyvisible", "--class", "^org.screentime.ShieldCover$"])
            #expect(next.lines.count == 1 && next.lines != [cover] && world.coverPid == pid)
            _ = try await DesktopShieldTests.frozen(world)
            try await world.shield([])
            try await world.eventually("uncovered") { try await world.covers().isEmpty }
        }
    }

    /// Each with its exit code and a sentence, and nothing is left.
    @Test func whatCannotBeInstalledIsRefused() async throws {
        try await World.with([]) { world in
            world.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
            let script = "\(RunAllTests.root)/scripts/install.sh"
            let (folder, file, empty) = (
                "\(world.directory)/installed", "\(world.directory)/file", "\(world.directory)/empty"
            )
            try Data().write(to: URL(filePath: file))
            try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
            let refusals: [([String], Int32, String)] = [
                ([], 64, "usage: scripts/install.sh DIRECTORY [BUILD]"),
                (["--all"], 64, "usage: scripts/install.sh DIRECTORY [BUILD]"),
                ([folder, World.products, "more"], 64, "'more' is too much"),
                ([folder, "\(world.directory)/nowhere"], 66, "'\(world.directory)/nowhere' is missing"),
                ([folder, empty], 66, "'\(empty)/auth-service.product' is missing"),
                (["\(file)/installed", World.products], 73, "'\(file)/installed' cannot be made"),
            ]
            for (number, (arguments, status, words)) in refusals.enumerated() {
                let outcome = try await world.run("refused-\(number)", ["/bin/bash", script] + arguments)
                let said = world.errors(of: "refused-\(number)")
                #expect(outcome.status == status && said.contains(words), "\(arguments): \(said)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    /// Before anything is linked.
    @Test func aMissingToolIsNamed() async throws {
        try await World.with([]) { world in
            let tools = "\(world.directory)/tools"
            try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
            world.environment["PATH"] = tools
            for tool in ["dirname", "basename", "realpath"] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(tools)/\(tool)", withDestinationPath: "/usr/bin/\(tool)")
            }
            for tool in ["swiftc", "nm", "readelf", "strip", "flock"] {
                let install = try await world.run(
                    "without-\(tool)", Self.installing("\(world.directory)/installed"))
                let said = world.errors(of: "without-\(tool)")
                #expect(install.status == 69 && said.contains("there is no '\(tool)' on PATH"), "\(said)")
                try FileManager.default.createSymbolicLink(
                    atPath: "\(tools)/\(tool)", withDestinationPath: "/bin/true")
            }
        }
    }

    /// What is left is a mixture of two builds, which no later installation takes for one of them.
    @Test func whatWasKilledHalfwayIsInstalledAgain() async throws {
        try await World.with([]) { world in
            let (folder, tools) = ("\(world.directory)/installed", "\(world.directory)/tools")
            let (other, victim) = ("\(world.directory)/other", "\(world.directory)/victim")
            for path in [folder, tools, other] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: World.products) {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(other)/\(name)", withDestinationPath: "\(World.products)/\(name)")
            }
            let build = URL(filePath: World.products).resolvingSymlinksInPath().path
            for path in ["\(folder)/former", victim] { try Data().write(to: URL(filePath: path)) }
            try Data("\(build)\nformer\n../victim\n".utf8).write(to: URL(filePath: "\(folder)/.complete"))
            let path = try #require(ProcessInfo.processInfo.environment["PATH"])
            let mover = "#!/bin/sh\ncase $* in */auth-service*) kill -9 $PPID ;; esac\nexec /bin/mv \"$@\"\n"
            try Data(mover.utf8).write(to: URL(filePath: "\(tools)/mv"))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(tools)/mv")
            world.environment["PATH"] = "\(tools):\(path)"
            let killed = try await world.run(
                "killed", Self.installing(folder, from: other), deadline: 300_000)
            #expect(killed.status != 0)
            #expect(FileManager.default.fileExists(atPath: "\(folder)/app-link"))
            world.environment["PATH"] = path
            let again = try await world.run("again", Self.installing(folder), deadline: 300_000)
            #expect(again.status == 0, "\(world.errors(of: "again"))")
            #expect(again.lines.contains { $0.hasPrefix("Installed in") }, "\(again.lines)")
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/former"))
            #expect(FileManager.default.fileExists(atPath: victim))
        }
    }

    /// A program would be moved into it, and not be found.
    @Test func aFolderInTheWayIsRefused() async throws {
        try await World.with([]) { world in
            let folder = "\(world.directory)/installed"
            try FileManager.default.createDirectory(
                atPath: "\(folder)/activity-center", withIntermediateDirectories: true)
            world.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
            let install = try await world.run("install", Self.installing(folder), deadline: 300_000)
            #expect(install.status == 73)
            let said = world.errors(of: "install")
            #expect(said.contains("'\(folder)/activity-center' cannot be replaced"), "\(said)")
        }
    }
}
