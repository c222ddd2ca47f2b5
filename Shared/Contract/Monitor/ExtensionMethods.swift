package import JSON

/// Installs an extension program from its bundle directory; an invalid Info.plist is refused here instead of
/// at the first callback.
@Method("extension.install", of: .monitor, .write, for: .person)
package enum ExtensionInstall: Method {
    /// The bundle to copy and install.
    @Record("extension.install.params")
    package struct Params: Record {
        /// Absolute path of the bundle directory with Info.plist.
        package var path: String = ""
        /// Bundle id of the host app; default the extension's bundle id without its last component.
        package var client: String?
        /// True: it may also run where bubblewrap does not work, with weaker confinement.
        package var withoutBubblewrap: Bool?
    }

    /// The installed extension.
    @Record("extension.install.result")
    package struct Result: Record {
        /// As installed.
        @Field(name: "extension") package var program: ExtensionRecord = ExtensionRecord()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// Lists the installed extension programs.
@Method("extension.list", of: .monitor, .read, for: .person)
package enum ExtensionList: Method {
    /// No parameters.
    package typealias Params = Nothing

    /// The extensions with the state of their processes.
    @Record("extension.list.result")
    package struct Result: Record {
        /// Sorted by id.
        package var extensions: [ExtensionRecord] = []
    }
}

/// Removes an extension program and kills its process.
@Method("extension.remove", of: .monitor, .write, for: .person)
package enum ExtensionRemove: Method {
    /// The extension to remove.
    @Record("extension.remove.params")
    package struct Params: Record {
        /// Its bundle id.
        package var id: String = ""
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Runs one callback of a monitor extension now, outside of any schedule, in a separate process.
@Method("extension.run", of: .monitor, .write, for: .person)
package enum ExtensionRun: Method {
    /// The callback to run.
    @Record("extension.run.params")
    package struct Params: Record {
        /// Bundle id of the extension.
        package var id: String = ""
        /// The callback to run.
        package var callback: CallbackName = CallbackName.intervalDidStart
        /// Name of the activity to pass.
        package var activity: String = ""
        /// Name of the event to pass.
        package var event: String?
    }

    /// How the callback ended, and its output.
    @Record("extension.run.result")
    package struct Result: Record {
        /// Why it failed; absent: the callback returned.
        package var error: String?
        /// Resources it used.
        package var measured: ExtensionMeasure?
        /// The last lines it printed or logged.
        package var output: [String] = []
        /// The confinement of its process, one mechanism each.
        package var confinement: [String] = []
    }
}

/// Reports to monitor-runner the state of an extension that another service hosts.
@Method("extension.note", of: .monitor, .write, for: .person)
package enum ExtensionNote: Method {
    /// State of the extension's process.
    @Record("extension.note.params")
    package struct Params: Record {
        /// Its process state; fields that installation sets are ignored.
        package var state: ExtensionRecord = ExtensionRecord()
        /// Set when it was killed because it exceeded its budget.
        package var overBudget: ExtensionOverBudget?
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// An extension program was installed, or installed again.
@Event("extension.installed", of: .monitor)
package struct ExtensionInstalled: EventData {
    /// As installed.
    @Field(name: "extension") package var program: ExtensionRecord = ExtensionRecord()
}

/// An extension program was removed.
@Event("extension.removed", of: .monitor)
package struct ExtensionRemoved: EventData {
    /// Its bundle id.
    package var id: String = ""
    /// Bundle id of the host app.
    package var client: String = ""
    /// Its extension point.
    package var point: ExtensionPoint = .monitor
}
