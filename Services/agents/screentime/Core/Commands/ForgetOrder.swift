import CommandKit
import Contract
import Loop
import Rules
import Schedules
import Units

/// What the command line was asked to forget.
struct ForgetOrder {
    /// What each service is asked; without words.
    let params: PrivacyForget.Params
    /// For the person.
    let sentence: String

    @LoopActor init(_ invocation: Invocation, _ session: Session) async throws {
        let kinds = ["--app", "--domain", "--day", "--everything"].filter { invocation.has($0) }
        guard let kind = kinds.first, kinds.count == 1 else {
            throw CommandError(
                ExitCode.usage, kinds.isEmpty ? "nothing to forget was named" : "only one thing at a time",
                remedy: "Use one of --app ID, --domain DOMAIN, --day DATE and --everything.")
        }
        let value = invocation.value(kind) ?? ""
        let member = try await Self.member(invocation.value("--member"), session)
        var params = PrivacyForget.Params(member: member.id)
        switch kind {
        case "--app", "--domain":
            guard !value.isEmpty else {
                throw CommandError(
                    ExitCode.usage, "\(kind) is empty", remedy: "Name what to forget.")
            }
            params.kind = kind == "--app" ? .app : .domain
            params.subject = value
            let name = kind == "--app" ? value : DomainName.readable(DomainName.spelling(of: value))
            sentence = "all use of \(name)"
        case "--day":
            let day = try Self.stretch(of: value, member)
            params.from = day.start
            params.to = day.end
            sentence = "all use from \(LocalTime.text(day.start)) to \(LocalTime.text(day.end))"
        default:
            params.everything = true
            sentence = "all use, all history and all rules"
        }
        self.params = params
    }

    /// Also one who was removed: their recorded use stays until it is forgotten.
    @LoopActor private static func member(_ name: String?, _ session: Session) async throws -> Member {
        let members = try await session.call(MemberList.self, Nothing()).members
        guard let name else {
            let own = try await session.memberID(nil)
            return members.first { $0.id == own } ?? members.first { $0.uid != nil } ?? Member()
        }
        if let known = members.first(where: { $0.id == name || $0.name == name }) { return known }
        if name.hasPrefix("member-") { return Member(id: name, name: name) }
        throw CommandError(
            ExitCode.refused, "there is no member '\(name)'",
            remedy: "See `screentime member list`; one who was removed is member-NAME.")
    }

    private static func stretch(of text: String, _ member: Member) throws -> TimeRange {
        guard let date = LocalDate(text) else {
            throw CommandError(
                ExitCode.usage, "--day is '\(text)'", remedy: "Use a day of the calendar as YYYY-MM-DD.")
        }
        let zone: Zone
        do { zone = try member.zone.map { try Zone($0) } ?? .current } catch {
            throw CommandError(ExitCode.refused, "\(error)", remedy: "See `screentime member list`.")
        }
        let start = member.dayStartMinutes * Milliseconds.minute
        guard let stretch = zone.interval(from: date, through: date, dayStart: start) else {
            throw CommandError(
                ExitCode.refused, "there was no \(text) in \(zone.identifier)", remedy: "Choose another day.")
        }
        return stretch
    }
}
