import Foundation

/// Splits attributed strings into runs.
enum AttributedText {
    static func runs(of string: AttributedString, _ outer: [Text.Modifier]) -> [Text.Run] {
        string.runs.map { run in
            Text.Run(
                text: String(string[run.range].characters), modifiers: outer, link: run.link?.absoluteString)
        }
    }
}
