package import JSON

/// The parameters of `app.run`: a command of a built-in app, as in docs/commands.md.
@Record("app.run.params")
package struct AppRun: Record {
    /// Name of the app, as `limits`.
    package var program: String = ""
    /// The words of the command, without `--json`, which is added.
    package var arguments: [String] = []

    static let name = "app.run"
    static let summary = "Runs a command of a built-in app, and answers what it prints with --json."
}
