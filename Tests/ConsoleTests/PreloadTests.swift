import Foundation
import Testing

/// What index.html names in advance. A module that is missing there is loaded one round trip later, after the
/// one that imports it.
@Suite struct PreloadTests {
    private let web = FileManager.default.currentDirectoryPath + "/Services/hands/console/Web"

    @Test func allThatTodayNeedsIsNamedInAdvance() throws {
        let page = try String(contentsOfFile: web + "/index.html", encoding: .utf8)
        let named = page.matches(of: /rel="modulepreload" href="([^"]+)"/).map { String($0.1) }
        let needed = try modules(from: ["/app/main.js", "/app/pages/today.js"])
        #expect(needed.count > 30 && named.count == Set(named).count)
        #expect(Set(named).union(["/app/main.js"]) == needed)
    }

    /// The modules and all that they import statically, as paths below the web directory.
    private func modules(from first: [String]) throws -> Set<String> {
        var found = Set<String>()
        var open = first
        while let path = open.popLast() {
            guard found.insert(path).inserted else { continue }
            let text = try String(contentsOfFile: web + path, encoding: .utf8)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            for match in text.matches(of: /(?:^|\n)(?:import|export)[^;'"(]*? from ['"](\.[^'"]+)['"]/) {
                open.append(folder.appendingPathComponent(String(match.1)).standardized.path)
            }
        }
        return found
    }
}
