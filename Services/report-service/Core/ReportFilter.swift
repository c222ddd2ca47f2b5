import Contract
import Rules
package import Store
import Units

/// The devices, apps, categories and domains of a report.
struct ReportFilter {
    let selection: ReportSelection
    let deviceNames: Set<String>
    /// As reported: `mac` for any Linux machine.
    let models: Set<String>

    /// - Throws: `invalidArgument`, `limitExceeded`
    init(_ params: ReportQuery.Params) throws(ServiceError) {
        selection = try ReportSelection(params)
        guard params.device == nil || params.devices == nil else {
            throw ServiceError(
                .invalidArgument, "device and devices exclude each other", remedy: "Use one of them.")
        }
        deviceNames = try ReportSelection.names(params.device.map { [$0] } ?? params.devices, "devices")
        let models = try ReportSelection.names(params.models, "models")
        self.models = Set(models.map(ReportDevice.reported))
    }

    var allDevices: Bool { deviceNames.isEmpty && models.isEmpty }

    func includes(_ device: ReportDevice) -> Bool {
        (deviceNames.isEmpty || deviceNames.contains(device.name))
            && (models.isEmpty || models.contains(ReportDevice.reported(device.model)))
    }

    /// Names in the filter that were never recorded.
    func unknown(_ subjects: ReportSubjects) throws -> [String] {
        let apps = try selection.applications.sorted().filter { try !subjects.isKnown(.app, $0) }
        let domains = try selection.domains.sorted().filter { try !subjects.isKnown(domain: $0) }
        return apps.map { "an app '\($0)'" } + domains.map { "a domain '\($0)'" }
    }
}

extension ReportSubjects {
    /// Whether any host of the domain was ever recorded.
    func isKnown(domain: String) throws -> Bool {
        if try isKnown(.host, domain) || isKnown(.site, domain) { return true }
        return try hosts().contains { $0.hasSuffix("." + domain) }
    }
}

extension UsageCopy {
    /// A member's devices, sorted by name.
    func devices(of member: Int) throws(StoreError) -> [ReportDevice] {
        try database.query(
            "SELECT id, name, model, latest_ms FROM device WHERE member = ?1 ORDER BY name", member
        ) {
            ReportDevice(
                number: Int($0.int64(0)), name: $0.text(1), model: $0.text(2), latest: $0.instant(3))
        }
    }

    /// Names of all members with records.
    package func members() throws(StoreError) -> [String] {
        try database.query("SELECT name FROM member ORDER BY name") { $0.text(0) }
    }
}
