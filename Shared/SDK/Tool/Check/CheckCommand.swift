import CommandKit
import Contract
import Glibc
import JSON

extension ExtensionTool {
    static let checkCommand = Command(
        "extension check", [.file("FILE…")],
        options: [
            Option("--together", nil, "Check the files as one program instead of each alone."),
            .json,
        ],
        summary: "Check whether Swift files written for iOS compile here, each on its own.",
        details: """
            Compiles in language mode 5 against the frameworks and prints for each file: passes, or what is
            missing. Names that neither Swift nor Apple's modules declare are listed as declared elsewhere
            in your project and do not fail a file, nor do errors that only follow from them. Needs no
            running service. The compiler is the swiftc on the PATH, or SCREENTIME_SWIFTC; the modules are
            those beside this program, or in SCREENTIME_SDK.

            --json prints a line for each file: file, passes, missing, elsewhere, following; each of the
            last three is a list of {line, column, message}. The exit code is 0 when every file passes, else
            1.
            """
    ) { given in
        let files = given.arguments
        let sources = try files.map { file throws(CommandError) in try readSource(file) }
        let sdk = try ExtensionSdk.find()
        let verdicts = try CheckRuns(sdk, files, sources).judge(together: given.has("--together"))
        var passed = 0
        for (file, verdict) in zip(files, verdicts) {
            if verdict.passes { passed += 1 }
            if given.has("--json") { printJSON(file, verdict) } else { tell(file, verdict) }
        }
        if !given.has("--json"), files.count > 1 {
            Console.print("\(passed) of \(files.count) files pass.")
        }
        return passed == files.count ? ExitCode.ok : ExitCode.refused
    }

    /// Bytes of one source file.
    private static let sourceBytesMax = 16 << 20

    private static func readSource(_ path: String) throws(CommandError) -> String {
        let bytes = try InputFile.whole(path, bytesMax: sourceBytesMax, remedy: "Name a Swift file.")
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func tell(_ file: String, _ verdict: CheckVerdict) {
        let names = verdict.elsewhereNames
        let apart =
            names.isEmpty ? "" : " Declared elsewhere in your project: \(names.joined(separator: ", "))."
        if verdict.passes {
            Console.print("\(file): \(Console.styled("passes", .green)).\(apart)")
            return
        }
        Console.print("\(file): \(Console.styled("fails", .red)).\(apart)")
        for failure in verdict.failures {
            Console.print("  \(failure.line):\(failure.column): \(failure.message)")
        }
    }

    private static func printJSON(_ file: String, _ verdict: CheckVerdict) {
        func list(_ diagnostics: [CheckDiagnostic]) -> JSONValue {
            .array(
                diagnostics.map {
                    [
                        "line": .integer(Int64($0.line)), "column": .integer(Int64($0.column)),
                        "message": .string($0.message),
                    ]
                })
        }
        let row: JSONValue = [
            "file": .string(file), "passes": .bool(verdict.passes), "missing": list(verdict.failures),
            "elsewhere": list(verdict.elsewhere), "following": list(verdict.following),
        ]
        Console.print(row.encoded())
    }
}
