import Contract

/// The processes that own windows, or owned some, with the apps of these windows. A shielded app may have
/// started another app (from a launcher), or share a process with it (parts of an office suite).
struct WindowOwners {
    private var apps: [ProcessIdentity: [String: AppIdentity]] = [:]

    mutating func note(_ app: AppIdentity, _ process: ProcessIdentity) {
        apps[process, default: [:]][app.id] = app
    }

    /// Forgets processes that have ended.
    mutating func dropEnded() {
        apps = apps.filter { ProcessIdentity(livingPid: $0.key.pid) == $0.key }
    }

    /// The processes that are other apps than `app`, although it may have started them.
    /// - Parameter isFree: whether an app was judged and is not shielded.
    func apart(from app: String, _ isFree: (AppIdentity) -> Bool) -> Set<ProcessIdentity> {
        Set(apps.filter { $0.value[app] == nil && $0.value.values.contains(where: isFree) }.keys)
    }
}

extension Window {
    /// Its living process; nil if it is unknown.
    var process: ProcessIdentity? { pid.flatMap { ProcessIdentity(livingPid: $0) } }
}
