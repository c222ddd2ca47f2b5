import CPosix
import Loop
import ServiceKit

/// Keeps frozen apps frozen: what other programs continue is stopped again, processes within
/// `AgentLimits.standstill` and a few milliseconds, groups immediately. It never wakes up while nothing is
/// frozen.
@LoopActor final class StoppedProcessMonitor {
    private let cgroups: CgroupTree
    private let log: Log
    private let continued: @LoopActor (ShieldedApp, Int) -> Void
    private var apps: [ShieldedApp] = []
    private var timer: TimerToken?
    private var watch: (groups: PathWatch, token: Reactor.Token)?

    /// - Parameter continued: called with the app and the number of its processes and groups that ran and
    ///   were stopped again; processes that they created meanwhile, and those that somebody else had stopped
    ///   before, are not stopped yet.
    init(
        _ cgroups: CgroupTree, log: Log, continued: @escaping @LoopActor (ShieldedApp, Int) -> Void
    ) {
        self.cgroups = cgroups
        self.log = log
        self.continued = continued
    }

    /// Sets the frozen apps.
    func set(_ apps: [ShieldedApp]) {
        self.apps = apps
        let groups = Set(apps.flatMap(\.standstill.groups))
        if watch == nil, !groups.isEmpty { startWatch() }
        // "A value change" in it "generates a file modified event" (the kernel's cgroup-v2.rst).
        watch?.groups.set(Set(groups.compactMap { cgroups.path(of: $0, "cgroup.events") }))
        let areProcesses = apps.contains {
            !$0.standstill.stopped.isEmpty || !$0.standstill.stoppedBefore.isEmpty
        }
        let needsSamples = areProcesses || watch == nil && !groups.isEmpty
        if !needsSamples { stopTimer() } else if timer == nil { startTimer() }
    }

    func close() {
        apps = []
        stopTimer()
        if let watch { Reactor.shared.forget(watch.token) }
        watch = nil
    }

    private func startWatch() {
        guard let groups = PathWatch(IN_MODIFY) else {
            return log.warnOnce(
                "inotify", "no inotify instance is left; frozen groups are sampled",
                [("limit", .text("fs.inotify.max_user_instances"))])
        }
        let token = Reactor.shared.watch(descriptor: groups.fileDescriptor) { [weak self] in
            self?.watch?.groups.drain()
            self?.sample(processes: false)
        }
        watch = (groups, token)
    }

    private func startTimer() {
        timer = EventLoop.main.after(AgentLimits.standstill) { [weak self] in
            guard let self else { return }
            startTimer()
            sample(processes: true)
        }
    }

    private func stopTimer() {
        if let timer { EventLoop.main.cancel(timer) }
        timer = nil
    }

    private func sample(processes: Bool) {
        for app in apps {
            var count = app.standstill.renewGroups(cgroups).count
            if processes { count += app.standstill.renewProcesses().count + app.standstill.takeContinued() }
            if count > 0 { continued(app, count) }
        }
    }
}
