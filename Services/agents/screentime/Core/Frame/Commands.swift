package import CommandKit
import ExtensionTool

package typealias Command = CommandKit.Command<Screentime.Action>

extension Option {
    static let member = Option("--member", "MEMBER", "Name or id of a member; default: you.")
}

extension Screentime {
    /// Every command, in the order of the help. One file per command or family under Commands/.
    static let commands: [Command] =
        [openCommand, topCommand, statusCommand, doctorCommand, repairCommand] + memberCommands
        + importCommands + [exportCommand, replayCommand]
        + [reportCommand, reportRenderCommand, weeklyReportCommand, forgetCommand]
        + catalogCommands
        + authorizationCommands + requestCommands + exceptionCommands + [auditCommand]
        + selectionCommands + monitorCommands + extensionCommands + [deliveryCommand]
        + shieldCommands
        + [backupCommand, restoreCommand]
        + notificationsCommands + clockCommands + [clockConfirmCommand] + [traceCommand, logsCommand]
        + extensionToolCommands

    /// The SDK's own, which call no service.
    private static let extensionToolCommands = ExtensionTool.commands.map { tool in
        Command(tool.description) { try tool.action($0.given) }
    }

    /// What the parser, the help, the completion scripts and the manual are made of.
    static let table = CommandTable(
        "screentime", summary: "Screen Time for Linux, from the terminal", version: version,
        groups: groups, commands: commands.map(\.description), notes: notes)

    private static let groups: [CommandTable.Group] = [
        .init("member", "Who belongs to the household, and when their days are."),
        .init("import", "Imports recorded use from a file."),
        .init("report", "Report who used what, and for how long."),
        .init("catalog", "What belongs to which category, and who said so."),
        .init("authorization", "Which apps asked, what was decided, and the switches of an app."),
        .init("requests", "Requests for more time, and who decided what."),
        .init("exceptions", "What may be used although it is shielded."),
        .init("selection", "What an app may act on: apps, categories and domains under a name."),
        .init("monitor", "Limits and schedules, from a policy file."),
        .init("extension", "Extension programs: installed ones, and projects for new ones."),
        .init("delivery", "The callbacks of monitor extensions."),
        .init("shield", "What is shielded, why, and what its screen shows."),
        .init("notifications", "What was said to the person."),
        .init("clock", "A virtual clock for the whole system, and trust in the machine's clock."),
    ]

    private static let notes: [(heading: String, text: String)] = [
        (
            "Exit status",
            """
             0   done; status: all that should run is up and acts; doctor: nothing is wrong
             1   refused: no such member or app, the person said no or nothing, a conflict
             64  wrong usage
             65  a file is not what it should be; the message names the field or line
             66  a file cannot be read
             69  a service is not there; status: at least one is down or does not act
             70  a bug
             75  temporary: no answer in time, the disk is full, the service is stopping; try again
             77  not allowed
            """
        ),
        (
            "Environment",
            """
            SCREENTIME_RUNTIME_DIR, SCREENTIME_STATE_DIR and SCREENTIME_LOG_DIR name the directories of the
            services. SCREENTIME_SDK, SCREENTIME_SWIFTC and SCREENTIME_CHECKOUT are read by the commands that
            build extensions.

            LC_ALL, LC_TIME, LC_NUMERIC and LANG choose how dates, times and durations are printed for a
            person. In the locale C or POSIX they have the forms of ISO 8601; so they have in --json, csv and
            other formats for programs, in every locale. NO_COLOR turns colours off. COLUMNS sets the width of
            help.
            """
        ),
    ]
}
