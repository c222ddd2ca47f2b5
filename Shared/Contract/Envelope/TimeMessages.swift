package import JSON

/// The time that activity-center believes, beside the machine's clock.
package enum TimeStatus: Method {
    package static let name = "time.status"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.anyone
    package static let summary = "The time that use and schedules go by, beside the machine's clock."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "time.status.result" }
        package var nowMs: Int64 = 0
        package var heldMs: Int64 = 0
        package var isSynchronised = false
        package var zone: String?

        package init() {}
        package init(
            nowMs: Int64 = 0, heldMs: Int64 = 0, isSynchronised: Bool = false, zone: String? = nil
        ) {
            self.nowMs = nowMs
            self.heldMs = heldMs
            self.isSynchronised = isSynchronised
            self.zone = zone
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("now_ms", &nowMs, "The instant that is believed, UTC milliseconds.")
            try visitor.field(
                "held_ms", &heldMs,
                "How far the machine's clock is ahead of it; below 0: behind; 0: they agree.")
            try visitor.field(
                "synchronised", &isSynchronised, "Whether the kernel says that its clock is synchronised.")
            try visitor.field(
                "zone", &zone, "IANA time zone of the machine, of members who have none.", .publicText)
        }
    }
}

/// Believes the machine's clock as it is now, also where it was set by hand.
package enum TimeConfirm: Method {
    package static let name = "time.confirm"
    package static let owner = ServiceName.activity
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Believes the machine's clock as it is now, also where it was set by hand."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "time.confirm.result" }
        package var movedMs: Int64 = 0
        package var nowMs: Int64 = 0
        package var sequence: Int64 = 0

        package init() {}
        package init(movedMs: Int64 = 0, nowMs: Int64 = 0, sequence: Int64 = 0) {
            self.movedMs = movedMs
            self.nowMs = nowMs
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("moved_ms", &movedMs, "How far the believed time moved; 0: nothing was held.")
            try visitor.field("now_ms", &nowMs, "The instant that is believed now, UTC milliseconds.")
            try visitor.field("sequence", &sequence, "Head of the log after it.")
        }
    }
}

/// The machine's clock was set and nobody confirmed it, or that is over.
package struct TimeHeld: EventData {
    package static let type = "time.held"
    package static let owner = ServiceName.activity
    package static let summary = "The machine's clock was set and nobody confirmed it, or that is over."
    package var heldMs: Int64 = 0

    package init() {}
    package init(heldMs: Int64) { self.heldMs = heldMs }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field(
            "held_ms", &heldMs,
            "How far the machine's clock is ahead of the time that is believed; below 0: behind; 0: they agree.")
    }
}
