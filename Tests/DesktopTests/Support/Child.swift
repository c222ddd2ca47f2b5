import CPosix
import Glibc
import ScreenTimeTesting
import Units

/// A program that a test started: ended and collected with its owner.
final class Child {
    let pid: Int32
    private var status: Int32?

    struct CannotStart: Error { let program: String, code: Int32 }

    /// - Parameters:
    ///   - descriptors: the child's number for each of our descriptors that it gets.
    init(
        _ arguments: [String], environment: [String: String] = [:], descriptors: [Int32: Int32] = [:]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for number in [1, 2] as [Int32] where descriptors[number] == nil {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
        }
        for (theirs, ours) in descriptors { posix_spawn_file_actions_adddup2(&actions, ours, theirs) }
        // The test runner may ignore or block signals; its children must not inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        variables.merge(environment) { $1 }
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var started: pid_t = 0
        let code = posix_spawnp(&started, arguments[0], &actions, &attributes, &argv, &envp)
        guard code == 0 else { throw CannotStart(program: arguments[0], code: code) }
        pid = started
    }

    /// Waits for the end and returns the exit status, 128 + signal when a signal ended it.
    @discardableResult func wait() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        while waitpid(pid, &raw, 0) < 0 && errno == EINTR {}
        let result = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
        status = result
        return result
    }

    func end() {
        guard status == nil else { return }
        kill(pid, SIGKILL)
        wait()
    }

    deinit { end() }
}

/// A directory of its own for one test, removed with its owner.
final class ScratchDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/desktop-test.XXXXXX\0".utf8CString)
        guard mkdtemp(&template) != nil else { throw Child.CannotStart(program: "mkdtemp", code: errno) }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // The directory is the test's own; a rest that cannot be removed fails nothing.
        _ = try? Child(["rm", "-rf", path]).wait()
    }

    func write(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o755)
        guard descriptor >= 0 else { throw Child.CannotStart(program: file, code: errno) }
        defer { close(descriptor) }
        _ = Glibc.write(descriptor, text, text.utf8.count)
        return file
    }
}

/// The size of a file; 0 if it does not exist.
func fileSize(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// All bytes of a file.
func fileText(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { result += buffer[..<count] }
    return String(decoding: result, as: UTF8.self)
}

func now_ms() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
}

struct NotInTime: Error, CustomStringConvertible {
    let description: String

    init(_ what: String, _ limit_ms: Double) { description = "\(what) did not come within \(limit_ms) ms" }
}

func awaitFile(_ path: String) throws {
    _ = try eventually("file \(path)") { access(path, F_OK) == 0 ? true : nil }
}

/// Asks again and again, with growing pauses, until `value` is there. The deadline only fails.
func eventually<Value>(
    _ what: String, within limit_ms: Double = 120_000, _ value: () throws -> Value?
) throws -> Value {
    let start = now_ms()
    var looks = Looks()
    while now_ms() - start < limit_ms {
        if let found = try value() { return found }
        poll(nil, 0, Int32(looks.next().count))
    }
    throw NotInTime(what, limit_ms)
}
