package import Store

/// What can be said about a whole disk: for the comparison of two runs, and for the report of a failed seed.
extension SimulatedDisk {
    /// A hash of all names and contents, both as processes see them and as they survive a power cut. The same
    /// in any process and on any machine.
    package var digest: UInt64 {
        var digest = Digest()
        for (path, file, durable) in directory.all {
            digest.add(Array(path.utf8))
            digest.add(file?.bytes)
            digest.add(file?.durable)
            digest.add(durable === file ? nil : durable?.durable)
        }
        return digest.value
    }

    /// The files as processes see them, by path.
    package var content: [String: [UInt8]] { directory.files.mapValues(\.bytes) }

    /// A disk with the same content, names and unsynced writes, and the same clock and random numbers. No
    /// process has anything open on it, and it has no plan of faults.
    package func copy() -> SimulatedDisk {
        let copy = SimulatedDisk(now: now, random: random.draw)
        copy.directory = directory.copy()
        return copy
    }

    /// Writes the files as processes see them to an existing directory of the machine, each by the last part
    /// of its path. `sqlite3` opens the result.
    /// - Throws: `.io` if one exists; `.full`.
    package func save(to directory: String) throws(StoreError) {
        for (path, bytes) in content.sorted(by: { $0.key < $1.key }) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            try DiskFiles().create("\(directory)/\(name)").write(bytes, at: 0)
        }
    }

    /// FNV-1a, over words of eight bytes.
    private struct Digest {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325

        /// Nil and an empty array differ.
        mutating func add(_ bytes: [UInt8]?) {
            add(word: bytes.map { UInt64($0.count) + 1 } ?? 0)
            bytes?.withUnsafeBytes { bytes in
                let whole = bytes.count & ~7
                for offset in stride(from: 0, to: whole, by: 8) {
                    let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    add(word: UInt64(littleEndian: word))
                }
                for byte in bytes[whole...] { add(word: UInt64(byte)) }
            }
        }

        private mutating func add(word: UInt64) {
            value = (value ^ word) &* 0x0000_0100_0000_01b3
            value ^= value >> 32
        }
    }
}
