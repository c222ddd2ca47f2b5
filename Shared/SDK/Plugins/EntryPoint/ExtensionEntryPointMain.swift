import Foundation

/// Writes the Swift file that serves the principal class an Info.plist names:
/// `extension-entry-point LIST OUTPUT`.
@main struct ExtensionEntryPointMain {
    static func main() {
        do {
            let words = CommandLine.arguments
            guard words.count == 3 else { throw Refusal(text: "usage: extension-entry-point LIST OUTPUT") }
            let source = try source(for: Data(contentsOf: URL(filePath: words[1])))
            try Data(source.utf8).write(to: URL(filePath: words[2]))
        } catch {
            FileHandle.standardError.write(
                Data("error: \(CommandLine.arguments.dropFirst().first ?? ""): \(error)\n".utf8))
            exit(1)
        }
    }

    struct Refusal: Error, CustomStringConvertible {
        var text: String
        var description: String { text }
    }

    /// Only a comment for a report extension, because its own type is its entry point.
    static func source(for list: Data) throws -> String {
        let value = try PropertyListSerialization.propertyList(from: list, format: nil)
        guard let root = value as? [String: Any] else { throw Refusal(text: "its root is no dictionary") }
        if root["EXAppExtensionAttributes"] != nil { return "// A report extension has its own @main.\n" }
        guard let block = root["NSExtension"] as? [String: Any] else {
            throw Refusal(text: "it has neither NSExtension nor EXAppExtensionAttributes")
        }
        if block["NSExtensionPointIdentifier"] as? String == "com.apple.deviceactivityui.report-extension" {
            return "// A report extension has its own @main.\n"
        }
        guard let name = block["NSExtensionPrincipalClass"] as? String else {
            throw Refusal(text: "NSExtension has no NSExtensionPrincipalClass, the name of your class")
        }
        // As Xcode writes it: the module, a dot, the class.
        let type = String(name.split(separator: ".").last ?? "")
        guard type.wholeMatch(of: /[\p{L}_][\p{L}\p{N}_]*/) != nil else {
            throw Refusal(text: "NSExtensionPrincipalClass is '\(name)', which names no class")
        }
        return """
            @main enum ExtensionEntryPoint {
                static func main() { \(type).serve(\(type)()) }
            }

            """
    }
}
