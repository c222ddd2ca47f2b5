internal import AppSupport
package import Foundation

/// The last ``linesMax`` callbacks of the extension.
package struct Diary: Codable, Equatable, Sendable {
    package static let linesMax = 200
    private static let key = "diary"

    package struct Line: Codable, Equatable, Sendable {
        package var at: Date
        /// Apple's name of the callback.
        package var callback: String
        package var activity: String
        package var event: String?
    }

    package var lines: [Line] = []

    package static func read() throws -> Diary {
        try Promise.storage.read(Diary.self, key) ?? Diary()
    }

    package static func write(_ callback: String, _ activity: String, event: String? = nil) throws {
        var diary = try read()
        diary.lines.append(Line(at: Date(), callback: callback, activity: activity, event: event))
        diary.lines = diary.lines.suffix(linesMax)
        try Promise.storage.write(diary, key)
    }
}
