package import JSON

/// Apple's extension points, by NSExtensionPointIdentifier or EXExtensionPointIdentifier.
package enum ExtensionPoint: String, NameEnum {
    case monitor = "com.apple.deviceactivity.monitor-extension"
    case shieldConfiguration = "com.apple.ManagedSettingsUI.shield-configuration-service"
    case shieldAction = "com.apple.ManagedSettings.shield-action-service"
    case report = "com.apple.deviceactivityui.report-extension"
}

/// What an extension program may take of the machine while it answers one callback.
package struct ExtensionBudget: Record {
    package var memoryBytes: Int64 = 0
    package var callbackMs: Int64 = 0
    package var processorMs: Int64 = 0

    package init() {}
    package init(memoryBytes: Int64, callbackMs: Int64, processorMs: Int64) {
        self.memoryBytes = memoryBytes
        self.callbackMs = callbackMs
        self.processorMs = processorMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("memory_bytes", &memoryBytes, "Memory of its own, without the files it maps.")
        try visitor.field("callback_ms", &callbackMs, "Time until a callback has returned.")
        try visitor.field("processor_ms", &processorMs, "Processor time of one callback.")
    }
}

/// What a callback took.
package struct ExtensionMeasure: Record {
    package var callback = ""
    package var tookMs: Int64 = 0
    package var startMs: Int64?
    package var processorMs: Int64?
    package var memoryBytes: Int64?

    package init() {}
    package init(
        callback: String = "", tookMs: Int64 = 0, startMs: Int64? = nil, processorMs: Int64? = nil,
        memoryBytes: Int64? = nil
    ) {
        self.callback = callback
        self.tookMs = tookMs
        self.startMs = startMs
        self.processorMs = processorMs
        self.memoryBytes = memoryBytes
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("callback", &callback, "Which request it answered.")
        try visitor.field("took_ms", &tookMs, "From handing it over to its answer, without the start.")
        try visitor.field(
            "start_ms", &startMs,
            "From starting the process until its program began; absent: it ran already.")
        try visitor.field("processor_ms", &processorMs, "Processor time of all its threads, rounded up.")
        try visitor.field(
            "memory_bytes", &memoryBytes, "Most memory of its own at any moment, without the files it maps.")
    }
}

/// An extension program went over its budget, and was ended.
package struct ExtensionOverBudget: EventData {
    /// Which part of the budget.
    package enum What: String, NameEnum { case memory, processor, time, disk, names, threads, locks }

    package static let type = "extension.overBudget"
    package static let owner = ServiceName.monitor
    package static let summary = "An extension program went over its budget, and was ended."
    package var id = ""
    package var client = ""
    package var what: What = .memory
    package var limit: Int64 = 0
    package var measured: Int64 = 0
    package var callback = ""

    package init() {}
    package init(
        id: String = "", client: String = "", what: What = .memory, limit: Int64 = 0,
        measured: Int64 = 0, callback: String = ""
    ) {
        self.id = id
        self.client = client
        self.what = what
        self.limit = limit
        self.measured = measured
        self.callback = callback
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "Bundle id of the extension.")
        try visitor.field("client", &client, "Bundle id of the host app.")
        try visitor.field("what", &what, "Which part of the budget.")
        try visitor.field("limit", &limit, "Bytes, milliseconds of time or processor, files or threads.")
        try visitor.field("measured", &measured, "In the same unit, when it was seen.")
        try visitor.field("callback", &callback, "The request that it was to answer.")
    }
}

/// An installed extension program, and how its process does.
package struct ExtensionRecord: Record {
    package var id = ""
    package var client = ""
    package var point: ExtensionPoint = .monitor
    package var path = ""
    package var executable = ""
    package var source: String?
    package var hash: String?
    package var name: String?
    package var principalClass: String?
    package var budget: ExtensionBudget?
    package var groups: [String]?
    package var dataAccess: Bool?
    package var withoutBubblewrap: Bool?
    package var running = false
    package var pid: Int64?
    package var lastError: String?
    package var measured: ExtensionMeasure?
    package var starts: Int64?
    package var failures: Int64?
    package var restartMs: Int64?
    package var confinement: [String]?
    package var unconfined: [String]?

    package init() {}
    package init(
        id: String = "", client: String = "", point: ExtensionPoint = .monitor, path: String = "",
        executable: String = "", running: Bool = false, pid: Int64? = nil, lastError: String? = nil
    ) {
        self.id = id
        self.client = client
        self.point = point
        self.path = path
        self.executable = executable
        self.running = running
        self.pid = pid
        self.lastError = lastError
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "Its bundle id.")
        try visitor.field("client", &client, "Bundle id of the host app.")
        try visitor.field("point", &point, "What it is for.")
        try visitor.field("path", &path, "Its bundle directory: a copy made when it was installed.")
        try visitor.field("executable", &executable, "Its program in it.")
        try visitor.field("source", &source, "The bundle directory that was copied; absent: it is built in.")
        try visitor.field(
            "hash", &hash, "SHA-256 of the copy, hexadecimal: of its files' names, modes and contents.")
        try visitor.field("name", &name, "As a person reads it.")
        try visitor.field("principal_class", &principalClass, "Of Info.plist, with its module.")
        try visitor.field("budget", &budget, "Of Info.plist, or the default.")
        try visitor.field("groups", &groups, "App groups its entitlements name.")
        try visitor.field(
            "data_access", &dataAccess, "True: its entitlements let it ask for names of apps and sites.")
        try visitor.field(
            "without_bubblewrap", &withoutBubblewrap,
            "True: it may run where bubblewrap does not work, confined by less.")
        try visitor.field("running", &running, "Whether a process runs now.")
        try visitor.field("pid", &pid, "Of that process.")
        try visitor.field("last_error", &lastError, "Why it last failed.")
        try visitor.field("measured", &measured, "The last callback that was measured.")
        try visitor.field("starts", &starts, "How often its process was started since its host began.")
        try visitor.field("failures", &failures, "How often in a row its process ended in a callback.")
        try visitor.field("restart_ms", &restartMs, "It is not started again before this instant.")
        try visitor.field("confinement", &confinement, "What its process is confined by.")
        try visitor.field(
            "unconfined", &unconfined, "What could not be applied on this machine, and what to do.")
    }
}
