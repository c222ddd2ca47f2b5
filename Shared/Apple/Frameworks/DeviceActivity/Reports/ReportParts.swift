internal import Contract
internal import ExtensionLink
internal import JSON

/// Data of reports that came in several messages.
struct ReportParts {
    /// Reports whose data is kept: a host that gave one up never asks for it.
    private static let reportsMax = 4

    private var kept: [(report: String, parts: [[RawJSON]])] = []

    mutating func add(_ part: ReportData.Params) {
        if let place = kept.firstIndex(where: { $0.report == part.report }) {
            kept[place].parts.append(part.data)
        } else {
            kept.append((part.report, [part.data]))
            if kept.count > Self.reportsMax { kept.removeFirst() }
        }
    }

    /// Returns the earlier parts of a report, which are not kept any more.
    /// - Throws: `unavailable` if some are missing, for example because the process is a new one.
    mutating func take(_ report: ReportMake.Params) throws(ServiceError) -> [RawJSON] {
        let place = kept.firstIndex { $0.report == report.report }
        let parts = place.map { kept.remove(at: $0).parts } ?? []
        guard parts.count == report.parts ?? 0 else {
            throw ServiceError(
                .unavailable, "\(parts.count) of \(report.parts ?? 0) parts of the report's data are here",
                remedy: "Request the report again.")
        }
        return parts.flatMap { $0 }
    }

    /// One activity for each member and device, in the order in which they first come.
    static func joined(_ pieces: [RawJSON]) throws -> [ReportActivity] {
        var whole: [ReportActivity] = []
        for piece in pieces {
            let activity = try ReportActivity.decode(piece.bytes)
            let known = whole.firstIndex {
                $0.user.member == activity.user.member && $0.device == activity.device
            }
            if let known {
                whole[known].activitySegments += activity.activitySegments
            } else {
                whole.append(activity)
            }
        }
        return whole
    }
}
