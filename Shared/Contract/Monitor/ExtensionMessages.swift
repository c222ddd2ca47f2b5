package import JSON
package import Units

/// Apple's extension points, by NSExtensionPointIdentifier or EXExtensionPointIdentifier.
package enum ExtensionPoint: String, NameEnum {
    case monitor = "com.apple.deviceactivity.monitor-extension"
    case shieldConfiguration = "com.apple.ManagedSettingsUI.shield-configuration-service"
    case shieldAction = "com.apple.ManagedSettings.shield-action-service"
    case report = "com.apple.deviceactivityui.report-extension"
}

/// What an extension program may take of the machine while it answers one callback.
@Record
package struct ExtensionBudget: Record {
    /// Memory of its own, without the files it maps.
    package var memoryBytes: Int64 = 0
    /// Time until a callback has returned.
    package var callback: Milliseconds = 0
    /// Processor time of one callback.
    package var processor: Milliseconds = 0
}

/// What a callback took.
@Record
package struct ExtensionMeasure: Record {
    /// Which request it answered.
    package var callback: String = ""
    /// From handing it over to its answer, without the start.
    package var took: Milliseconds = 0
    /// From starting the process until its program began; absent: it ran already.
    package var start: Milliseconds?
    /// Processor time of all its threads, rounded up.
    package var processor: Milliseconds?
    /// Most memory of its own at any moment, without the files it maps.
    package var memoryBytes: Int64?
}

/// An extension program went over its budget, and was ended.
@Event("extension.overBudget", of: .monitor)
package struct ExtensionOverBudget: EventData {
    /// Bundle id of the extension.
    package var id: String = ""
    /// Bundle id of the host app.
    package var client: String = ""
    /// Which part of the budget.
    package var what: What = .memory
    /// Bytes, milliseconds of time or processor, files or threads.
    package var limit: Int64 = 0
    /// In the same unit, when it was seen.
    package var measured: Int64 = 0
    /// The request that it was to answer.
    package var callback: String = ""

    /// Which part of the budget.
    package enum What: String, NameEnum { case memory, processor, time, disk, names, threads, locks }
}

/// An installed extension program, and how its process does.
@Record
package struct ExtensionRecord: Record {
    /// Its bundle id.
    package var id: String = ""
    /// Bundle id of the host app.
    package var client: String = ""
    /// What it is for.
    package var point: ExtensionPoint = .monitor
    /// Its bundle directory: a copy made when it was installed.
    package var path: String = ""
    /// Its program in it.
    package var executable: String = ""
    /// The bundle directory that was copied; absent: it is built in.
    package var source: String?
    /// SHA-256 of the copy, hexadecimal: of its files' names, modes and contents.
    package var hash: String?
    /// As a person reads it.
    package var name: String?
    /// Of Info.plist, with its module.
    package var principalClass: String?
    /// Of Info.plist, or the default.
    package var budget: ExtensionBudget?
    /// App groups its entitlements name.
    package var groups: [String]?
    /// True: its entitlements let it ask for names of apps and sites.
    package var dataAccess: Bool?
    /// True: it may run where bubblewrap does not work, confined by less.
    package var withoutBubblewrap: Bool?
    /// Whether a process runs now.
    package var running: Bool = false
    /// Of that process.
    package var pid: Int64?
    /// Why it last failed.
    package var lastError: String?
    /// The last callback that was measured.
    package var measured: ExtensionMeasure?
    /// How often its process was started since its host began.
    package var starts: Int64?
    /// How often in a row its process ended in a callback.
    package var failures: Int64?
    /// It is not started again before this instant.
    package var restart: Instant?
    /// What its process is confined by.
    package var confinement: [String]?
    /// What could not be applied on this machine, and what to do.
    package var unconfined: [String]?
}
