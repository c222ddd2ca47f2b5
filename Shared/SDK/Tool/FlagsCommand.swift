import CommandKit
import Contract

extension ExtensionTool {
    static let flagsCommand = Command(
        "extension flags", options: [Option("--link", nil, "Add the arguments that link a program.")],
        summary: "Print the swiftc arguments that compile sources written for iOS.",
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
