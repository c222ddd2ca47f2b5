import Testing

@testable import NotifierCore

struct TextTests {
    @Test func markupIsEscapedOnlyForDaemonsThatReadIt() {
        #expect(DesktopNotificationsText.body(#"<b>&"'"#, isMarkup: true) == #"&lt;b&gt;&amp;"'"#)
        #expect(DesktopNotificationsText.body(#"<b>&"'"#, isMarkup: false) == #"<b>&"'"#)
    }

    @Test func controlCharactersCannotReachTheDaemon() throws {
        let words = "a\u{0}b\u{1b}[31m\r\nc\rd\te\u{85}\u{FFFE}"
        let clean = "a\u{FFFD}b\u{FFFD}[31m\nc\nd\te\u{FFFD}\u{FFFD}"
        #expect(DesktopNotificationsText.body(words, isMarkup: false) == clean)
        let noncharacter = try #require(Unicode.Scalar(0xFDD0 as UInt32))
        #expect(DesktopNotificationsText.line("a\nb\u{0}c\u{2028}d\(noncharacter)") == "a b c d\u{FFFD}")
    }

    @Test(arguments: ["", " ", "\n\t", "\u{0}", "\u{3000}"]) func blankIsBlank(words: String) {
        #expect(DesktopNotificationsText.isBlank(words))
        let content = NotificationContent(identifier: "a", appName: "", summary: words)
        #expect(content.refusal == .blankSummary)
    }

    @Test func eachLimitIsNamed() {
        typealias Limits = DesktopNotificationLimits
        func content(_ change: (inout NotificationContent) -> Void) -> NotificationContent {
            var content = NotificationContent(identifier: "a", appName: "app", summary: "words")
            change(&content)
            return content
        }
        let long = String(repeating: "x", count: 10_000)
        #expect(content { _ in }.refusal == nil)
        #expect(content { $0.summary = long }.refusal == .tooLong(field: "summary", limit_bytes: 4_096))
        #expect(content { $0.body = long }.refusal == .tooLong(field: "body", limit_bytes: 8_192))
        #expect(content { $0.appName = long }.refusal == .tooLong(field: "name of the app", limit_bytes: 256))
        #expect(content { $0.actions = [.init(key: "", label: "x")] }.refusal == .blankActionKey)
        let nine = (0..<9).map { NotificationContent.Action(key: "\($0)", label: "") }
        #expect(content { $0.actions = nine }.refusal == .tooManyActions(limit: 8))
    }
}
