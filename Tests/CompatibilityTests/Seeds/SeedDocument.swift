import Foundation
import Testing

/// One of the web pages that the built-in apps come from. They lie beside the checkout and are never copied
/// into it: their code is read from them when a test runs.
struct SeedDocument {
    let lines: [String]

    /// Where the documents are, beside the checkout.
    static let folder: URL = {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.deletingLastPathComponent().appending(path: "shared/seeds")
    }()

    static var areThere: Bool { FileManager.default.fileExists(atPath: folder.path) }
    static let absence: Comment = "The seed documents are not beside this checkout (../shared/seeds)"

    /// - Parameter number: as its file's name begins, `000`.
    init(_ number: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let name = try #require(names.first { $0.hasPrefix(number) }, "no document \(number)")
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        lines = text.components(separatedBy: .newlines)
    }

    /// The lines from the `occurrence`th that begins with `first` through the next that begins with `last`.
    /// Spaces before a line do not count.
    func block(_ block: SeedBlock) throws -> String {
        let starts = lines.indices.filter { Self.plain(lines[$0]).hasPrefix(block.first) }
        let start = try #require(
            starts.dropFirst(block.occurrence - 1).first, "\(block.name): no line '\(block.first)'")
        guard let last = block.last else { return lines[start...].joined(separator: "\n") }
        if last == "}" { return try braced(from: start, block) }
        let end = try #require(
            lines[start...].dropFirst().firstIndex {
                last == "```" ? Self.plain($0) == "```" : Self.plain($0).hasPrefix(last)
            }, "\(block.name): no line '\(last)' after '\(block.first)'")
        // The end of a fenced block is no line of the code.
        return lines[start..<(last == "```" ? end : end + 1)].joined(separator: "\n")
    }

    /// The lines from `start` to the one with the brace that closes the first one opened.
    private func braced(from start: Int, _ block: SeedBlock) throws -> String {
        var (depth, hasOpened) = (0, false)
        for index in lines[start...].indices {
            for character in lines[index] where "{}".contains(character) {
                depth += character == "{" ? 1 : -1
                hasOpened = true
            }
            if hasOpened, depth <= 0 { return lines[start...index].joined(separator: "\n") }
        }
        throw SeedProgram.Refusal(description: "\(block.name) has no closing brace")
    }

    private static func plain(_ line: String) -> Substring { line.drop { $0 == " " || $0 == "\t" }[...] }
}

/// Where a block of code is in a document: a few words of its first and last line.
struct SeedBlock: Sendable {
    /// As the table of repairs calls it.
    var name: String
    var first: String
    /// Nil: to the end of the document; "```": to the end of the fenced block; "}": to the brace that closes
    /// the first one.
    var last: String?
    /// Which of several that begin so; from 1.
    var occurrence = 1
}

/// A change that a damaged block needs to be Swift at all, as small as it can be.
struct SeedRepair: Sendable {
    var seed: String
    var block: String
    var before: String
    var after: String
    var why: String
}

extension SeedDocument {
    /// A block with the repairs of the table.
    /// - Throws: when a repair does not apply exactly once: the table is wrong, or the document changed.
    func repaired(_ block: SeedBlock, seed: String) throws -> String {
        try SeedRepairs.all.filter { $0.seed == seed && $0.block == block.name }
            .reduce(try self.block(block)) { text, repair in
                let parts = text.components(separatedBy: repair.before)
                try #require(
                    parts.count == 2, "\(block.name): '\(repair.before)' is there \(parts.count - 1) times")
                return parts.joined(separator: repair.after)
            }
    }
}
