import Contract
import Rules
import Units

extension UsageLog {
    /// The uses that overlap [from, to), uncut; open use is not included.
    func read(_ params: UsageRead.Params) throws -> UsageRead.Result {
        guard params.from <= params.to else {
            throw ServiceError(
                .invalidParams, "from_ms \(params.from) is after to_ms \(params.to)",
                remedy: "Swap them.")
        }
        var result = UsageRead.Result()
        var room = ActivityLimits.usesPerAnswerMax
        for stream in try streams.all(member: service.member(params.member))
        where params.device == nil || params.device == stream.device {
            var next = try usage.nextSubject(of: stream.id, after: SubjectTable.none)
            while let id = next {
                next = try usage.nextSubject(of: stream.id, after: id)
                guard let subject = try subjects.subject(id), params.subject.map(subject.isNamed) ?? true
                else {
                    continue
                }
                let uses = try uses(of: stream.id, id, params, limit: room + 1)
                room -= uses.count
                guard room >= 0 else {
                    throw ServiceError(
                        .limitExceeded,
                        "more than \(ActivityLimits.usesPerAnswerMax) intervals lie in this range",
                        remedy: "Request a shorter range, one device or one subject.")
                }
                guard !uses.isEmpty else { continue }
                result.usage.append(
                    SubjectUsage(
                        member: stream.member, device: stream.device, kind: subject.subjectKind,
                        subject: subject.id, intervals: uses.map(\.interval)))
            }
        }
        return result
    }

    private func uses(
        of stream: Int64, _ subject: Int64, _ params: UsageRead.Params, limit: Int
    ) throws -> [TimeRange] {
        guard let window = TimeRange(start: params.from, end: params.to) else { return [] }
        let from =
            try usage.lastStart(of: stream, subject: subject, before: params.from) ?? params.from
        return try usage.rows(of: stream, subject: subject, from: from, to: params.to, limit: limit).uses
            .filter { $0.intersection(window) != nil }
    }
}

extension Subject {
    /// Whether a person who writes `name` can mean it.
    fileprivate func isNamed(_ name: String) -> Bool {
        id == (kind == .domain ? DomainName.spelling(of: name) : name)
    }
}
