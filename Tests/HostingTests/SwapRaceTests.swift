import Contract
import FileAccess
import Foundation
import Loop
import ServiceKit
import ScreenTimeTesting
import Testing

@testable import Hosting

/// A program exchanges the directories of its container with links to a tree outside, all the time, while the
/// host empties and removes that container: nothing outside is touched.
@Suite struct SwapRaceTests {
    private static let rounds = 400

    @Test @LoopActor func nothingOutsideIsDeleted() async throws {
        let place = try Place()
        defer { place.remove() }
        let files = try HostFiles(place.configuration, host: .monitor)
        let id = "org.example.swap.report"
        let container = try files.container(id).path
        let swapper = try Swapper(place, in: container)
        defer { swapper.end() }
        let before = place.canary()
        for round in 1...Self.rounds {
            // Everything in it is younger than the epoch.
            try files.revertWrites(try files.container(id), since: timespec())
            if round % 2 == 0 {
                try files.remove(id)
                _ = try files.container(id)
                #expect(try files.sweep())
            }
            if round % 20 == 0 { try #require(place.canary() == before, "round \(round)") }
        }
    }

    /// Counting follows no link either.
    @Test @LoopActor func nothingOutsideIsCounted() async throws {
        let place = try Place()
        defer { place.remove() }
        let files = try HostFiles(place.configuration, host: .monitor)
        let container = try files.container("org.example.swap.monitor")
        let swapper = try Swapper(place, in: container.path)
        defer { swapper.end() }
        let large = TreeSize(bytes: .max, names: 100_000)
        for _ in 1...Self.rounds {
            // Three times two directories with 16 entries and a link; entries exchanged during the count may
            // count under both names. The tree outside would add 310.
            #expect(container.directory.size(upTo: large, depth: 8).names <= 3 * (3 + 3 * 16))
        }
    }
}

/// A state directory, and beside it a tree that must not be touched.
struct Place {
    let directory: String
    var canaryPath: String { directory + "/canary" }

    init() throws {
        directory = NSTemporaryDirectory() + "/hosting-\(UUID().uuidString)"
        for number in 0..<10 {
            let folder = "\(canaryPath)/d\(number)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for file in 0..<30 {
                try "kept".write(toFile: "\(folder)/\(file)", atomically: false, encoding: .utf8)
            }
        }
    }

    var configuration: Configuration {
        get throws {
            try Configuration(environment: [
                "SCREENTIME_RUNTIME_DIR": directory + "/run", "SCREENTIME_STATE_DIR": directory + "/state",
            ])
        }
    }

    /// Every path in the canary tree, with its mode.
    func canary() -> [String] {
        let paths = FileManager.default.enumerator(atPath: canaryPath)?.allObjects as? [String] ?? []
        return paths.sorted().map { path in
            var status = stat()
            return lstat("\(canaryPath)/\(path)", &status) == 0 ? "\(path) \(status.st_mode)" : path
        }
    }

    func remove() {
        do { try FileManager.default.removeItem(atPath: directory) } catch {
            print("left \(directory): \(error)")
        }
    }
}

/// `unruly-fixture swap`, until its end.
struct Swapper {
    private let process = Process()

    init(_ place: Place, in container: String) throws {
        process.executableURL = URL(fileURLWithPath: World.products + "/unruly-fixture")
        process.arguments = ["swap", container, place.canaryPath]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // The program prints when it starts.
        _ = output.fileHandleForReading.availableData
    }

    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
