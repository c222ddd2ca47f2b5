import Foundation
import ScreenTimeTesting
import Testing

/// An extension that a test compiles from text, as a person would with swiftc and no package.
struct SeedProgram {
    var name: String
    /// As in Info.plist.
    var point: String
    /// Nil for a report extension.
    var principalClass: String?
    /// File name and text.
    var sources: [(name: String, text: String)]
    /// Of this folder, by name without `.swift`.
    var support: String?

    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    static let monitor = "com.apple.deviceactivity.monitor-extension"
    static let shieldConfiguration = "com.apple.ManagedSettingsUI.shield-configuration-service"
    static let shieldAction = "com.apple.ManagedSettings.shield-action-service"
    static let report = "com.apple.deviceactivityui.report-extension"
    static let group = "group.org.example.seed"
    static let client = "org.example.seed"

    /// Compiles it and makes its bundle below `folder`.
    /// - Throws: with the compiler's words.
    func makeBundle(in folder: URL) async throws -> URL {
        let bundle = folder.appending(path: name)
        let work = folder.appending(path: name + "-sources")
        for place in [bundle, work] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        var files: [String] = []
        func write(_ text: String, _ name: String) throws {
            let file = work.appending(path: name)
            try text.write(to: file, atomically: true, encoding: .utf8)
            files.append(file.path)
        }
        for source in sources { try write(source.text, source.name) }
        if let support { try write(Self.supportText(support), "\(support)-support.swift") }
        if let principalClass {
            let start =
                "@main enum EntryPoint { static func main() { \(principalClass).serve(\(principalClass)()) } }"
            try write(start, "EntryPoint.swift")
        }
        let flags = try await Self.run(World.products + "/screentime", ["extension", "flags", "--link"])
        let arguments =
            flags.split(separator: "\n").map(String.init)
            + ["-parse-as-library", "-module-name", name, "-o", bundle.path + "/" + name] + files
        try await Self.run("/usr/bin/env", ["swiftc"] + arguments)
        try Data(propertyList.utf8).write(to: bundle.appending(path: "Info.plist"))
        try Data(Self.entitlements.utf8).write(to: bundle.appending(path: "\(name).entitlements"))
        return bundle
    }

    static func supportText(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "Support/\(name).swift"), encoding: .utf8)
    }

    /// Runs a program to its end, on a thread of its own.
    /// - Returns: its standard output.
    @discardableResult
    static func run(_ program: String, _ arguments: [String]) async throws -> String {
        let (status, output) = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<(Int32, String), any Error>) in
            Thread {
                let process = Process()
                process.executableURL = URL(filePath: program)
                process.arguments = arguments
                let pipe = Pipe()
                (process.standardOutput, process.standardError) = (pipe, pipe)
                do {
                    try process.run()
                    let output = String(
                        decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                    process.waitUntilExit()
                    continuation.resume(returning: (process.terminationStatus, output))
                } catch { continuation.resume(throwing: error) }
            }.start()
        }
        try #require(status == 0, "\(program) ended with \(status): \(output)")
        return output
    }

    private var propertyList: String {
        let block =
            principalClass.map {
                """
                <key>NSExtension</key><dict>
                <key>NSExtensionPointIdentifier</key><string>\(point)</string>
                <key>NSExtensionPrincipalClass</key><string>$(PRODUCT_MODULE_NAME).\($0)</string></dict>
                """
            }
                ?? """
                <key>EXAppExtensionAttributes</key><dict>
                <key>EXExtensionPointIdentifier</key><string>\(point)</string></dict>
                """
        return Self.list(
            """
            <key>CFBundleIdentifier</key><string>\(Self.client).\(name)</string>
            <key>CFBundleExecutable</key><string>\(name)</string>
            \(block)
            """)
    }

    private static let entitlements = list(
        """
        <key>com.apple.security.application-groups</key><array><string>\(group)</string></array>
        """)

    private static func list(_ members: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>\(members)</dict></plist>
        """
    }
}
