import CommandKit
import Contract
import Glibc
import Loop

extension Screentime {
    static let forgetCommand = Command(
        "forget",
        options: [
            Option("--app", "ID", "All use of this app, as `screentime report` names it."),
            Option("--domain", "DOMAIN", "All use of this domain and its subdomains."),
            Option("--day", "DATE", "All use inside this local day, YYYY-MM-DD."),
            Option("--everything", nil, "All use, all history and all rules."),
            .member,
            Option("--dry-run", nil, "Print what would be deleted, and delete nothing."),
            Option("--yes", nil, "Do not ask."),
        ],
        summary: "Delete recorded usage for good, from every file.",
        details: """
            Everything else stays: the totals of other apps, and the part of a use that lies outside the
            day. A pickup that led to the app still counts, without an app. Callbacks and notifications that
            name it are deleted as well. An app that is in use now counts again when it next comes to the
            foreground. Of today, everything until now is deleted. A day is the member's, in their zone and
            from their start of the day.

            Rules are not usage: activities, settings and categories that name the app stay, and are listed
            with the command that removes each. --everything also deletes rules, notifications and lines of
            logs; members, authorizations, extensions and imported lists of domains stay. Backups and the
            files that apps and extensions keep for themselves stay, too; both are listed.

            Nobody else can read the files that apps and their extensions keep in containers and app groups:
            they stay, and are listed with the command that removes them. --everything empties those of the
            built-in apps.

            Forgetting does not filter: the same file imported again brings its usage back, and new usage is
            recorded. If the command is interrupted, run it again to complete it. All services must run.
            """
    ) { invocation in
        let session = try invocation.session()
        let order = try await ForgetOrder(invocation, session)
        let run = ForgetRun(session, order)
        try await run.rehearse()
        run.printPlan()
        if invocation.has("--dry-run") { return ExitCode.ok }
        guard try confirmed(invocation) else {
            Console.note("Nothing was removed.")
            return ExitCode.refused
        }
        try await run.perform()
        run.printOutcome()
        return ExitCode.ok
    }

    @LoopActor private static func confirmed(_ invocation: Invocation) throws(CommandError) -> Bool {
        if invocation.has("--yes") { return true }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandError(
                ExitCode.usage, "this is not a terminal, so you cannot be asked",
                remedy: "Say --yes if you are sure, or --dry-run to see what would go.")
        }
        Console.note("This cannot be undone. Type yes to continue:")
        return readLine() == "yes"
    }
}
