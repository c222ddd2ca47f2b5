import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// scripts/bench.sh without what it measures: its options, the comparison of two files, the end of a part.
@Suite("bench.sh") struct BenchScriptTests {
    private static let script = "\(RunAllTests.root)/scripts/bench.sh"
    private static let suite = "\(RunAllTests.root)/Tests/Benchmarks/suite.py"

    /// A file of figures as the script writes it.
    private static func content(cores: Int = 2, kernel: String = "6.1", _ figures: String...) -> String {
        """
        {"format": 1, "began": "2026-01-01T08:00:00+00:00", "figures": [\(figures.joined(separator: ","))],
         "machine": {"cores": \(cores), "processor": "P", "memory_mb": 4000, "kernel": "\(kernel)",
                     "swift": "6.2", "commit": "abc", "quick": false},
         "parts": [{"name": "bus", "seconds": 1, "load_begin": 0.5, "load_end": 1, "failure": null}]}
        """
    }

    private static func figure(
        _ name: String, _ rounds: [Double], _ unit: String = "us", beside: [Double] = [],
        smallerIsBetter: Bool = true, shared: String = "", part: String = "bus"
    ) -> String {
        let value = rounds.sorted()[rounds.count / 2]
        let reference = beside.isEmpty ? nil : beside.sorted()[beside.count / 2]
        return """
            {"part": "\(part)", "name": "\(name)", "unit": "\(unit)", "value": \(value),
             "reference": \(reference.map { "\($0)" } ?? "null"),
             "ratio": \(reference.map { "\(value / $0)" } ?? "null"), "aim": null, "aim_is_of": "value",
             "smaller_is_better": \(smallerIsBetter), "rounds": \(rounds.count > 1 ? rounds : []),
             "reference_rounds": \(beside)\(shared.isEmpty ? "" : #", "shared_with": ["\#(shared)"]"#)}
            """
    }

    /// What `--compare` prints and says to standard error about two files.
    @LoopActor private static func compare(
        _ world: World, _ old: String, _ new: String
    ) async throws -> (status: Int32, lines: [String], error: String) {
        try Data(old.utf8).write(to: URL(filePath: world.directory + "/old.json"))
        try Data(new.utf8).write(to: URL(filePath: world.directory + "/new.json"))
        let result = try await world.run(
            "compare",
            ["/bin/bash", script, "--compare", world.directory + "/old.json", world.directory + "/new.json"])
        return (result.status, result.lines, world.errors(of: "compare"))
    }

