extension Screentime {
    /// What a developer of extensions needs before one is installed.
    static let extensionSourceCommands = [extensionCheckCommand, extensionFlagsCommand]
}
