import Contract
import ExtensionLink
import Glibc

/// A monitor extension that misbehaves as the activity's name says, at the first attempt of
/// `intervalDidStart`; later attempts return immediately. It prints what was refused: `<activity> <what>
/// <result>`, where the result is `done` or the name of errno.
@main struct UnrulyFixture: MonitorExtension {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "swap" { Swapping.begin(Array(arguments.dropFirst())) }
        if let principal = contents("Principal") { Talk.lie(about: principal) }
        ExtensionMain.run(UnrulyFixture())
    }

    func intervalDidStart(for activity: String, _ context: CallbackContext) throws {
        print("\(activity) attempt \(context.attempt)")
        fflush(nil)
        guard context.attempt == 1 else { return }
        if activity == "wordy" {
            let words = String(repeating: "x", count: 200_000)
            throw ServiceError(.internalError, words, remedy: words)
        }
        misbehave(activity)
        fflush(nil)
    }

    private func misbehave(_ activity: String) {
        switch activity {
        case "hang": while true { pause() }
        case "spin": while true {}
        case "abort": abort()
        // Encoded, more than a message may have; in a second, less than a program may print.
        case "chatter": for _ in 0..<30 { print(String(repeating: "\u{1}", count: 7_000)) }
        case "trap": preconditionFailure("asked to stop")
        case "garbage": Talk().garbage()
        case "endless": Talk().endless()
        case "requests": Talk().requests(1_000)
        case "eager": Talk().eager(12_000)
        case "large": Talk().large(6)
        case "talkative": Talk().talkative()
        case "close": Talk().closeAndLiveOn()
        case "allocate": Resources.allocate(gigabytes: 10)
        case "touch": Resources.touch(gigabytes: 10)
        case "disk": Resources.fillDisk()
        case "flood": Resources.flood(megabytes: 64)
        case "fork": Outside.fork(times: 1_000)
        case "network": Outside.network()
        case "files": Outside.files()
        case "signals": Outside.signals()
        case "processes": Outside.processes()
        case "descriptors": Outside.descriptors()
        case "modes": HostCalls.modes()
        case "owners": HostCalls.owners()
        case "times": HostCalls.times()
        case "attributes": HostCalls.attributes()
        case "truncation": HostCalls.truncation()
        case "neighbours": HostCalls.neighbours()
        case "messages": HostCalls.messages()
        case "rights": HostCalls.rights()
        case "threads": HostCalls.threads()
        case "channels": Channels.signals()
        case "own-tables": Channels.threadsOfTheirOwn()
        case "user-counts": Counts.ofTheUser()
        case "machine-counts": Counts.ofTheMachine()
        default: fill(activity)
        }
    }

    private func fill(_ activity: String) {
        let (home, temporary) = (String(cString: getenv("HOME")), String(cString: getenv("TMPDIR")))
        switch activity {
        case "bytes": Filling.bytes(home)
        case "names": Filling.names(home)
        case "depth": Filling.depth(home)
        case "nameless": Filling.nameless(home)
        case "temporary": Filling.names(temporary)
        case "spin-later": Filling.afterwards { while true {} }
        case "touch-later": Filling.afterwards { Resources.touch(gigabytes: 10) }
        case "fill-later": Filling.afterwards { Filling.bytes(home) }
        case "swap": Swapping.begin([home, home + "/../../../canary"])
        case "memory-files": Hoarding.memoryFiles()
        case "shared-memory": Hoarding.sharedMemory(-1)
        case "zero-device": Hoarding.sharedMemory(open("/dev/zero", O_RDWR))
        case "mapped-files": Hoarding.mappedFiles(home)
        case "passed-files": Hoarding.passedFiles(home)
        case "preallocation": Hoarding.preallocation(home)
        case "large-pipes": Hoarding.largePipes()
        case "many-threads": Hoarding.manyThreads()
        case "many-watches": Hoarding.manyWatches()
        case "many-mappings": Hoarding.manyMappings()
        case "many-locks": Hoarding.manyLocks(home)
        case "waits": Channels.waits(home)
        case "lawful-waits": Channels.lawfulWaits(home)
        case "without-leader": Channels.endLeader()
        case "temporary-memory": Hoarding.temporaryMemory(temporary)
        default: break
        }
    }
}

/// A small file of the bundle; nil if there is none.
private func contents(_ name: String) -> String? {
    let file = open(name, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    return String(decoding: bytes[..<max(0, read(file, &bytes, bytes.count))], as: UTF8.self)
}

/// One line of what happened.
func tell(_ what: String, _ failed: Bool) {
    let names = [
        EPERM: "EPERM", EACCES: "EACCES", ENOENT: "ENOENT", EROFS: "EROFS", ESRCH: "ESRCH", ENOSYS: "ENOSYS",
    ]
    let reason = errno
    print(what, failed ? names[reason] ?? "errno \(reason)" : "done")
}
