import CommandKit
import Contract
import Rules
import Foundation
import Glibc
import Testing

@testable import CommandCore

/// Files that a person names: regular and bounded ones only.
@Suite(.timeLimit(.minutes(1))) struct InputFileTests {
    private static func refusal(_ path: String, bytesMax: Int = 1_000) -> CommandError? {
        do {
            _ = try InputFile.whole(path, bytesMax: bytesMax, remedy: "Split it.")
            return nil
        } catch { return error }
    }

    @Test func anExportNamesTheFileThatThePersonNamed() {
        let path = NSTemporaryDirectory() + "/\(UUID().uuidString)/export.csv"
        let error = #expect(throws: CommandError.self) { _ = try ExportOutput(path) }
        #expect(error?.message == "'\(path)' cannot be written: No such file or directory")
    }

    @Test func onlyRegularFilesAreRead() throws {
        let directory = NSTemporaryDirectory() + "/input-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }  // Only tidies up.
        #expect(mkfifo(directory + "/fifo", 0o600) == 0)
        symlink("fifo", directory + "/link")
        for (path, kind) in [
            ("/dev/zero", "a device"), ("/dev/null", "a device"), (directory, "a directory"),
            (directory + "/fifo", "a FIFO"), (directory + "/link", "a FIFO"), ("/dev/tty", "device"),
        ] {
            let error = Self.refusal(path)
            #expect(error?.code == ExitCode.noInput, "\(path)")
            // A process without a terminal cannot open one.
            if path != "/dev/tty" {
                #expect(error?.message.contains(kind) == true, "\(error?.message ?? "")")
            }
        }
        let large = directory + "/large"
        #expect(FileManager.default.createFile(atPath: large, contents: Data("text".utf8)))
        #expect(Self.refusal(large) == nil)
        #expect(truncate(large, 1 << 40) == 0, "sparse")
        #expect(Self.refusal(large)?.code == ExitCode.badData)
        #expect(Self.refusal(directory + "/none")?.code == ExitCode.noInput)
        // Files of /proc have no size; the bytes read count.
        #expect(Self.refusal("/proc/self/status", bytesMax: 10)?.code == ExitCode.badData)
        #expect(Self.refusal("/proc/self/status", bytesMax: 1 << 20) == nil)
    }

    @Test func everyImportGoesThroughIt() throws {
        for format in [nil] + ImportFormat.allCases.map(Optional.some) {
            let error = #expect(throws: CommandError.self) {
                try ImportCommandFile.parse("/dev/zero", format)
            }
            #expect(error?.message.contains("a device") == true)
        }
        #expect(throws: CommandError.self) { try LineReader("/dev/zero") }
        #expect(throws: CommandError.self) { try Screentime.readFile("/dev/zero", bytesMax: 10) }
    }
}
