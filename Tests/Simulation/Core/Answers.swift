import Contract
import JSON
import Loop
import ServiceKit
import Units

/// What the services answer, as text. A restart must not change it: then memory holds something else than
/// the store.
@LoopActor final class Answers {
    private let week: HouseholdWeek
    private var answers: [String: String] = [:]
    private let questions: Questions

    init(_ week: HouseholdWeek) {
        self.week = week
        questions = Questions(week.person)
    }

    /// Asks all services; `done` is called when all have answered.
    func collect(_ done: @escaping @LoopActor ([String: String]) -> Void) {
        let from = HouseholdWeek.start - .day, to = HouseholdWeek.start + .days(30)
        ask(UsageRead.self, UsageRead.Params(from: from, to: to))
        ask(CatalogList.self, CatalogList.Params())
        ask(MonitoringList.self, MonitoringList.Params())
        ask(MemberList.self, Nothing())
        ask(AuthorizationList.self, AuthorizationList.Params())
        ask(SettingsList.self, SettingsList.Params())
        ask(SettingsEffective.self, SettingsEffective.Params())
        ask(ShieldList.self, ShieldList.Params())
        ask(ShieldJudge.self, ShieldJudge.Params(apps: HouseholdWeek.apps))
        ask(DeliveryList.self, DeliveryList.Params(limit: 1_000))
        ask(NotificationList.self, NotificationList.Params(limit: 1_000))
        for grouping in [ReportGrouping.app, .category, .member, .device] {
            let params = ReportQuery.Params(
                from: "2026-03-01", to: "2026-04-01", zone: "UTC", segment: .hourly, by: grouping)
            ask(ReportQuery.self, params)
        }
        for service in week.system.services {
            answers["the events of \(service.name.rawValue)"] = "\(service.head)"
            guard service.name != .auth, service.name != .monitor else { continue }
            answers["the members in \(service.name.rawValue)"] = "\(service.household.everyone)"
        }
        questions.whenAnswered { [self] in done(answers) }
    }

    private func ask<M: Method>(_ method: M.Type, _ params: M.Params) {
        let name = "\(M.name) \(String(decoding: params.encoded(), as: UTF8.self))"
        questions.ask(method, params) { [self] result in
            switch result {
            case .success(let answer): answers[name] = String(decoding: answer.encoded(), as: UTF8.self)
            case .failure(let error): answers[name] = "\(error.name.rawValue): \(error.message)"
            }
        }
    }

    /// What a restart changed, a sentence each.
    static func differences(_ before: [String: String], _ after: [String: String]) -> [String] {
        guard !before.isEmpty, !after.isEmpty else { return ["not every service answered around a restart"] }
        return Set(before.keys).union(after.keys).sorted().compactMap { name in
            let one = Array((before[name] ?? "nothing").utf8), other = Array((after[name] ?? "nothing").utf8)
            guard one != other else { return nil }
            // What surrounds the first difference.
            let place = max(0, zip(one, other).prefix { $0 == $1 }.count - 60)
            func part(_ bytes: [UInt8]) -> String {
                String(decoding: bytes.dropFirst(place).prefix(160), as: UTF8.self)
            }
            return "a restart changes \(name): …\(part(one))… to …\(part(other))…"
        }
    }
}