    @Test func eachFigureIsComparedAndMarkedWhereItIsOutsideTheNoise() async throws {
        try await World.with([]) { world in
            let old = Self.content(
                Self.figure("quicker", [100, 101, 102]), Self.figure("as before", [50, 60, 70]),
                Self.figure("rate", [10, 11, 12], "/s", smallerIsBetter: false),
                Self.figure("size", [40], "MB"), Self.figure("gone", [1]),
                Self.figure("one", [1], part: "report"), Self.figure("another", [1], part: "report"))
            let new = Self.content(
                kernel: "6.2", Self.figure("quicker", [50, 51, 52]), Self.figure("as before", [55, 65, 75]),
                Self.figure("rate", [7, 8, 9], "/s", smallerIsBetter: false),
                Self.figure("size", [44], "MB"), Self.figure("here", [1]))
            let result = try await Self.compare(world, old, new)
            #expect(result.status == 0, "\(result.error)")
            for line in [
                "kernel: 6.1 before, 6.2 now",
                "| quicker | 101 us | 51.0 us | 0.50 |  | **better** |",
                "| rate | 11.0 /s | 8.00 /s | 0.73 |  | **worse** |",
                "| as before | 60.0 us | 65.0 us | 1.08 |  | within the noise |",
                // No rounds, no mark.
                "| size | 40.0 MB | 44.0 MB | 1.10 |  |  |",
                "only in the old one: gone, all of report", "only in the new one: here",
            ] { #expect(result.lines.contains(line), "\(result.lines)") }
        }
    }

    /// The machine is half as fast today; what is measured has not changed.
    @Test func aSlowerMachineIsNoChangeWhereTheReferenceIsSlowerToo() async throws {
        try await World.with([]) { world in
            let old = Self.content(
                Self.figure("trip", [100, 110, 120], beside: [50, 55, 60]),
                Self.figure("reference", [100, 110, 120], beside: [50, 55, 60]),
                Self.figure("both", [100, 110, 120], beside: [50, 55, 60]))
            let new = Self.content(
                Self.figure("trip", [200, 221, 240], beside: [100, 110, 120]),
                Self.figure("reference", [101, 111, 119], beside: [100, 110, 120]),
                Self.figure("both", [200, 221, 240], beside: [50, 55, 60]))
            let result = try await Self.compare(world, old, new)
            for line in [
                "| trip | 110 us | 221 us | 2.01 | 1.00 | within the noise |",
                "| reference | 110 us | 111 us | 1.01 | 0.50 | within the noise |",
                "| both | 110 us | 221 us | 2.01 | 2.01 | **worse** |",
            ] { #expect(result.lines.contains(line), "\(result.lines)") }
        }
    }

    @Test func memoryThatOthersSharedIsNotCompared() async throws {
        try await World.with([]) { world in
            let result = try await Self.compare(
                world, Self.content(Self.figure("PSS", [60], "MB")),
                Self.content(Self.figure("PSS", [30], "MB", shared: "swiftc (12)")))
            let verdict = "not comparable; too small: measured beside swiftc (12)"
            let line = "| PSS | 60.0 MB | 30.0 MB | 0.50 |  | \(verdict) |"
            #expect(result.lines.contains(line), "\(result.lines)")
        }
    }

    @Test func figuresOfTwoMachinesAndOtherFilesAreRefused() async throws {
        try await World.with([]) { world in
            let one = Self.content(Self.figure("a", [1]))
            let machines = try await Self.compare(world, one, Self.content(cores: 8, Self.figure("a", [1])))
            #expect(machines.status == 65 && machines.lines == [])
            #expect(machines.error.hasPrefix("bench: these are figures of two machines, 2 and 8 cores;"))
            let broken = try await Self.compare(world, one, "{")
            #expect(broken.status == 65 && broken.error.contains("it is not JSON"), "\(broken.error)")
            let foreign = try await Self.compare(world, "[]", one)
            #expect(foreign.status == 65, "\(foreign.lines)")
            #expect(foreign.error.contains("not a file of figures"), "\(foreign.error)")
        }
    }

    @Test func wrongOptionsAreRefusedBeforeAnythingIsDone() async throws {
        try await World.with([]) { world in
            for (arguments, words) in [
                (["bus", "busses"], "'busses' is no part; there are bus system"),
                (["--fast"], "'--fast' is not an option"), (["--output"], "--output needs a file"),
                (["--compare", "a"], "--compare needs two files"),
            ] {
                let result = try await world.run("bench", ["/bin/bash", Self.script] + arguments)
                #expect(result.status == 64 && result.lines == [], "\(arguments)")
                #expect(world.errors(of: "bench").contains(words), "\(world.errors(of: "bench"))")
            }
            let help = try await world.run("help", ["/bin/bash", Self.script, "--help"])
            #expect(help.status == 0 && help.lines.first?.hasPrefix("usage: scripts/bench.sh") == true)
        }
    }

    /// What is measured beside covers is optional.
    @Test func aPeerThatIsMissingIsNamedWithHowToGetIt() async throws {
        try await World.with([]) { world in
            let peer = "\(RunAllTests.root)/Tests/Benchmarks/timekpr_next.py"
            let result = try await world.run("peer", ["/usr/bin/python3", peer, world.directory, "1"])
            let said = world.errors(of: "peer")
            #expect(result.status == 1 && result.lines == [])
            #expect(said.contains("timekpr-next is not measured, because it is not there; to get it: "))
            #expect(said.contains("cd \(world.directory)/timekpr-next && apt-get download timekpr-next"))
        }
    }

    /// A program that hangs ends with its part, and the file says what happened.
    @Test func aPartThatHangsIsEndedAtItsDeadlineWithItsProcesses() async throws {
        try await World.with([]) { world in
            let program = world.directory + "/bench-bus"
            try Data("#!/bin/sh\necho $$ >\(world.directory)/pid\nexec sleep 1021\n".utf8)
                .write(to: URL(filePath: program))
            chmod(program, 0o755)
            let result = try await world.run(
                "suite",
                [
                    "/usr/bin/python3", Self.suite, "--products", world.directory, "--venv", world.directory,
                    "--swift", "6.2", "--output", world.directory + "/figures.json", "--deadline", "1", "bus",
                ])
            #expect(result.status == 1)
            let error = world.errors(of: "suite")
            #expect(error.contains("bench: bus did not end in 1 s."), "\(error)")
            let pid = try #require(Int32(world.readText(world.directory + "/pid").dropLast()))
            #expect(kill(pid, 0) == -1 && errno == ESRCH, "\(pid) still runs")
            let written = world.readText(world.directory + "/figures.json")
            #expect(written.contains(#""failure": "did not end in 1 s""#), "\(written)")
            #expect(written.contains(#""commit""#), "\(written)")
        }
    }
}
