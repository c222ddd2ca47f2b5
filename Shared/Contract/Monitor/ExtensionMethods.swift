package import JSON

/// Registers an extension program from its bundle directory; a wrong Info.plist is refused here, not at
/// midnight.
@Method("extension.install", of: .monitor, .write, for: .person)
package enum ExtensionInstall: Method {
    @Record("extension.install.params")
    package struct Params: Record {
        /// Absolute path of the bundle directory with Info.plist.
        package var path: String = ""
        /// Bundle id of the host app; absent: its own bundle id without the last part.
        package var client: String?
        /// True: it may run where bubblewrap does not work, confined by less.
        package var withoutBubblewrap: Bool?
    }

    @Record("extension.install.result")
    package struct Result: Record {
        /// As installed.
        @Field(name: "extension") package var program: ExtensionRecord = ExtensionRecord()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// The installed extension programs.
@Method("extension.list", of: .monitor, .read, for: .person)
package enum ExtensionList: Method {
    package typealias Params = Nothing

    @Record("extension.list.result")
    package struct Result: Record {
        /// Sorted by id.
        package var extensions: [ExtensionRecord] = []
    }
}

/// Forgets an extension program and ends its process.
@Method("extension.remove", of: .monitor, .write, for: .person)
package enum ExtensionRemove: Method {
    @Record("extension.remove.params")
    package struct Params: Record {
        /// Its bundle id.
        package var id: String = ""
    }
    package typealias Result = Written
}

/// Runs one callback of a monitor extension now, outside of any schedule, in a process of its own.
@Method("extension.run", of: .monitor, .write, for: .person)
package enum ExtensionRun: Method {
    @Record("extension.run.params")
    package struct Params: Record {
        /// Bundle id of the extension.
        package var id: String = ""
        /// Which one.
        package var callback: CallbackName = CallbackName.intervalDidStart
        /// Name of the activity it is told.
        package var activity: String = ""
        /// Name of the event it is told.
        package var event: String?
    }

    @Record("extension.run.result")
    package struct Result: Record {
        /// Why it failed; absent: the callback returned.
        package var error: String?
        /// What it took.
        package var measured: ExtensionMeasure?
        /// The last lines it printed or logged.
        package var output: [String] = []
        /// What its process was confined by.
        package var confinement: [String] = []
    }
}

/// Tells the owner how an extension does that another service hosts.
@Method("extension.note", of: .monitor, .write, for: .person)
package enum ExtensionNote: Method {
    @Record("extension.note.params")
    package struct Params: Record {
        /// As it runs now; what it was installed with is not taken.
        package var state: ExtensionRecord = ExtensionRecord()
        /// When it was ended because of its budget.
        package var overBudget: ExtensionOverBudget?
    }
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
    /// What it was for.
    package var point: ExtensionPoint = .monitor
}
