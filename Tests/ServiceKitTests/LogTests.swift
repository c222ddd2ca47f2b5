import Foundation
import Testing

@testable import ServiceKit

/// The files of a log: bounded, whatever has their names.
@Suite final class LogTests {
    private static let line = String(repeating: "x", count: 1 << 20)
    private let directory = FileManager.default.temporaryDirectory.path + "/stl-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit {
        // A directory left behind is no failure of what the tests show.
        try? FileManager.default.removeItem(atPath: directory)
    }

    private var path: String { directory + "/zz.log" }

    private func size(_ path: String) -> Int {
        // A missing file has no bytes.
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    private func write(_ mebibytes: Int) throws -> Log {
        let log = try Log(name: "zz", directory: directory, level: .info)
        for _ in 0..<mebibytes { log.info("long", [("text", .text(Self.line))]) }
        return log
    }

    @Test func aFullLogIsPutAsideAndTheOldestGoes() throws {
        _ = try write(40)
        for suffix in ["", ".1", ".2", ".3"] {
            #expect((1...LogFile.bytesMax).contains(size(path + suffix)), "\(suffix)")
        }
        #expect(!FileManager.default.fileExists(atPath: path + ".4"))
    }

    @Test func whatStandsInTheWayOfALogStaysAndTheLogStaysShort() throws {
        let kept = (1...3).map { "\(directory)/zz.log.\($0)/kept" }
        for path in kept {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let log = try write(20)
        #expect(size(path) <= LogFile.bytesMax)
        #expect(kept.allSatisfy(FileManager.default.fileExists))
        #expect(log.lastError?.message.contains("could not be renamed") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("zz.log.1"))
    }
}
