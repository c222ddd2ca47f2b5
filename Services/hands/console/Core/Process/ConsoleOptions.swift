package import Contract
import Glibc

/// Settings of the console, beside those of every process (``Configuration``).
///
/// | key | meaning | default |
/// | --- | --- | --- |
/// | `SCREENTIME_CONSOLE_PORT` | port of 127.0.0.1; 0: any | 17276, or any if that is taken |
/// | `SCREENTIME_CONSOLE_WEB` | directory of the pages | `console-web` beside the program; in a checkout its own |
package struct ConsoleOptions: Sendable {
    /// Nil: the default.
    package var port: UInt16?
    /// Absolute path.
    package var web: String

    /// - Throws: `invalidArgument` with the variable, its value and the allowed values.
    package init(environment: [String: String]) throws(ServiceError) {
        func value(_ key: String) -> String? { environment[key].flatMap { $0.isEmpty ? nil : $0 } }
        if let text = value("SCREENTIME_CONSOLE_PORT") {
            guard let port = UInt16(text) else {
                throw Self.wrong("SCREENTIME_CONSOLE_PORT", text, "0 to 65535")
            }
            self.port = port
        }
        if let path = value("SCREENTIME_CONSOLE_WEB"), !path.hasPrefix("/") {
            throw Self.wrong("SCREENTIME_CONSOLE_WEB", path, "an absolute path")
        }
        web = value("SCREENTIME_CONSOLE_WEB") ?? Self.webOfProgram
    }

    /// Where the installed pages are; or those of the checkout that the program was built in, so that whoever
    /// writes pages sees them without a build.
    private static var webOfProgram: String {
        guard let own = realpath("/proc/self/exe", nil) else { return "/proc/self/exe" }
        defer { free(own) }
        let parts = String(cString: own).split(separator: "/", omittingEmptySubsequences: false)
        let installed = parts.dropLast().joined(separator: "/") + "/console-web"
        guard access(installed, F_OK) != 0, let build = parts.lastIndex(of: ".build") else {
            return installed
        }
        return parts[..<build].joined(separator: "/") + "/Services/hands/console/Web"
    }

    private static func wrong(_ key: String, _ value: String, _ allowed: String) -> ServiceError {
        ServiceError(
            .invalidArgument, "the environment sets \(key)='\(value)'; allowed is \(allowed)",
            remedy: "Correct \(key) or leave it out.")
    }
}
