import Foundation
import Testing
import Units

/// The traces beside the package; absent from a plain clone.
enum SharedData {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/data")

    static let absence: Comment = "the traces under ../shared/data are not here"

    static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: root.appending(path: path)))
    }

    /// Rows of a plain CSV file by column name.
    static func rows(_ path: String) throws -> [[String: String]] {
        let text = String(decoding: try bytes(path), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: ",").map(String.init) }
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
    }
}

/// A small repeatable source of chance (SplitMix64); its seed is in every test's arguments.
struct Chance: RandomNumberGenerator {
    private var state: UInt64
    /// Far apart for neighbouring seeds: by another odd factor than the step's.
    init(seed: UInt64) { state = (seed &+ 1) &* 0xD134_2543_DE82_EF95 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Milliseconds {
    static func random(in range: ClosedRange<Milliseconds>, using chance: inout Chance) -> Milliseconds {
        Milliseconds(.random(in: range.lowerBound.count...range.upperBound.count, using: &chance))
    }

    static func random(in range: Range<Milliseconds>, using chance: inout Chance) -> Milliseconds {
        Milliseconds(.random(in: range.lowerBound.count..<range.upperBound.count, using: &chance))
    }
}

extension Instant {
    static func random(in range: ClosedRange<Instant>, using chance: inout Chance) -> Instant {
        Instant(.random(in: range.lowerBound.sinceEpoch...range.upperBound.sinceEpoch, using: &chance))
    }

    static func random(in range: Range<Instant>, using chance: inout Chance) -> Instant {
        Instant(.random(in: range.lowerBound.sinceEpoch..<range.upperBound.sinceEpoch, using: &chance))
    }
}
