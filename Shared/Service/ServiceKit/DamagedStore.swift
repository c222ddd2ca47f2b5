package import Contract

/// What to do about a damaged store. A service that only keeps copies loses nothing with its store; restoring
/// a backup for it would discard recent changes of the other services.
package enum DamagedStore {
    /// Whether everything the service stores is copied from others (report-service).
    private static func isCopy(_ service: ServiceName) -> Bool { service == .report }

    /// - Parameter stateDirectory: the parent directory of all stores.
    package static func remedy(_ service: ServiceName, in stateDirectory: String) -> String {
        guard isCopy(service) else {
            return "Stop the services and restore a backup: `screentime restore DIRECTORY`. It sets all of "
                + "them back to the backup."
        }
        let directory = VisibleText.shellWord("\(stateDirectory)/\(service.rawValue)")
        return "No data is lost: stop \(service.rawValue), move \(directory) away, and start it again; "
            + "it is rebuilt from the data of the other services."
    }

    /// The error with the remedy for a store that can be rebuilt, where that applies.
    static func withRemedy(
        _ error: ServiceError, _ service: String, in stateDirectory: String
    ) -> ServiceError {
        guard error.name == .storageDamaged, let name = ServiceName(rawValue: service), isCopy(name) else {
            return error
        }
        return ServiceError(error.name, error.message, remedy: remedy(name, in: stateDirectory))
    }
}
