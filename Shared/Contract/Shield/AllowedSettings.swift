/// Keys of settings that list what is always allowed. They take effect only in one store of the person's own
/// client: no store shields what they name.
package enum AllowedSettings {
    /// Name of that store, which belongs to the client `BuiltInClient.limits`.
    package static let store = "marks"
    /// App ids.
    package static let applications = "allow.applications"
    /// Domains; each covers its subdomains.
    package static let webDomains = "allow.webDomains"
    /// Categories that rules about categories leave out; a subject that a store names itself is shielded
    /// nevertheless.
    package static let categories = "allow.categories"
}
