import Contract
import ExtensionLink
import Glibc
import JSON
import NameHunter

/// A monitor extension that does what files in its own directory, its HOME, ask for:
/// - always: appends `<callback> <activity> <event> <attempt> <pid>` to `callbacks`;
/// - always: appends `<callback> <activity> <instant of the callback> <its own clock>` to `instants`;
/// - `gate` (a FIFO): waits until somebody has opened and closed it for writing;
/// - `counter`: when an event was reached, registers its activity again with a minute more;
/// - `crash`, `hang`, `garbage`, `throw`: does so; the same with `-once`: removes the file first;
/// - `shield`: shields the event's apps in the store `fixture`, and writes what it reads back to `answer`;
/// - `definition`: writes the event's definition, as it came, to `answer`;
/// - `claim`: the same as `shield`, with a `client` of its own choosing in the request;
/// - `hunt`: calls everything with the words in the file (NameHunter), and writes what came back to `answer`;
/// - `forbidden`: asks for what a host does not relay, and writes the error's name to `answer`.
@main struct MonitorFixture: MonitorExtension {
    static func main() {
        if let home = getenv("HOME") { chdir(home) }
        ExtensionMain.run(MonitorFixture())
    }

    func intervalDidStart(for activity: String, _ context: CallbackContext) throws {
        try act(.intervalDidStart, context)
    }
    func intervalWillStartWarning(for activity: String, _ context: CallbackContext) throws {
        try act(.intervalWillStartWarning, context)
    }
    func intervalWillEndWarning(for activity: String, _ context: CallbackContext) throws {
        try act(.intervalWillEndWarning, context)
    }
    func eventWillReachThresholdWarning(
        _ event: String, activity: String, _ context: CallbackContext
    ) throws {
        try act(.eventWillReachThresholdWarning, context)
    }
    func intervalDidEnd(for activity: String, _ context: CallbackContext) throws {
        try act(.intervalDidEnd, context)
    }
    func eventDidReachThreshold(_ event: String, activity: String, _ context: CallbackContext) throws {
        try act(.eventDidReachThreshold, context)
    }

    private func act(_ callback: CallbackName, _ context: CallbackContext) throws {
        let about = context.about
        let event = about.event ?? "-"
        append(
            "\(callback.rawValue) \(about.activity) \(event) \(context.attempt) \(getpid())\n", "callbacks")
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let nowMs = now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
        append("\(callback.rawValue) \(about.activity) \(about.at) \(nowMs)\n", "instants")
        let gate = open("gate", O_RDONLY)
        var byte: UInt8 = 0
        while gate >= 0, read(gate, &byte, 1) > 0 {}
        if gate >= 0 { close(gate) }
        if asked("counter") { try registerNextMinute(context) }
        if asked("crash") { abort() }
        if asked("hang") { while true { pause() } }
        if asked("throw") { throw ServiceError(.conflict, "asked to throw", remedy: "none") }
        if asked("garbage") { writeGarbage() }
        if asked("definition"), let definition = about.definition {
            append(String(decoding: definition.encoded(), as: UTF8.self) + "\n", "answer")
        }
        if asked("shield") { try shield(context) }
        if access("hunt", F_OK) == 0 { hunt(context) }
        if asked("claim") { try claim(event, context) }
        if asked("forbidden") {
            do { _ = try context.host.call(ExtensionList.self, Nothing()) } catch let error
                as ServiceError
            {
                append(error.name.rawValue + "\n", "answer")
            }
        }
    }

    private func asked(_ name: String) -> Bool {
        unlink("\(name)-once") == 0 || access(name, F_OK) == 0
    }

    private func registerNextMinute(_ context: CallbackContext) throws {
        guard var event = context.about.definition, let minute = event.threshold.minute else { return }
        event.threshold.minute = minute + 1
        let known = try context.host.monitored(member: nil).first {
            $0.activity.name == context.about.activity
        }
        guard var activity = known?.activity else { return }
        activity.events = [event]
        try context.host.startMonitoring([activity], member: nil)
    }

    private func shield(_ context: CallbackContext) throws {
        let apps = (context.about.definition?.applications ?? []).map { JSONValue.string($0) }
        try context.host.writeSettings(
            [Setting(key: "shield.applications", value: .array(apps))], store: "fixture", member: nil)
        let store = try context.host.readSettings(store: "fixture", member: nil)
        append("\(store.client) \(store.settings.count)\n", "answer")
    }

    private func hunt(_ context: CallbackContext) {
        guard let file = fopen("hunt", "r") else { return }
        defer { fclose(file) }
        var words: [String] = []
        while let line = readLine(file) { words.append(line) }
        var hunter = NameHunter(words: words) { method, params in
            do { return try context.host.call(method, params).bytes } catch {
                // Only refusals are thrown.
                return (error as? ServiceError).map { ErrorObject($0).encoded() } ?? []
            }
        }
        hunter.hunt()
        append(hunter.seen.joined(separator: "\n") + "\n", "answer")
    }

    private func readLine(_ file: UnsafeMutablePointer<FILE>) -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        let count = getline(&line, &capacity, file)
        guard count > 0, let line else { return nil }
        return String(cString: line).split(separator: "\n").first.map(String.init)
    }

    /// By hand, because the kit has no method for it.
    private func claim(_ event: String, _ context: CallbackContext) throws {
        ask(claim(#""client":"org.example.victim","#))
        ask(claim(""))
    }

    /// - Parameter more: parameters that the method does not have.
    private func claim(_ more: String) -> String {
        """
        {"jsonrpc":"2.0","id":999,"method":"settings.write","client":"org.example.victim","params":\
        {"store":"claimed",\(more)"settings":[{"key":"siri.denySiri","value":true}]}}
        """
    }

    private func ask(_ request: String) {
        send(Wire.frame(Array(request.utf8)))
        var length = [UInt8](repeating: 0, count: 4)
        let descriptor = Int32(String(cString: getenv(Wire.descriptorKey))) ?? -1
        _ = read(descriptor, &length, 4)
        var answer = [UInt8](repeating: 0, count: length.reduce(0) { $0 << 8 | Int($1) })
        _ = read(descriptor, &answer, answer.count)
        append(String(decoding: answer, as: UTF8.self) + "\n", "answer")
    }

    private func writeGarbage() {
        send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        while true { pause() }
    }

    private func send(_ bytes: [UInt8]) {
        let descriptor = Int32(String(cString: getenv(Wire.descriptorKey))) ?? -1
        _ = write(descriptor, bytes, bytes.count)
    }

    private func append(_ text: String, _ name: String) {
        let file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let bytes = Array(text.utf8)
        _ = write(file, bytes, bytes.count)
        close(file)
    }
}
