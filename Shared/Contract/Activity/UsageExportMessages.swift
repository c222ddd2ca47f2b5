package import JSON

/// Everything that one member's devices told, as it was taken in: enough to build the same history anew.
package enum UsageExport: Method {
    package static let name = "usage.export"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "The observations of one member's devices, device by device, in pages."

    package struct Params: Record, MemberScoped {
        package static var title: String { "usage.export.params" }
        package var member: String?
        package var device: String?
        package var page: String?

        package init() {}
        package init(member: String? = nil, device: String? = nil, page: String? = nil) {
            self.member = member
            self.device = device
            self.page = page
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.")
            try visitor.field("device", &device, "Only this device.")
            try visitor.field("page", &page, "next_page of the answer before; absent: the first.")
        }
    }

    package struct Result: Record {
        package static var title: String { "usage.export.result" }
        package var device: String?
        package var deviceModel: String?
        package var observations: [Observation] = []
        package var nextPage: String?

        package init() {}
        package init(
            device: String? = nil, deviceModel: String? = nil, observations: [Observation] = [],
            nextPage: String? = nil
        ) {
            self.device = device
            self.deviceModel = deviceModel
            self.observations = observations
            self.nextPage = nextPage
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("device", &device, "Whose observations these are; absent: there are none.")
            try visitor.field("device_model", &deviceModel, "linux, android, and so on.")
            try visitor.field(
                "observations", &observations,
                "In the order in which the rules take them; names of apps come with their first one.")
            try visitor.field("next_page", &nextPage, "Ask for it next; absent: this was the last.")
        }
    }
}
