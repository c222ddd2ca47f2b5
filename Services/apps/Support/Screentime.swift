internal import CommandKit
internal import Contract
internal import Foundation

/// Runs the command line for a built-in app, which itself may not see what a report shows.
package enum Screentime {
    /// Runs `screentime` from this program's directory, else from PATH.
    /// - Returns: its standard output, without the final newline.
    /// - Throws: `CommandError` with its standard error.
    package static func run(_ words: [String]) throws -> String {
        let own = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let beside = own.deletingLastPathComponent().appendingPathComponent("screentime")
        let process = Process()
        if FileManager.default.isExecutableFile(atPath: beside.path) {
            process.executableURL = beside
            process.arguments = words
        } else {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["screentime"] + words
        }
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Its standard error is a few sentences and fits into the pipe.
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandError(
                said.trimmingCharacters(in: CharacterSet.whitespacesAndNewlines.union(["."])),
                remedy: "It was said by `screentime "
                    + words.map { VisibleText.shellWord($0) }.joined(separator: " ") + "`.",
                code: process.terminationStatus)
        }
        return text.trimmingCharacters(in: .newlines)
    }
}
