import Contract

/// Which app a window or process belongs to.
package struct AppIdentity: Sendable, Equatable {
    /// The desktop-file id without `.desktop`, for example `org.gnome.Maps`; otherwise `exe:` and the path.
    package let id: String
    /// Display name in the person's language; the program's base name if there is no desktop file.
    package let name: String
    /// The categories of the desktop file, for example `Game`, `Network` (freedesktop menu specification).
    package let categories: [String]
    /// How it was identified.
    package let resolvedBy: Evidence
    /// Path of the running program; nil if it cannot be read. Window class and app id are claims of the
    /// program; the path is not, so a rule may require both.
    package let executablePath: String?

    /// Whether only the window's own claims identify the app.
    var isNamedByWindow: Bool {
        switch resolvedBy {
        case .waylandAppID, .startupClass, .startupInstance, .startupClassAnyCase, .desktopFileID: true
        case .startedByAgent, .sandbox, .sameProgram, .executableName, .scope, .executablePath: false
        }
    }

    /// The program that this agent started to see whether shields act.
    static let canary = AppIdentity(
        id: CanaryApp.id, name: "screentime", categories: [], resolvedBy: .startedByAgent,
        executablePath: nil)

    /// Kinds of evidence, in the order in which they are tried.
    package enum Evidence: String, Sendable, CaseIterable {
        /// The agent started the process.
        case startedByAgent
        /// Its sandbox (Flatpak, Snap) identifies it.
        case sandbox
        /// It is the program of a shielded app under another name.
        case sameProgram
        /// The Wayland app id is a desktop-file id.
        case waylandAppID
        /// StartupWMClass equals the window's class.
        case startupClass
        /// StartupWMClass equals the window's instance up to its first space.
        case startupInstance
        /// StartupWMClass equals the window's class or instance, ignoring case.
        case startupClassAnyCase
        /// The desktop-file id equals the window's class, ignoring case.
        case desktopFileID
        /// The program in Exec is the running one, or the script that the running interpreter runs.
        case executableName
        /// The app's scope or service, which the desktop created, identifies it.
        case scope
        /// No desktop file matches: the program's own path.
        case executablePath
    }
}

/// The needed fields of one desktop file.
struct AppEntry: Sendable, Equatable {
    let id: String
    let name: String
    let startupClass: String?
    /// Base name of the program in Exec; nil if it is not specific to the app (a shell, a launcher).
    let program: String?
    /// Its path, if Exec contains one and not only a name.
    var programPath: String?
    let categories: [String]
    /// Name or path of the icon.
    var icon: String?
    /// Hidden from menus (NoDisplay): a helper that opens files, or a part of another app.
    var isHidden = false
}

extension AppEntry {
    /// Programs that run other programs: every app started through one would match the first of them.
    static let launchers: Set<String> = [
        "sh", "bash", "dash", "zsh", "env", "flatpak", "snap", "gtk-launch", "xdg-open", "pkexec", "sudo",
        "python", "python2", "python3", "perl", "ruby", "node", "java", "mono", "wine", "gjs", "gjs-console",
        "electron", "steam-runtime", "dbus-launch", "dbus-run-session", "nohup", "setsid",
    ]

    /// The program that an Exec command line starts, as a base name, without a preceding `env NAME=value`.
    static func program(ofCommand command: String) -> String? {
        programWord(ofCommand: command).map { ProcessFacts.baseName($0) }
    }

    /// The same as written: a name or a path.
    static func programWord(ofCommand command: String) -> String? {
        for (index, word) in words(command).enumerated() {
            let isEnvironment = index == 0 && ProcessFacts.baseName(word) == "env"
            if isEnvironment || word.contains("=") { continue }
            let name = ProcessFacts.baseName(word)
            return name.isEmpty || launchers.contains(name) ? nil : word
        }
        return nil
    }

    /// The words of a command, where `"` quotes spaces (Desktop Entry Specification, Exec key).
    private static func words(_ command: String) -> [String] {
        var result: [String] = [], word = "", isQuoted = false, isEscaped = false
        for character in command {
            if isEscaped { word.append(character); isEscaped = false; continue }
            switch character {
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case " " where !isQuoted:
                if !word.isEmpty { result.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        if !word.isEmpty { result.append(word) }
        return result
    }
}

extension AppEntry {
    /// A sandboxed app without a desktop file.
    init(sandboxed id: String) {
        self.init(id: id, name: id, startupClass: nil, program: nil, categories: [])
    }
}
