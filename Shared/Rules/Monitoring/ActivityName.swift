/// Identifies an activity. Names are unique for their client and member.
package struct ActivityName: Hashable, Comparable, Sendable {
    /// Bundle id of its owner.
    package let client: String
    /// Member id.
    package let member: String
    /// The name that the client chose.
    package let name: String

    package init(client: String, member: String, name: String) {
        self.client = client
        self.member = member
        self.name = name
    }

    package static func < (left: ActivityName, right: ActivityName) -> Bool {
        (left.client, left.member, left.name) < (right.client, right.member, right.name)
    }
}
