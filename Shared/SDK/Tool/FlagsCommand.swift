import CommandKit
import Contract

extension ExtensionTool {
    static let flagsCommand = Command(
        "extension flags", options: [Option("--link", nil, "Also what links a program.")],
        summary: "The arguments with which swiftc compiles sources written for iOS here.",
        details: """
            One a line, for example:

              swiftc $(screentime extension flags --link) -parse-as-library *.swift
            """
    ) { given in
        let sdk = try ExtensionSdk.find()
        let words = sdk.compileArguments + (given.has("--link") ? sdk.linkArguments : [])
        words.forEach { Console.print($0) }
        return ExitCode.ok
    }
}
