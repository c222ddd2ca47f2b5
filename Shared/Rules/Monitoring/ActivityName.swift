/// Which activity: names are unique in their client and member.
package struct ActivityName: Hashable, Comparable, Sendable {
    /// Bundle id of the app it belongs to.
    package let client: String
    package let member: String
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
