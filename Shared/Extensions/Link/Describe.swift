package import Contract
package import JSON

/// The request at installation: which extension points the program serves. A wrong class is then an error at
/// once.
package enum Describe: HostRequest {
    package static let name = "describe"
    package typealias Params = Nothing

    /// The request that a program of this extension point must serve.
    static func method(of point: ExtensionPoint) -> String {
        switch point {
        case .monitor: MonitorCallback.name
        case .shieldConfiguration: ShieldConfigure.name
        case .shieldAction: ShieldAct.name
        case .report: ReportMake.name
        }
    }

    /// What the program serves.
    @Record("describe.result")
    package struct Result: Record, Sendable {
        /// Extension points whose requests it serves.
        package var points: [ExtensionPoint] = []
        /// Principal class as `Module.Class`; absent if it has none.
        package var principal: String?
    }
}
