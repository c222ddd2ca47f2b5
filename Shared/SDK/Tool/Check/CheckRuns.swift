import CommandKit
import Contract
import Glibc

/// The runs of the compiler over files that are checked.
struct CheckRuns {
    private let sdk: ExtensionSdk
    private let files: [String]
    private let sources: [String]

    init(_ sdk: ExtensionSdk, _ files: [String], _ sources: [String]) {
        (self.sdk, self.files, self.sources) = (sdk, files, sources)
    }

    /// The compiler's errors for each file. A missing module hides all other errors, so such files are
    /// compiled again without these imports, until no module is missing.
    func judge(together: Bool) throws(CommandError) -> [CheckVerdict] {
        let groups = together ? [Array(files.indices)] : files.indices.map { [$0] }
        var errors = try compile(groups.map { $0.map { files[$0] } })
        var again = groups.indices.filter { errors[$0].contains(where: \.namesModule) }
        while !again.isEmpty {
            let copies = try SourceCopies()
            defer { copies.remove() }
            var originals: [String: String] = [:]
            let runs = try again.map { group throws(CommandError) in
                try groups[group].map { index throws(CommandError) in
                    let imports = errors[group].filter { $0.namesModule && $0.file == files[index] }
                    let copy = try copies.add(files[index], sources[index], without: Set(imports.map(\.line)))
                    originals[copy] = files[index]
                    return copy
                }
            }
            let found = try compile(runs)
            for (group, found) in zip(again, found) {
                errors[group] = errors[group].filter(\.namesModule)
                errors[group] += found.map { error in
                    var error = error
                    error.file = originals[error.file] ?? error.file
                    return error
                }
            }
            again = zip(again, found).filter { $0.1.contains(where: \.namesModule) }.map(\.0)
        }
        return files.indices.map { index in
            let own = errors[together ? 0 : index].filter { $0.file == files[index] }
            return CheckVerdict(own, source: sources[index])
        }
    }

    /// The errors with a location, for each list of files.
    private func compile(_ runs: [[String]]) throws(CommandError) -> [[CheckDiagnostic]] {
        let common =
            ["-typecheck", "-diagnostic-style", "llvm", "-no-color-diagnostics", "-suppress-warnings"]
            + sdk.compileArguments
        let arguments = runs.map { files in
            let isScript = files.contains { $0.split(separator: "/").last == "main.swift" }
            return common + (isScript ? [] : ["-parse-as-library"]) + files
        }
        var ended: [(Int, CompilerRuns.Ended)] = []
        try CompilerRuns.run(sdk.compiler, arguments) { ended.append(($0, $1)) }
        var errors: [[CheckDiagnostic]] = runs.map { _ in [] }
        for (index, run) in ended {
            errors[index] = CheckDiagnostic.errors(in: run.output).filter { $0.line > 0 }
            guard run.status == 0 || !errors[index].isEmpty else {
                throw faulty(run, runs[index])
            }
        }
        return errors
    }

    /// The compiler failed without an error in any file, so its installation is broken.
    private func faulty(_ run: CompilerRuns.Ended, _ files: [String]) -> CommandError {
        let lines = run.output.split(separator: "\n")
        let first = lines.first { $0.contains("error:") } ?? lines.first ?? "it said nothing"
        return CommandError(
            ExitCode.unavailable,
            "the compiler ended with \(run.status) on '\(files.joined(separator: " "))': \(first)",
            remedy: "Set SCREENTIME_SWIFTC to the toolchain that built the modules in SCREENTIME_SDK.")
    }
}

extension CheckDiagnostic {
    fileprivate var namesModule: Bool { if case .module = missing { true } else { false } }
}

/// Copies of source files with some lines emptied, in a temporary directory.
private struct SourceCopies {
    private let folder: String

    init() throws(CommandError) {
        var template = Array("\(ExtensionSdk.environment("TMPDIR") ?? "/tmp")/screentime-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.failed("making a folder in TMPDIR") }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    private static func failed(_ what: String) -> CommandError {
        CommandError(
            ExitCode.unavailable, "\(what): \(String(cString: strerror(errno)))",
            remedy: "Name a folder that can be written in TMPDIR.")
    }

    /// The path of the copy. It has the file name of the original, because that decides whether it is a
    /// script.
    func add(_ path: String, _ source: String, without lines: Set<Int>) throws(CommandError) -> String {
        let place = "\(folder)/\(ExtensionSdk.entries(of: folder).count)"
        guard mkdir(place, 0o700) == 0 else { throw Self.failed("making '\(place)'") }
        let copy = "\(place)/\(path.split(separator: "/").last ?? "source.swift")"
        let kept = source.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { lines.contains($0.offset + 1) ? "" : $0.element }.joined(separator: "\n")
        let descriptor = open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failed("writing '\(copy)'") }
        defer { close(descriptor) }
        let bytes = Array(kept.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Self.failed("writing '\(copy)'")
        }
        return copy
    }

    func remove() {
        for place in ExtensionSdk.entries(of: folder) {
            for copy in ExtensionSdk.entries(of: "\(folder)/\(place)") {
                unlink("\(folder)/\(place)/\(copy)")
            }
            rmdir("\(folder)/\(place)")
        }
        rmdir(folder)
    }
}
