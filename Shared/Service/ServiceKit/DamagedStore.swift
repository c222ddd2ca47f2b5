package import Contract

/// What to do about a damaged store. A service that owns nothing loses nothing with its store; to set the
/// others back for its sake would lose what people did since.
package enum DamagedStore {
    /// All of report-service is copied from others.
    private static func isCopy(_ service: ServiceName) -> Bool { service == .report }

    /// - Parameter stateDirectory: of all services.
    package static func remedy(_ service: ServiceName, in stateDirectory: String) -> String {
        guard isCopy(service) else {
            return "Stop the services and restore a backup: `screentime restore DIRECTORY`. It sets all of "
                + "them back to the backup."
        }
        let directory = VisibleText.shellWord("\(stateDirectory)/\(service.rawValue)")
        return "Nothing is lost: stop \(service.rawValue), move \(directory) away, and start it again; "
            + "what was there is built again from what the other services have."
    }

    /// The same error; that of a store which can be built again says so.
    static func told(_ error: ServiceError, _ service: String, in stateDirectory: String) -> ServiceError {
        guard error.name == .storageDamaged, let name = ServiceName(rawValue: service), isCopy(name) else {
            return error
        }
        return ServiceError(error.name, error.message, remedy: remedy(name, in: stateDirectory))
    }
}
