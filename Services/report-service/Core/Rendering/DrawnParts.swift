import Contract

/// The data of a report, cut into messages.
enum DrawnParts {
    /// - Returns: at least one part. Each has at most ``ReportLimits/drawnPartBytes``, or one segment.
    static func of(_ activities: [ReportActivity]) -> [[ReportActivity]] {
        var parts: [[ReportActivity]] = [[]]
        var room = ReportLimits.drawnPartBytes
        for activity in activities {
            var piece = activity
            piece.activitySegments = []
            let frame = piece.encoded().count
            room -= frame
            for segment in activity.activitySegments {
                let bytes = segment.encoded().count + 1
                if bytes > room, !(parts[parts.count - 1].isEmpty && piece.activitySegments.isEmpty) {
                    if !piece.activitySegments.isEmpty { parts[parts.count - 1].append(piece) }
                    piece.activitySegments = []
                    parts.append([])
                    room = ReportLimits.drawnPartBytes - frame
                }
                room -= bytes
                piece.activitySegments.append(segment)
            }
            parts[parts.count - 1].append(piece)
        }
        return parts
    }
}
