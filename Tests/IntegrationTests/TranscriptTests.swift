import Contract
import Foundation
import ScreenTimeTesting
import Testing

/// What a person reads, word for word: a household of two days on the virtual clock, and then all that can be
/// asked about it. In a transcript `$ ` begins a command, its answer follows, and `! ` an act of the test.
/// A run with SCREENTIME_RECORD_GOLDEN=1 records the answers again.
@Suite("transcripts") struct TranscriptTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Transcripts")
    private static let begin = "2026-03-02T08:00:00Z"

    @Test func aHouseholdOfTwoDays() async throws {
        try await World.with(clock: Self.begin) { world in
            try await world.follow("household.txt")
            try await world.follow("answers.txt")
            guard getenv("SCREENTIME_RECORD_BACKUP") != nil else { return }
            let made = try await world.command("backup", Self.backups.path + "/new")
            #expect(made.status == 0, "\(made)")
        }
    }

    @Test func helpAndMisuse() async throws {
        try await World.with([]) { try await $0.follow("help.txt", exactly: true) }
    }

    // MARK: stores of earlier trees

    /// The household's stores, as trees of before left them: one folder for every change of a schema, made by
    /// a run with SCREENTIME_RECORD_BACKUP=1.
    private static let backups = folder.appendingPathComponent("../Backups").standardized

    @Test(.enabled(if: getuid() == 0, "the recorded stores are those of uid 0"))
    func whatEarlierTreesStoredIsReadAsBefore() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.backups.path)
        #expect(!names.isEmpty)
        for name in names {
            try await World.with([], clock: "2026-03-03T09:30:00Z") { world in
                let copy = world.directory + "/backup"
                try FileManager.default.copyItem(atPath: "\(Self.backups.path)/\(name)", toPath: copy)
                let restored = try await world.command("restore", copy)
                #expect(restored.status == 0, "\(name): \(restored)")
                for service in World.allServices { try await world.start(service) }
                try await world.clock.settle()
                try await world.follow("answers.txt")
            }
        }
    }
}

extension World {
    /// Runs the commands of a transcript and holds their answers against it.
    /// - Parameter exactly: false: without what each run and each machine has of its own.
    func follow(_ name: String, exactly: Bool = false) async throws {
        let file = TranscriptTests.folder.appendingPathComponent(name)
        let recorded = try String(contentsOf: file, encoding: .utf8)
        var answered = ""
        for line in recorded.split(separator: "\n") where line.hasPrefix("$ ") || line.hasPrefix("! ") {
            let words = String(line.dropFirst(2))
            answered += line + "\n"
            if line.hasPrefix("!") {
                try await act(words)
            } else {
                answered += try await answer(to: words, exactly)
            }
        }
        if getenv("SCREENTIME_RECORD_GOLDEN") != nil {
            try answered.write(to: file, atomically: true, encoding: .utf8)
        }
        let (old, new) = (recorded.split(separator: "\n"), answered.split(separator: "\n"))
        for change in new.difference(from: old) {
            switch change {
            case .remove(let place, let line, _): Issue.record("\(name):\(place + 1): gone: \(line)")
            case .insert(let place, let line, _): Issue.record("\(name):\(place + 1): new: \(line)")
            }
        }
    }

    private func act(_ words: String) async throws {
        let parts = words.split(separator: " ").map(String.init)
        switch parts[0] {
        case "approve": try await approve(parts[1], try record(.auth))
        case "use": try await use(parts[1], for: .seconds(60 * (try #require(Int64(parts[2])))))
        case "settle": try await clock.settle()
        default: throw Overdue("'\(words)' is none of: approve CLIENT, use APP MINUTES, settle")
        }
    }

    /// Both outputs of a command, indented, and its status if it failed.
    private func answer(to words: String, _ exactly: Bool) async throws -> String {
        let script = "PATH=\(Self.products):$PATH; cd '\(TranscriptTests.folder.path)'; exec 2>&1; \(words)"
        let (status, lines) = try await run("command-\(processes.count)", ["/bin/sh", "-c", script])
        let ending = status == 0 ? [] : ["exit code \(status)"]
        guard !exactly else { return (lines + ending).map { "    \($0)\n" }.joined() }
        let drawn = try await authorizations().map(\.id)
        return (lines + ending).map { "    " + withoutChance($0, drawn) + "\n" }.joined()
    }

    /// Without directories, users, process ids and drawn ids, and the width of columns, which follows from
    /// these.
    private func withoutChance(_ line: String, _ drawn: [String]) -> String {
        var text = line.replacingOccurrences(of: directory, with: "DIRECTORY")
        text = text.replacingOccurrences(of: Self.products, with: "PRODUCTS")
        for process in processes where process.status == nil {
            text = text.replacingOccurrences(of: " \(process.pid) ", with: " PID ")
        }
        for id in drawn { text = text.replacingOccurrences(of: id, with: "ID") }
        // Questions of earlier trees had no number of their own.
        text = text.replacing(#/authorization\.ID\.\w{6}/#, with: "authorization.ID")
        // Nor did their warnings name the banner that is shown instead.
        text = text.replacing(#/,"details":\{"warning":"[^"]*"\}/#, with: "")
        text = text.replacing(#/\b[0-9a-f]{16}\b/#, with: "EPOCH")
        text = text.replacingOccurrences(of: "uid-\(getuid())", with: "uid-N")
        text = text.replacingOccurrences(of: "\"uid\":\(getuid()),", with: "\"uid\":N,")
        text = text.split(separator: " ", omittingEmptySubsequences: false)
            .map { $0 == NSUserName() ? "USER" : $0 }.joined(separator: " ")
        text = text.replacingOccurrences(of: "\"\(NSUserName())\"", with: "\"USER\"")
        return text.replacing(#/ {2,}/#, with: "  ")
    }
}
