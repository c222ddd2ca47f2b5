/// What is always allowed: lists of names in one store of the person's own client. No store shields what they
/// name; elsewhere these keys mean nothing.
package enum AllowedSettings {
    /// Of the client `BuiltInClient.limits`.
    package static let store = "marks"
    package static let applications = "allow.applications"
    /// Each covers its subdomains.
    package static let webDomains = "allow.webDomains"
    /// Rules about categories leave these out; what a store names itself is shielded all the same.
    package static let categories = "allow.categories"
}
