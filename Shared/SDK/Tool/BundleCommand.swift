import CommandKit
import Contract
import ExtensionBundling
import Foundation

extension ExtensionTool {
    static let bundleCommand = Command(
        "extension bundle", [.directory("[DIRECTORY]")],
        options: [
            Option(
                "--output", "DIRECTORY", "Target directory; default: .build/bundles.", values: .directory)
        ],
        summary: "Build the bundles of a package's extensions for `extension install`.",
        details: """
            Every folder below Sources with an Info.plist becomes OUTPUT/NAME.appex: the program that `swift
            build` made of it, and every file that is not a Swift source. Prints the bundles' paths.
            """
    ) { given in
        let package = URL(filePath: given.arguments.first ?? ".").standardizedFileURL
        let output =
            given.value("--output").map { URL(filePath: $0).standardizedFileURL }
            ?? package.appending(path: ".build/bundles")
        let folders = ExtensionBundling.sourceFolders(of: package)
        guard !folders.isEmpty else {
            throw CommandError(
                ExitCode.noInput, "no folder below '\(package.path)/Sources' has an Info.plist",
                remedy: "Name the folder of a package that `screentime extension new` made.")
        }
        for folder in folders {
            let bundle = output.appending(path: "\(folder.lastPathComponent).appex")
            do {
                let program = try ExtensionBundling.program(for: folder, of: package)
                try ExtensionBundling.make(bundle, from: folder, program: program)
            } catch let failure as ExtensionBundling.Failure {
                throw CommandError(ExitCode.noInput, failure.message, remedy: failure.remedy)
            } catch {
                throw CommandError(
                    ExitCode.unavailable, "'\(bundle.path)' cannot be made: \(error.localizedDescription)",
                    remedy: "Name another --output.")
            }
            Console.print(bundle.path)
        }
        return ExitCode.ok
    }
}
