import Glibc

/// More of the machine than a budget has.
enum Resources {
    /// Asks for memory and does not use it.
    static func allocate(gigabytes: Int) {
        let memory = malloc(gigabytes << 30)
        print("allocate", memory == nil ? "refused" : "done")
        free(memory)
    }

    /// Uses every page of it, and keeps it until it is ended: it may have all that it gets before its host
    /// looks.
    static func touch(gigabytes: Int) {
        for _ in 0..<(gigabytes << 10) {
            guard let piece = malloc(1 << 20) else { break }
            memset(piece, 1, 1 << 20)
        }
        while true { pause() }
    }

    /// Writes until it may not, into its own directory.
    static func fillDisk() {
        let file = open(String(cString: getenv("HOME")) + "/large", O_WRONLY | O_CREAT, 0o600)
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        while write(file, piece, piece.count) == piece.count {}
        tell("disk", true)
    }

    static func flood(megabytes: Int) {
        let line = String(repeating: "x", count: 1_023)
        for _ in 0..<(megabytes << 10) { print(line) }
    }
}
