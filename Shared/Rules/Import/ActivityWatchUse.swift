import Contract
import JSON

/// Computes use from the buckets of an export, machine by machine.
struct ActivityWatchUse {
    private struct Machine {
        var windows: [String: [TimeRange]] = [:]
        /// Nil if there is no watcher of presence.
        var present: [TimeRange]?
        /// Pages by watcher.
        var pages: [String: [String: [TimeRange]]] = [:]
    }

    private let buffer: UnsafeBufferPointer<UInt8>
    private var machines: [String: Machine] = [:]
    private var counts = ImportCounts()

    init(
        _ document: ActivityWatch.Document, _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImportError) {
        self.buffer = buffer
        let hosts = Set(document.buckets.values.filter { $0.type == "currentwindow" }.map(Self.host))
        let presence = document.buckets.values.filter { $0.type == "afkstatus" }
        let watched = hosts.union(presence.map(Self.host))
        for (id, bucket) in document.buckets.sorted(by: { $0.key < $1.key }) {
            // Watchers in browsers do not always know the name of their machine.
            let isStray = bucket.type == "web.tab.current" && !watched.contains(Self.host(bucket))
            let host = isStray && hosts.count == 1 ? hosts.first ?? "" : Self.host(bucket)
            try take(bucket, id, host)
        }
    }

    private static func host(_ bucket: ActivityWatch.Bucket) -> String { bucket.hostname ?? "" }

    private mutating func take(
        _ bucket: ActivityWatch.Bucket, _ id: String, _ host: String
    ) throws(ImportError) {
        let events = bucket.events ?? []
        counts.rows += events.count
        switch bucket.type {
        case "currentwindow":
            for event in events { try takeWindow(event, id, host) }
        case "afkstatus":
            if machines[host]?.present == nil { machines[host, default: Machine()].present = [] }
            for event in events { try takePresence(event, id, host) }
        case "web.tab.current":
            for event in events { try takePage(event, id, host) }
        default: counts.skipped["of type \(bucket.type)", default: 0] += events.count
        }
    }

    private mutating func takeWindow(
        _ event: ActivityWatch.Event, _ id: String, _ host: String
    ) throws(ImportError) {
        guard let app = event.content.data.app, !app.isEmpty else {
            throw wrong(.emptyName, event, id, "data.app", "the name of an app", "nothing")
        }
        try ImportName.checkSubject(app, "name of an app", line: line(event), column: "\(id): data.app")
        guard let range = try range(event, id) else { return }
        machines[host, default: Machine()].windows[app, default: []].append(range)
    }

    private mutating func takePresence(
        _ event: ActivityWatch.Event, _ id: String, _ host: String
    ) throws(ImportError) {
        let range = try range(event, id)
        switch event.content.data.status {
        case "not-afk":
            if let range { machines[host, default: Machine()].present?.append(range) }
        case "afk": break
        default:
            throw wrong(
                .notAnExport, event, id, "data.status", "afk or not-afk",
                event.content.data.status ?? "nothing")
        }
    }

    private mutating func takePage(
        _ event: ActivityWatch.Event, _ id: String, _ host: String
    ) throws(ImportError) {
        guard let url = event.content.data.url else {
            throw wrong(.emptyName, event, id, "data.url", "the address of a page", "nothing")
        }
        guard let range = try range(event, id) else { return }
        guard let name = WebAddress.host(of: url) else {
            counts.skipped["pages without a host", default: 0] += 1
            return
        }
        try ImportName.check(name, "host", line: line(event), column: "\(id): data.url")
        machines[host, default: Machine()].pages[id, default: [:]][name, default: []].append(range)
    }

    /// Nil if it is shorter than a millisecond.
    private mutating func range(
        _ event: ActivityWatch.Event, _ id: String
    ) throws(ImportError) -> TimeRange? {
        let content = event.content
        guard let start_us = InstantText.microseconds(content.timestamp) else {
            throw wrong(
                .notAnInstant, event, id, "timestamp", "an instant such as 2024-05-01T10:00:00.5+00:00",
                content.timestamp)
        }
        let duration_us = (content.duration * 1e6).rounded()
        guard duration_us >= 0, duration_us <= Double(latestStamp.milliseconds) * 1e3 else {
            throw wrong(
                .outOfRange, event, id, "duration", "seconds, 0 or more", "\(content.duration)")
        }
        let range = TimeRange(
            start: InstantText.rounded(start_us),
            end: InstantText.rounded(start_us + Int64(duration_us)))
        if range == nil { counts.skipped["shorter than a millisecond", default: 0] += 1 }
        return range
    }

    private func wrong(
        _ problem: ImportError.Problem, _ event: ActivityWatch.Event, _ id: String, _ field: String,
        _ expected: String, _ found: String
    ) -> ImportError {
        ImportError(problem, line: line(event), column: "\(id): \(field)", expected: expected, found: found)
    }

    private func line(_ event: ActivityWatch.Event) -> Int { ImportError.line(of: event.offset, in: buffer) }

    // MARK: the file

    var file: ImportedFile {
        let devices = machines.sorted { $0.key < $1.key }.map { host, machine in
            ImportedDevice(name: host.isEmpty ? nil : host, changes: Self.changes(machine))
        }
        return ImportedFile(devices: devices, counts: counts)
    }

    private static func changes(_ machine: Machine) -> [UsageChange] {
        let present = machine.present.map { IntervalSet($0) }
        func used(_ ranges: [TimeRange]) -> IntervalSet {
            let all = IntervalSet(ranges)
            return present.map { all.intersection($0) } ?? all
        }
        let windows = machine.windows.mapValues(used)
        var uses: [Subject: IntervalSet] = [:]
        for (app, time) in windows { uses[.app(app)] = time }
        for (watcher, pages) in machine.pages {
            let browser = Self.windows(ofBrowserOf: watcher, among: windows)
            for (host, ranges) in pages {
                let time = browser.map { used(ranges).intersection($0) } ?? used(ranges)
                uses[.domain(host), default: IntervalSet()] = time.union(uses[.domain(host)] ?? IntervalSet())
            }
        }
        return ClosedUse.changes(DeviceUse(device: "", uses: uses))
    }

    /// When the browser of a watcher was in the foreground. The bucket is called `aw-watcher-web-BROWSER` or
    /// `aw-watcher-web-BROWSER_HOST`. Nil if no window matches.
    private static func windows(
        ofBrowserOf watcher: String, among windows: [String: IntervalSet]
    ) -> IntervalSet? {
        let prefix = "aw-watcher-web-"
        guard watcher.hasPrefix(prefix) else { return nil }
        let browser = watcher.dropFirst(prefix.count).prefix { $0 != "_" }.lowercased()
        let names = browser == "chrome" ? ["chrome", "chromium"] : [browser]
        let own = windows.filter { window in names.contains { window.key.lowercased().includes($0) } }
        return own.isEmpty || browser.isEmpty ? nil : IntervalSet.union(of: own.values)
    }
}

/// Extracts the host of a web page's URL.
enum WebAddress {
    /// The host in the spelling of ``DomainName/host(_:)``, without port and user; nil for a URL without a
    /// host or of another scheme.
    static func host(of url: String) -> String? {
        let lower = url.lowercased()
        for scheme in ["http://", "https://"] where lower.hasPrefix(scheme) {
            let authority = lower.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
            let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            let host: Substring
            if place.hasPrefix("[") {
                host = place.dropFirst().prefix { $0 != "]" }
            } else {
                host = place.prefix { $0 != ":" }
            }
            return DomainName.host(host)
        }
        return nil
    }
}
