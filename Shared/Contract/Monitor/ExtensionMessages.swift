package import JSON
package import Units

/// Apple's extension points, by NSExtensionPointIdentifier or EXExtensionPointIdentifier.
package enum ExtensionPoint: String, NameEnum {
    case monitor = "com.apple.deviceactivity.monitor-extension"
    case shieldConfiguration = "com.apple.ManagedSettingsUI.shield-configuration-service"
    case shieldAction = "com.apple.ManagedSettings.shield-action-service"
    case report = "com.apple.deviceactivityui.report-extension"
}

/// Resources an extension program may use to answer one callback.
@Record
package struct ExtensionBudget: Record {
    /// Private memory in bytes, without mapped files.
    package var memoryBytes: Int64 = 0
    /// Time until a callback must have returned.
    package var callback: Milliseconds = 0
    /// Processor time for one callback.
    package var processor: Milliseconds = 0
}

/// Resources that one callback used.
@Record
package struct ExtensionMeasure: Record {
    /// Name of the request it answered.
    package var callback: String = ""
    /// Time from sending the request to its answer, without starting the process.
    package var took: Milliseconds = 0
    /// Time from starting the process until its program began; absent: it was running already.
    package var start: Milliseconds?
    /// Processor time of all its threads, rounded up to milliseconds.
    package var processor: Milliseconds?
    /// Peak private memory in bytes, without mapped files.
    package var memoryBytes: Int64?
}

/// An extension program exceeded its budget, and its process was killed.
@Event("extension.overBudget", of: .monitor)
package struct ExtensionOverBudget: EventData {
    /// Bundle id of the extension.
    package var id: String = ""
    /// Bundle id of the host app.
    package var client: String = ""
    /// The resource that was exceeded.
    package var what: What = .memory
    /// The limit, in the unit of the resource: bytes, milliseconds, files, locks or threads.
    package var limit: Int64 = 0
    /// The measured value in the same unit.
    package var measured: Int64 = 0
    /// The request it was answering.
    package var callback: String = ""

    /// A resource with a limit. `names`: files and directories in its group and container.
    package enum What: String, NameEnum { case memory, processor, time, disk, names, threads, locks }
}

/// An installed extension program and the state of its process.
@Record
package struct ExtensionRecord: Record {
    /// Its bundle id.
    package var id: String = ""
    /// Bundle id of the host app.
    package var client: String = ""
    /// Its extension point.
    package var point: ExtensionPoint = .monitor
    /// Its bundle directory: the copy made at installation.
    package var path: String = ""
    /// Path of its executable in the bundle directory.
    package var executable: String = ""
    /// The bundle directory that was copied; absent for a built-in extension.
    package var source: String?
    /// SHA-256 over names, modes and contents of the copy's files, hexadecimal.
    package var hash: String?
    /// Display name.
    package var name: String?
    /// NSExtensionPrincipalClass of Info.plist, with its module.
    package var principalClass: String?
    /// The budget of Info.plist, or the default.
    package var budget: ExtensionBudget?
    /// App groups named in its entitlements.
    package var groups: [String]?
    /// True: its entitlements allow it to ask for names of apps and sites.
    package var dataAccess: Bool?
    /// True: it may also run where bubblewrap does not work, with weaker confinement.
    package var withoutBubblewrap: Bool?
    /// Whether a process runs now.
    package var running: Bool = false
    /// Process id of that process.
    package var pid: Int64?
    /// Why it last failed.
    package var lastError: String?
    /// The last callback that was measured.
    package var measured: ExtensionMeasure?
    /// Number of process starts since its host started.
    package var starts: Int64?
    /// Number of consecutive times its process ended during a callback.
    package var failures: Int64?
    /// The process is not started again before this instant.
    package var restart: Instant?
    /// The confinement in effect for its process, one mechanism each.
    package var confinement: [String]?
    /// Confinement that this machine does not support, with a remedy, a sentence each.
    package var unconfined: [String]?
}
