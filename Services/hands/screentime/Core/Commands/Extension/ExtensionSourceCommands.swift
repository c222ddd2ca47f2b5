extension Screentime {
    /// What a developer of extensions needs before one is installed.
    static let extensionSourceCommands = [
        extensionNewCommand, extensionCheckCommand, extensionFlagsCommand, extensionBundleCommand,
    ]
}
