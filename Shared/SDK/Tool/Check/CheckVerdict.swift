/// The errors of one file, by cause.
package struct CheckVerdict {
    /// Errors of our frameworks or of the file itself: it would not compile in its project either.
    package var failures: [CheckDiagnostic] = []
    /// Names that only the file's own project can declare.
    package var elsewhere: [CheckDiagnostic] = []
    /// Errors that follow from missing names.
    package var following: [CheckDiagnostic] = []

    package var passes: Bool { failures.isEmpty }

    /// Names of ``elsewhere`` in order, without repetitions.
    package var elsewhereNames: [String] {
        var seen: Set<String> = []
        return elsewhere.compactMap { $0.missing?.name }.filter { seen.insert($0).inserted }
    }

    package init(_ errors: [CheckDiagnostic], source: String) {
        let blocks = CheckBlocks(source)
        let declared = Self.declaredNames(source)
        var others: [CheckDiagnostic] = []
        for error in errors {
            guard let missing = error.missing else {
                others.append(error)
                continue
            }
            if Self.isApples(missing, declared) { failures.append(error) } else { elsewhere.append(error) }
        }
        for error in others {
            if follows(error, blocks) { following.append(error) } else { failures.append(error) }
        }
        failures.sort { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    /// Whether Apple declares it. A member of a type that the file declares belongs to the project.
    private static func isApples(_ missing: CheckDiagnostic.Missing, _ declared: Set<String>) -> Bool {
        switch missing {
        case .module(let name): AppleNames.modules.contains(name)
        case .name(let name): AppleNames.isType(name)
        case .member(let name, let type):
            !declared.contains(CheckDiagnostic.lastPart(of: type.replacing(".Type", with: "")))
                && AppleNames.members.contains(name)
        }
    }

    /// Errors that a missing type causes in the code that uses it.
    private func follows(_ error: CheckDiagnostic, _ blocks: CheckBlocks) -> Bool {
        guard !elsewhere.isEmpty else { return false }
        if Self.alwaysFollow.contains(where: { error.message.contains($0) }) { return true }
        let lines =
            error.message.contains("does not conform to protocol")
                || error.message.contains("does not override any")
            ? blocks.declaration(at: error.line) : blocks.member(around: error.line)
        return elsewhere.contains { lines.contains($0.line) }
            || error.message.contains("does not override any")
                && elsewhere.contains { line in
                    blocks.blocks.contains {
                        $0.lines.lowerBound == line.line && $0.lines.contains(error.line)
                    }
                }
    }

    /// The compiler prints these only if it could not infer a type.
    private static let alwaysFollow = [
        "cannot infer contextual base", "could not be inferred", "without a contextual type",
        "failed to produce diagnostic", "unable to infer", "ambiguous without a type annotation",
    ]

    /// Names of types after `class`, `struct`, `enum`, `protocol`, `actor` or `typealias`.
    private static func declaredNames(_ source: String) -> Set<String> {
        let words = source.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let keywords: Set<Substring> = ["class", "struct", "enum", "protocol", "actor", "typealias"]
        return Set(zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map { String($0.1) })
    }
}
