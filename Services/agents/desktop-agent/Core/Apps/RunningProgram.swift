import Contract
import Glibc

/// The program that a process runs: its executable or, if that is a dynamic loader (`ld.so ./game`), the
/// program that it loaded.
struct RunningProgram: Equatable {
    /// As the process sees it, without the suffix of a deleted file.
    let path: String
    /// A path that can be opened even if the file was deleted or is in another mount namespace.
    let openPath: String

    /// Nil for exited processes, kernel threads and other users' processes.
    init?(pid: Int32) {
        guard let path = ProcessFacts.executablePath(pid) else { return nil }
        let openPath = "/proc/\(pid)/exe"
        if ExecutableFormat.isLoader(openPath), let loaded = Self.loaded(by: pid, loader: path) {
            self = loaded
        } else {
            (self.path, self.openPath) = (path, openPath)
        }
    }

    /// The script that an interpreter runs: of its first arguments, the one that names a file with `#!`. Nil
    /// if there is none: what it runs otherwise (a module, an archive, its input) is not known by a name.
    init?(scriptOf pid: Int32) {
        let mark = [UInt8(ascii: "#"), UInt8(ascii: "!")]
        let named = Self.arguments(of: pid).first {
            ProgramFile(path: $0) != nil && ProcFile.bytes($0, limit: 2) == mark
        }
        guard let named, let real = ProcFile.realPath(named) else { return nil }
        (path, openPath) = (real, named)
    }

    private init(path: String, openPath: String) { (self.path, self.openPath) = (path, openPath) }

    /// Bytes read of `/proc/PID/maps`: some thousand lines.
    private static let mapsBytesMax = 1 << 20

    /// Of the files mapped as code, the one that the command line names, otherwise the first that is not
    /// named like a library. A program can change its command line, but not its mappings.
    private static func loaded(by pid: Int32, loader: String) -> RunningProgram? {
        let maps = ProcFile.bytes("/proc/\(pid)/maps", limit: mapsBytesMax) ?? []
        var mapped: [RunningProgram] = []
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            // proc(5): address, permissions, offset, device, inode, path.
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6, fields[1].contains("x"), fields[4] != "0" else { continue }
            let path = fields[5].drop { $0 == " " }
            let program = RunningProgram(path: String(path), openPath: "/proc/\(pid)/root\(path)")
            guard path.hasPrefix("/"), program.path != loader, !mapped.contains(program) else { continue }
            mapped.append(program)
        }
        let named = arguments(of: pid).lazy.compactMap { ProgramFile(path: $0) }.compactMap { file in
            mapped.first { ProgramFile(path: $0.openPath) == file }
        }
        return named.first ?? mapped.first { !ProcessFacts.baseName($0.path).includes(".so") }
    }

    /// The first arguments of a loader or an interpreter, as paths.
    private static func arguments(of pid: Int32) -> [String] {
        let words = (ProcFile.bytes("/proc/\(pid)/cmdline") ?? []).split(separator: 0).dropFirst().prefix(16)
        return words.map { word in
            let text = String(decoding: word, as: UTF8.self)
            return text.hasPrefix("/") ? "/proc/\(pid)/root\(text)" : "/proc/\(pid)/cwd/\(text)"
        }
    }
}

/// Reads the program headers of an executable (elf(5)).
enum ExecutableFormat {
    /// Whether it is a dynamic loader, whatever its name: it is dynamic and needs no loader. A static
    /// position-independent program looks the same, but maps no other code.
    static func isLoader(_ path: String) -> Bool {
        guard let types = segmentTypes(path) else { return false }
        return types.contains(UInt32(PT_DYNAMIC)) && !types.contains(UInt32(PT_INTERP))
    }

    private static func segmentTypes(_ path: String) -> Set<UInt32>? {
        guard let bytes = ProcFile.bytes(path, limit: 4_096), bytes.count >= 64,
            bytes.starts(with: [0x7f, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F")])
        else { return nil }
        let is64 = bytes[4] == 2
        func number<T: FixedWidthInteger>(_ offset: Int, _: T.Type) -> Int? {
            guard offset >= 0, offset + MemoryLayout<T>.size <= bytes.count else { return nil }
            return bytes.withUnsafeBytes {
                Int(exactly: $0.loadUnaligned(fromByteOffset: offset, as: T.self))
            }
        }
        guard let begin = is64 ? number(32, UInt64.self) : number(28, UInt32.self),
            let size = number(is64 ? 54 : 42, UInt16.self), let count = number(is64 ? 56 : 44, UInt16.self),
            begin < bytes.count
        else { return nil }
        return Set((0..<count).compactMap { number(begin + $0 * size, UInt32.self).map { UInt32($0) } })
    }
}
