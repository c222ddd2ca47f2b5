import Contract
import Foundation
import Glibc
import Loop
import Simulation
import Units

/// Runs weeks of a household on simulated services, one after the other, and says what went wrong.
@main struct Simulate {
    private static let usage = """
        usage: simulate [--seed N] [--step N] [--weeks N | --seconds N] [--once] [--trace]

          --seed N      the first seed (default: random)
          --step N      what the next week's seed is greater (default 1)
          --weeks N     how many weeks (default 1)
          --seconds N   as many weeks as begin in N seconds
          --once        each week once; else twice, and both must do the same
          --until-found ends with the first week that violates something
          --no-faults   nothing goes wrong
          --trace       prints every message and turn of the week

        Exit codes: 0 nothing was violated; 1 something was; 64 wrong usage; 70 a week could not be run.
        """

    private struct Options {
        var seed = UInt64.random(in: 1...999_999_999)
        var step: UInt64 = 1
        var weeks = 1
        var seconds: Int64?
        var isTwice = true
        var isTraced = false
        var endsWhenFound = false
        var faults = SimulatedSystem.Faults()

        init?(_ arguments: [String]) {
            var rest = arguments[...]
            func number() -> Int64? { rest.popFirst().flatMap(WholeNumber.of) }
            while let option = rest.popFirst() {
                switch option {
                case "--seed":
                    guard let value = number() else { return nil }
                    seed = UInt64(value)
                case "--step":
                    guard let value = number() else { return nil }
                    step = UInt64(value)
                case "--weeks":
                    guard let value = number() else { return nil }
                    weeks = Int(value)
                case "--seconds":
                    guard let value = number() else { return nil }
                    seconds = value
                case "--once": isTwice = false
                case "--until-found": endsWhenFound = true
                case "--no-faults": faults = .none
                case "--trace": isTraced = true
                default: return nil
                }
            }
        }
    }

    static func main() {
        setenv("TZ", "UTC", 1)
        guard ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == "1" else { again() }
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
            print(usage)
            exit(64)
        }
        let directory = "/tmp/simulate-\(getpid())"
        Reactor.run {
            let code = run(options, in: directory)
            // Only temporary files; the next start of the machine removes them.
            try? FileManager.default.removeItem(atPath: directory)
            exit(code)
        }
    }

    /// The order of dictionaries must be the same in each run, and times those of UTC.
    private static func again() -> Never {
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        execv("/proc/self/exe", CommandLine.unsafeArgv)
        print("simulate: cannot start again: \(String(cString: strerror(errno)))")
        exit(70)
    }

    @LoopActor private static func run(_ options: Options, in directory: String) -> Int32 {
        let loop = EventLoop.main
        let end = options.seconds.map { loop.now + .seconds($0) }
        var (seed, weeks, failed) = (options.seed, 0, 0)
        var counts: [String: Int] = [:]
        let began = loop.now
        while end.map({ loop.now < $0 }) ?? (weeks < options.weeks) {
            do {
                let outcome = try week(seed, options, directory)
                // A long run is read while it goes on.
                fflush(nil)
                weeks += 1
                if !outcome.violations.isEmpty { failed += 1 }
                counts.merge(outcome.counts) { $0 + $1 }
            } catch {
                print("seed \(seed): \(error)")
                return 70
            }
            seed += options.step
            if failed > 0, options.endsWhenFound { break }
        }
        let elapsed = max(1, (loop.now - began).count)
        let rate = Int64(weeks) * 60_000 / elapsed
        print("\(weeks) weeks in \(elapsed) ms, \(rate) a minute; \(failed) failed")
        print(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
        return failed == 0 ? 0 : 1
    }

    @LoopActor private static func week(
        _ seed: UInt64, _ options: Options, _ directory: String
    ) throws -> HouseholdWeek.Outcome {
        var outcome = try once(seed, options, directory)
        if options.isTwice {
            let again = try once(seed, options, directory)
            if again.digest != outcome.digest {
                outcome.violations.append("a second run did something else")
            }
        }
        print(
            "seed \(seed): \(outcome.observations) observations, \(outcome.callbacks) callbacks, "
                + "\(outcome.steps) steps, at most \(outcome.latest.count / 1_000) s late, "
                + "digest \(String(outcome.digest, radix: 16))")
        guard !outcome.violations.isEmpty else { return outcome }
        for line in outcome.lines.suffix(20) { print("  log: \(line)") }
        for sentence in outcome.violations { print("  violated: \(sentence)") }
        return outcome
    }

    /// Seconds of processor time, however busy the machine is. A week takes less than ten; one that takes
    /// longer has a step that does not end.
    private static let weekSecondsMax = 120
    /// The report of such a week.
    // A signal handler reads it, which may not be isolated; it is set only while no timer runs.
    nonisolated(unsafe) private static var endlessWeek: [UInt8] = []

    private static func limitTime(of seed: UInt64) {
        let sentence = "seed \(seed):\n  violated: the week does not end; a step of it takes for ever\n"
        endlessWeek = Array(sentence.utf8)
        signal(SIGPROF) { _ in
            write(1, Simulate.endlessWeek, Simulate.endlessWeek.count)
            _exit(1)
        }
        setTimer(seconds: weekSecondsMax)
    }

    /// - Parameter seconds: 0 stops it.
    private static func setTimer(seconds: Int) {
        var timer = itimerval()
        timer.it_value.tv_sec = seconds
        let result = setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
        precondition(result == 0, "setitimer refused \(seconds) s: \(String(cString: strerror(errno)))")
    }

    @LoopActor private static func once(
        _ seed: UInt64, _ options: Options, _ directory: String
    ) throws -> HouseholdWeek.Outcome {
        limitTime(of: seed)
        defer { setTimer(seconds: 0) }
        let files = FileManager.default
        if files.fileExists(atPath: directory) { try files.removeItem(atPath: directory) }
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
        // The same path in every process: it occurs in messages.
        try files.changeCurrentDirectory(directory)
        let week = try HouseholdWeek(seed: seed, faults: options.faults, directory: "/proc/self/cwd")
        guard options.isTraced else { return week.run() }
        return week.run { print($0) }
    }
}

extension FileManager {
    fileprivate func changeCurrentDirectory(_ path: String) throws {
        guard changeCurrentDirectoryPath(path) else { throw CocoaError(.fileNoSuchFile) }
    }
}
