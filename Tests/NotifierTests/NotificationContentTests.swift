import Contract
import Testing

@testable import NotifierCore

/// What a posting looks like on the screen.
@Suite struct NotificationContentTests {
    private func content(_ fill: (inout NotificationRecord) -> Void) -> NotificationContent {
        var record = NotificationRecord(identifier: "a", title: "Title", body: "Body")
        fill(&record)
        return NotificationContent(StoredNotification(record: record, trace: ""))
    }

    @Test func theSubtitleStandsAboveTheBody() {
        let content = content { $0.subtitle = "Subtitle" }
        #expect(content.summary == "Title" && content.body == "Subtitle\nBody")
    }

    @Test func theFirstWordsThereAreAreTheSummary() {
        #expect(content { ($0.title, $0.subtitle) = (" ", "Subtitle") }.summary == "Subtitle")
        let bodyOnly = content { $0.title = "" }
        #expect(bodyOnly.summary == "Body" && bodyOnly.body.isEmpty)
    }

    @Test func whatComesLateSaysWhenItWasDue() {
        let late = content { ($0.due, $0.late) = (1_700_000_000_000, 90_000) }
        #expect(late.body.hasPrefix("Body\n(This was due on 2023-11-1") && late.body.hasSuffix("was off.)"))
        #expect(content { $0.due = 1_700_000_000_000 }.body == "Body")
    }

    @Test func aClickIsOfferedWhereItIsToBeTold() {
        var details = NotificationDetails()
        details.tellsOpening = true
        let open = content { $0.details = details }
        #expect(open.actions.map(\.key) == ["default"] && open.expireTimeout_ms == -1, "no question")
        let question = content {
            $0.details = details
            $0.actions = [NotificationAction(key: "more", label: "More")]
        }
        #expect(question.actions.map(\.key) == ["default", "more"] && question.expireTimeout_ms == 0)
    }

    @Test func soundsHaveNamesOfTheTheme() {
        #expect(DesktopNotificationsText.sound("default") == "message-new-instant")
        #expect(DesktopNotificationsText.sound("bell.caf") == "bell")
        #expect(DesktopNotificationsText.sound(".hidden") == ".hidden")
    }
}
