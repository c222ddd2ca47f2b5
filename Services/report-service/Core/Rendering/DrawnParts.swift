import Contract

/// The data of a report, cut into messages.
enum DrawnParts {
    /// - Returns: at least one part. Each has at most ``ReportLimits/drawnPartBytes``, or one segment.
    /// - Throws: `limitExceeded` if a segment does not fit into a message.
    static func of(_ activities: [ReportActivity]) throws(ServiceError) -> [[ReportActivity]] {
        var parts: [[ReportActivity]] = [[]]
        var room = ReportLimits.drawnPartBytes
        for activity in activities {
            var piece = activity
            piece.activitySegments = []
            let frame = piece.encoded().count
            room -= frame
            for segment in activity.activitySegments {
                let bytes = segment.encoded().count + 1
                guard bytes <= ReportLimits.answerBytesMax else {
                    throw ReportBytes.tooMuch(1, mayCut: false, bytesMax: ReportLimits.drawnBytesMax)
                }
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
