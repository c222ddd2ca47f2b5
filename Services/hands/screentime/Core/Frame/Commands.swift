extension Screentime {
    /// Every command, in the order of the help. One file per command or family under Commands/.
    static let commands: [Command] =
        [statusCommand, doctorCommand, repairCommand] + memberCommands + importCommands
        + [exportCommand, replayCommand, reportCommand, reportRenderCommand, forgetCommand] + catalogCommands
        + authorizationCommands + selectionCommands + monitorCommands + extensionCommands + [deliveryCommand]
        + shieldCommands
        + [backupCommand, restoreCommand]
        + notificationsCommands + clockCommands + [clockConfirmCommand] + [traceCommand, logsCommand]
        + extensionSourceCommands
}
