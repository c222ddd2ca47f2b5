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
    /// Absolute path of the directory of the programs, in which this one is.
    package let programs: String

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
        let folder = try Self.ownFolder()
        programs = folder
        web = value("SCREENTIME_CONSOLE_WEB") ?? Self.web(of: folder)
    }

    private static func ownFolder() throws(ServiceError) -> String {
        guard let own = realpath("/proc/self/exe", nil) else {
            throw ServiceError(
                .unavailable, "the program's own directory cannot be found", remedy: "Mount /proc.")
        }
        defer { free(own) }
        let path = String(cString: own)
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// Where the installed pages are; or those of the checkout that the program was built in, so that whoever
    /// writes pages sees them without a build.
    private static func web(of folder: String) -> String {
        let installed = folder + "/console-web"
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
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
