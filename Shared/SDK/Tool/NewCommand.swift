import CommandKit
import Contract
import Foundation

extension ExtensionTool {
    static let newCommand = Command(
        "extension new", ["NAME"],
        options: [
            Option(
                "--point", "POINT", "monitor (default), shield-configuration, shield-action or report.",
                values: .words(["monitor", "shield-configuration", "shield-action", "report"])),
            Option(
                "--directory", "DIRECTORY", "Directory in which the project is made; default: here.",
                values: .directory),
        ],
        summary: "Create an extension project: sources, Info.plist, entitlements and a test.",
        details: """
            Build and test it with `swift test` in its folder: the test runs all services under a virtual
            clock. `screentime extension bundle` makes what `screentime extension install` takes.
            """
    ) { given in
        let name = given.arguments[0]
        guard name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]{0,63}/) != nil else {
            throw CommandError(
                ExitCode.usage, "'\(name)' is no name of a Swift type",
                remedy: "Use up to 64 letters, digits and _, with a letter first.")
        }
        let point = given.value("--point") ?? "monitor"
        let directory = URL(filePath: given.value("--directory") ?? ".").standardizedFileURL
        let folder = directory.appending(path: name)
        guard !FileManager.default.fileExists(atPath: folder.path) else {
            throw CommandError(
                ExitCode.refused, "'\(folder.path)' is there already",
                remedy: "Use another NAME or --directory.")
        }
        try ExtensionTemplate.find().write(name: name, point: point, into: folder)
        Console.print(
            "\(folder.path) is a \(point) extension. Test it: cd \(VisibleText.shellWord(folder.path)) && swift test")
        return ExitCode.ok
    }
}

/// The files of a new project, below Shared/SDK/Templates of the checkout.
struct ExtensionTemplate {
    /// The checkout on whose package the project depends.
    let package: URL

    private var templates: URL { package.appending(path: "Shared/SDK/Templates") }

    /// - Throws: unavailable if the program is not in a build of a checkout.
    static func find() throws(CommandError) -> ExtensionTemplate {
        var place = ExtensionSdk.environment("SCREENTIME_CHECKOUT") ?? ExtensionSdk.executable()
        while !place.isEmpty {
            let template = ExtensionTemplate(package: URL(filePath: place))
            if access(template.templates.path + "/Package.swift.template", R_OK) == 0 { return template }
            place = ExtensionSdk.folder(of: place)
        }
        throw CommandError(
            ExitCode.unavailable,
            "this program is not in a checkout of screentime, which projects build with",
            remedy: "Name the folder of one in SCREENTIME_CHECKOUT.")
    }

    func write(name: String, point: String, into folder: URL) throws(CommandError) {
        let sources = "Sources/\(name)"
        let files = [
            ("Package.swift.template", "Package.swift"),
            ("\(point)/Info.plist.template", "\(sources)/Info.plist"),
            ("entitlements.template", "\(sources)/\(name).entitlements"),
            ("\(point)/Source.swift.template", "\(sources)/\(name).swift"),
            ("\(point)/Tests.swift.template", "Tests/\(name)Tests/\(name)Tests.swift"),
        ]
        do {
            for (from, to) in files {
                let text = try String(contentsOf: templates.appending(path: from), encoding: .utf8)
                    .replacing("EXTENSION_NAME", with: name).replacing("SCREENTIME_PATH", with: package.path)
                let file = folder.appending(path: to)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
        } catch {
            throw CommandError(
                ExitCode.unavailable, "'\(folder.path)' cannot be written: \(error.localizedDescription)",
                remedy: "Name another --directory.")
        }
    }
}
