package import Contract
package import JSON

/// The native export: JSON Lines with one observation of the contract per line, with `device` and
/// `device_model` added. A line may also contain the parameters of one `usage.observe`.
package enum ObservationLines {
    /// One line of an export.
    package struct Line: Record {
        /// The observation; its fields are members of the line's object.
        package var observation = Observation()
        /// Name of the device.
        package var device: String?
        /// For example linux or android.
        package var deviceModel: String?

        package init() {}
        package init(_ observation: Observation, device: String?, deviceModel: String?) {
            self.observation = observation
            self.device = device
            self.deviceModel = deviceModel
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try observation.fields(&visitor)
            try visitor.field("device", &device, "Name of the device.")
            try visitor.field("device_model", &deviceModel, "linux, android, and so on.")
        }
    }

    /// Parses a whole file; throws if anything in it is invalid. Blank lines are skipped.
    static func parse(_ bytes: [UInt8]) throws(ImportError) -> ImportedFile {
        guard !bytes.isEmpty else {
            throw ImportError(
                .emptyFile, line: 1, expected: "an observation on each line",
                found: "an empty file (0 bytes)")
        }
        var collection = Collection()
        var number = 0
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            number += 1
            let text = bytes[start..<end]
            start = end + 1
            guard text.contains(where: { $0 > 0x20 }) else { continue }
            try collection.take(Array(text), number)
        }
        return collection.file
    }

    private struct Collection {
        private var devices: [String?: ImportedDevice] = [:]
        private var known: [String?: Set<UsageChange>] = [:]
        private var counts = ImportCounts()

        mutating func take(_ text: [UInt8], _ number: Int) throws(ImportError) {
            do {
                let line = try Line.decode(text)
                try add(line.observation, device: line.device, model: line.deviceModel, number)
            } catch let error as JSONError {
                guard error.code == .missingField, let batch = Self.batch(text) else {
                    throw ImportError(
                        .notAnObservation, line: number, column: error.path.isEmpty ? nil : error.path,
                        expected: "an observation", found: error.detail)
                }
                for observation in batch.observations {
                    try add(observation, device: batch.device, model: batch.deviceModel, number)
                }
            } catch let error as ImportError {
                throw error
            } catch { preconditionFailure("reading a line throws nothing else: \(error)") }
        }

        private static func batch(_ text: [UInt8]) -> UsageObserve.Params? {
            do { return try UsageObserve.Params.decode(text) } catch { return nil }
        }

        private mutating func add(
            _ given: Observation, device name: String?, model: String?, _ number: Int
        ) throws(ImportError) {
            counts.rows += 1
            try check(given, number)
            let observation = given.withCanonicalDomain
            let change: UsageChange
            do { change = try UsageChange(observation) } catch {
                throw ImportError(
                    .notAnObservation, line: number, expected: "a complete observation",
                    found: "one without \(error.missing)")
            }
            var device = devices[name] ?? ImportedDevice(name: name, changes: [])
            devices[name] = nil
            device.model = model ?? device.model
            if let app = given.app {
                if let name = given.appName { device.apps[app, default: ImportedApp()].name = name }
                if let categories = given.appCategories {
                    device.apps[app, default: ImportedApp()].categories = categories
                }
            }
            if known[name, default: []].insert(change).inserted {
                device.changes.append(change)
            } else {
                counts.repeated += 1
            }
            devices[name] = device
        }

        private func check(_ observation: Observation, _ number: Int) throws(ImportError) {
            guard (0...latestStamp).contains(observation.at) else {
                throw ImportError(
                    .outOfRange, line: number, column: "at_ms",
                    expected: "a whole number from 0 to \(latestStamp)", found: "\(observation.at)")
            }
            if let elapsed = observation.boottime, !(0...latestStamp.sinceEpoch).contains(elapsed) {
                throw ImportError(
                    .outOfRange, line: number, column: "boottime_ms",
                    expected: "a whole number from 0 to \(latestStamp)", found: "\(elapsed)")
            }
            let named = [("app", observation.app), ("boot_id", observation.bootID)]
            for (column, name) in named where name == "" {
                throw ImportError(
                    .outOfRange, line: number, column: column,
                    expected: "a name, or no \(column)", found: "an empty one")
            }
            for (column, name) in [("app", observation.app), ("domain", observation.domain)] {
                try ImportName.checkSubject(name ?? "", column, line: number, column: column)
            }
            for (column, name) in [
                ("boot_id", observation.bootID), ("app_name", observation.appName),
            ] + (observation.appCategories ?? []).map({ ("app_categories", $0) }) {
                try ImportName.check(name ?? "", column, line: number, column: column)
            }
        }

        var file: ImportedFile {
            let sorted = devices.values.sorted { $0.name ?? "" < $1.name ?? "" }.map { device in
                var sorted = device
                sorted.changes.sort()
                return sorted
            }
            return ImportedFile(devices: sorted, counts: counts)
        }
    }
}
