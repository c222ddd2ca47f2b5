/// Which app a window or process belongs to.
package struct AppIdentity: Sendable, Equatable {
    /// The desktop-file id without `.desktop`, for example `org.gnome.Maps`; else `exe:` and the path.
    package let id: String
    /// The name to show, in the person's language; the program's base name when there is no desktop file.
    package let name: String
    /// The categories of the desktop file, for example `Game`, `Network` (freedesktop menu specification).
    package let categories: [String]
    /// What told it.
    package let resolvedBy: Evidence
    /// The path of the program now running; nil when it could not be read. Class and app id are the
    /// program's own words; this is not, so a rule may ask for both.
    package let executablePath: String?

    /// True when only what its window says of itself tells which app it is.
    var isNamedByWindow: Bool {
        switch resolvedBy {
        case .waylandAppID, .startupClass, .startupInstance, .startupClassAnyCase, .desktopFileID: true
        case .sandbox, .sameProgram, .executableName, .scope, .executablePath: false
        }
    }

    /// In the order in which they are tried.
    package enum Evidence: String, Sendable, CaseIterable {
        /// Its sandbox (Flatpak, Snap) names it.
        case sandbox
        /// It is the program of a shielded app, under another name.
        case sameProgram
        /// The Wayland app id is a desktop-file id.
        case waylandAppID
        /// StartupWMClass is the window's class.
        case startupClass
        /// StartupWMClass is the window's instance up to its first blank.
        case startupInstance
        /// StartupWMClass is the window's class or instance but for the case.
        case startupClassAnyCase
        /// The desktop-file id is the window's class, whatever the case.
        case desktopFileID
        /// The program named in Exec is the one that runs.
        case executableName
        /// The app's scope or service, made by the desktop, names it.
        case scope
        /// No desktop file fits: the program's own path.
        case executablePath
    }
}

/// What is kept of one desktop file.
struct AppEntry: Sendable, Equatable {
    let id: String
    let name: String
    let startupClass: String?
    /// Base name of the program in Exec; nil when that says nothing about the app (a shell, a launcher).
    let program: String?
    /// Its path, where Exec has one and not only a name.
    var programPath: String?
    let categories: [String]
    /// Name or path of the icon.
    var icon: String?
    /// Not for menus (NoDisplay): a helper that opens files, a part of another app.
    var isHidden = false
}

extension AppEntry {
    /// Programs that run other programs: every app started through one would look like the first of them.
    static let launchers: Set<String> = [
        "sh", "bash", "dash", "zsh", "env", "flatpak", "snap", "gtk-launch", "xdg-open", "pkexec", "sudo",
        "python", "python2", "python3", "perl", "ruby", "node", "java", "mono", "wine", "gjs", "gjs-console",
        "electron", "steam-runtime", "dbus-launch", "dbus-run-session", "nohup", "setsid",
    ]

    /// The program that a command line of Exec starts, as a base name, without `env NAME=value` before it.
    static func program(ofCommand command: String) -> String? {
        programWord(ofCommand: command).map { ProcessFacts.baseName($0) }
    }

    /// The same as it stands there: a name or a path.
    static func programWord(ofCommand command: String) -> String? {
        for (index, word) in words(command).enumerated() {
            let isEnvironment = index == 0 && ProcessFacts.baseName(word) == "env"
            if isEnvironment || word.contains("=") { continue }
            let name = ProcessFacts.baseName(word)
            return name.isEmpty || launchers.contains(name) ? nil : word
        }
        return nil
    }

    /// The words of a command, where `"` keeps blanks together (Desktop Entry Specification, Exec key).
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
    /// A sandboxed app whose desktop file is not there.
    init(sandboxed id: String) {
        self.init(id: id, name: id, startupClass: nil, program: nil, categories: [])
    }
}
