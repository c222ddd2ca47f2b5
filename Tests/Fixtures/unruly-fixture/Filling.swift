import Dispatch
import ExtensionLink
import Glibc

/// More files than a container may have, each within what one file may be; until it is ended.
enum Filling {
    private static func open(_ path: String) -> Int32 { Glibc.open(path, O_WRONLY | O_CREAT, 0o600) }

    /// Many files of 16 MiB.
    static func bytes(_ directory: String) {
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        for number in 0... {
            let file = open("\(directory)/\(number)")
            for _ in 0..<16 where write(file, piece, piece.count) < 0 { return tell("bytes", true) }
            close(file)
        }
    }

    /// Many empty files, with names that are not UTF-8.
    static func names(_ directory: String) {
        for number in 0... {
            let name = Array("\(directory)/\(number)".utf8CString.dropLast()) + [-1, -2, 0]
            let file = Glibc.open(name, O_WRONLY | O_CREAT, 0o600)
            if file < 0 { return tell("names", true) }
            close(file)
        }
    }

    /// Directories within each other, beyond what a path can name.
    static func depth(_ directory: String) {
        chdir(directory)
        while mkdir("deep", 0o700) == 0, chdir("deep") == 0 {}
        tell("depth", true)
    }

    /// Files that are open and have no name.
    static func nameless(_ directory: String) {
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        while true {
            let file = open(directory + "/nameless")
            unlink(directory + "/nameless")
            for _ in 0..<16 where write(file, piece, piece.count) < 0 { return tell("nameless", true) }
        }
    }

    /// What a program does on a thread of its own after its callback returned.
    static func afterwards(_ body: @escaping @Sendable () -> Void) {
        let journal = Int32(String(cString: getenv(Wire.journalKey))) ?? -1
        let before = contents(journal)
        DispatchQueue.global().async {
            // A callback that returned is in the journal before the host hears of it.
            while contents(journal) == before { sched_yield() }
            body()
        }
    }

    private static func contents(_ journal: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Wire.journalBytes)
        pread(journal, &bytes, bytes.count, 0)
        return bytes
    }
}
