package import Contract
package import JSON

/// Asked once at install: what the program serves, so that a wrong class is an error there.
package enum Describe: HostRequest {
    package static let name = "describe"
    package typealias Params = Nothing

    /// The request that a program of the extension point has to answer.
    static func method(of point: ExtensionPoint) -> String {
        switch point {
        case .monitor: MonitorCallback.name
        case .shieldConfiguration: ShieldConfigure.name
        case .shieldAction: ShieldAct.name
        case .report: ReportMake.name
        }
    }

    package struct Result: Record, Sendable {
        package static var title: String { "describe.result" }
        package var points: [ExtensionPoint] = []
        package var principal: String?

        package init() {}
        package init(points: [ExtensionPoint], principal: String?) {
            self.points = points
            self.principal = principal
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("points", &points, "Extension points whose requests it answers.")
            try visitor.field(
                "principal", &principal, "Its principal class as `Module.Class`; absent: it has none.")
        }
    }
}
