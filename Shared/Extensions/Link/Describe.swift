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

    @Record("describe.result")
    package struct Result: Record, Sendable {
        /// Extension points whose requests it answers.
        package var points: [ExtensionPoint] = []
        /// Its principal class as `Module.Class`; absent: it has none.
        package var principal: String?
    }
}
