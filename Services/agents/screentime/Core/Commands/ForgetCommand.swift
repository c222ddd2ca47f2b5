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
            Option("--dry-run", nil, "Tell what would go, and remove nothing."),
            Option("--yes", nil, "Do not ask."),
        ],
        summary: "Removes recorded use for good, to the last byte of every file.",
        details: """
            Everything else stays as it is: the totals of other apps, and the part of a use that lies
            outside of the day. A pickup that led to the app counts on, without an app. Callbacks and
            notifications that
            speak of it go as well. An app that is in use right now counts again from when it next comes to
            the front. Of today goes what was until now. The day is the member's, in their zone and from
            their
            start of the day.

            Rules are no use: activities, settings and categories that name the app stay, and are listed with
            what removes them. --everything removes rules, too, and all notifications and lines of logs;
            members, authorizations, extensions and imported lists of domains stay. So do backups, and the
            files that apps and extensions keep for themselves; both are listed.

            What apps and their extensions keep in files of their own, in containers and app groups, nobody
            else can read: it stays, and is named with the command that removes it. --everything empties
            those of the apps that come with the system.

            Forgetting is no filter: the same file imported again brings its use back, and new use is
            recorded. When it ends before its end, the same command again does the rest. All services must
            run.
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
                ExitCode.usage, "nobody can be asked here",
                remedy: "Say --yes if you are sure, or --dry-run to see what would go.")
        }
        Console.note("This cannot be undone. Type yes to go on:")
        return readLine() == "yes"
    }
}
