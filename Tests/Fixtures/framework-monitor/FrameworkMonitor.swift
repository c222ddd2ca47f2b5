import DeviceActivity
import ManagedSettings

/// Written as for iOS. What it does follows from the activity's name; what it saw is in its output, a line
/// each.
class FrameworkMonitor: DeviceActivityMonitor {
    let center = DeviceActivityCenter()
    let store = ManagedSettingsStore()
    let lock = NSLock()

    override init() {
        super.init()
        say("made on the main thread: \(Thread.isMainThread)")
    }

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        say("intervalDidStart \(activity.rawValue)")
        switch activity.rawValue {
        case "stop": stopUnderLock(activity)
        case "chain": startAnother()
        case "again": registerAgain(activity)
        case "crowd": writeFromEverywhere()
        case "pool": callFromThePool()
        case "main": callOnTheMainQueue()
        case "week": shield()
        case "wrong": tryWhatIsWrong()
        case "files": keepFiles()
        default: break
        }
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        lock.lock()
        defer { lock.unlock() }
        say("intervalDidEnd \(activity.rawValue)")
        let interval = center.schedule(for: activity)?.nextInterval
        if let interval { say("interval \(seconds(interval.start)) \(seconds(interval.end))") }
        if activity.rawValue == "week" { store.clearAllSettings() }
    }

    override func intervalWillStartWarning(for activity: DeviceActivityName) {
        super.intervalWillStartWarning(for: activity)
        say("intervalWillStartWarning \(activity.rawValue)")
    }

    override func intervalWillEndWarning(for activity: DeviceActivityName) {
        super.intervalWillEndWarning(for: activity)
        say("intervalWillEndWarning \(activity.rawValue)")
    }

    override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
        super.eventDidReachThreshold(event, activity: activity)
        say("eventDidReachThreshold \(activity.rawValue) \(event.rawValue) \(seconds(Date()))")
        store.media.maximumMovieRating = 100
    }

    override func eventWillReachThresholdWarning(
        _ event: DeviceActivityEvent.Name, activity: DeviceActivityName
    ) {
        super.eventWillReachThresholdWarning(event, activity: activity)
        say("eventWillReachThresholdWarning \(activity.rawValue) \(event.rawValue)")
    }

    // MARK: what iOS code does

    /// The end of the interval takes the same lock: stopping must not wait for it.
    private func stopUnderLock(_ activity: DeviceActivityName) {
        lock.lock()
        center.stopMonitoring([activity])
        say("stopped, left \(center.activities.map(\.rawValue))")
        lock.unlock()
    }

    private func startAnother() {
        let schedule = DeviceActivitySchedule(
            intervalStart: DateComponents(hour: 0, minute: 0),
            intervalEnd: DateComponents(hour: 23, minute: 59), repeats: true,
            warningTime: DateComponents(minute: 1))
        let events: [DeviceActivityEvent.Name: DeviceActivityEvent] = [
            .minute: DeviceActivityEvent(threshold: DateComponents(minute: 1))
        ]
        do {
            try center.startMonitoring(.other, during: schedule, events: events)
        } catch {
            say("refused: \(error)")
        }
        say("kept \(center.schedule(for: .other) == schedule) \(center.events(for: .other) == events)")
    }

    /// Another content each time: only the rule ends it.
    private func registerAgain(_ activity: DeviceActivityName) {
        let count = (store.appStore.maximumRating ?? 0) + 1
        store.appStore.maximumRating = count
        let schedule = DeviceActivitySchedule(
            intervalStart: DateComponents(hour: 0), intervalEnd: DateComponents(hour: 0), repeats: true)
        let event = DeviceActivityEvent(threshold: DateComponents(minute: count))
        do {
            try center.startMonitoring(activity, during: schedule, events: [.minute: event])
        } catch {
            say("refused: \(error)")
        }
    }

    /// Threads, tasks and an actor at once, each with a store object of its own.
    private func writeFromEverywhere() {
        store.application.blockedApplications = []
        let group = DispatchGroup()
        DispatchQueue.concurrentPerform(iterations: 8) { number in blockInStore("thread\(number)") }
        let writer = Writer()
        for number in 0..<8 {
            group.enter()
            Task {
                await writer.block("actor\(number)")
                group.leave()
            }
            group.enter()
            Task.detached {
                blockInStore("task\(number)")
                group.leave()
            }
        }
        group.wait()
        say("blocked \(store.application.blockedApplications?.count ?? -1)")
    }

    /// More blocking calls than the pool has threads.
    private func callFromThePool() {
        let group = DispatchGroup()
        for _ in 0..<100 {
            group.enter()
            Task {
                _ = DeviceActivityCenter().activities
                group.leave()
            }
        }
        group.wait()
        say("100 answered")
    }

    /// Every way to write a file that Foundation has, each twice: the second time there is one already.
    private func keepFiles() {
        let files = FileManager.default
        let home = URL(fileURLWithPath: NSHomeDirectory())
        let file = home.appendingPathComponent("file")
        let data = Data("words".utf8)
        let ways: [(String, () throws -> Void)] = [
            ("write", { try data.write(to: file) }),
            ("write atomically", { try data.write(to: file, options: .atomic) }),
            ("write a string", { try "words".write(to: file, atomically: true, encoding: .utf8) }),
            ("write the old way", { try (data as NSData).write(to: file, options: .atomic) }),
            ("append", {
                let handle = try FileHandle(forWritingTo: file)
                try handle.seekToEnd()
                try handle.write(contentsOf: data)
                try handle.close()
            }),
            ("copy and move", {
                try files.copyItem(at: file, to: home.appendingPathComponent("copy"))
                try files.removeItem(at: file)
                try files.moveItem(at: home.appendingPathComponent("copy"), to: file)
            }),
            ("protect", { try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path) }),
            ("read", { if try Data(contentsOf: file) != data + data { say("other bytes") } }),
        ]
        for (name, way) in ways + ways {
            do { try way() } catch { say("\(name): \(error)") }
        }
        say("files kept")
    }

    private func callOnTheMainQueue() {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.main.async {
            ManagedSettingsStore(named: .init("main")).siri.denySiri = true
            done.signal()
        }
        done.wait()
        say("main queue: \(ManagedSettingsStore(named: .init("main")).siri.denySiri == true)")
    }

    private func shield() {
        store.shield.applicationCategories = .all()
        store.shield.webDomainCategories = ShieldSettings.ActivityCategoryPolicy.all(except: [])
    }

    private func tryWhatIsWrong() {
        store.media.maximumMovieRating = 300
        store.media.maximumMovieRating = 1001
        say("rating \(store.media.maximumMovieRating ?? -1)")
        let schedule = DeviceActivitySchedule(
            intervalStart: DateComponents(hour: 25), intervalEnd: DateComponents(hour: 26), repeats: true)
        do {
            try center.startMonitoring(.other, during: schedule)
        } catch DeviceActivityCenter.MonitoringError.invalidDateComponents {
            say("invalid date components")
        } catch {
            say("another error: \(error)")
        }
    }
}

actor Writer {
    func block(_ name: String) { blockInStore(name) }
}

func blockInStore(_ name: String) {
    ManagedSettingsStore().application.blockedApplications?.insert(Application(bundleIdentifier: name))
}

extension DeviceActivityName {
    static let other = Self("other")
}

extension DeviceActivityEvent.Name {
    static let minute = Self("minute")
}

func say(_ line: String) { print(line) }

func seconds(_ date: Date) -> Int { Int(date.timeIntervalSince1970) }
