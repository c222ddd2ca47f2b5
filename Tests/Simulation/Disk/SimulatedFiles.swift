import Glibc
package import Store

/// A simulated disk as one life of a process has it; see ``SimulatedDisk/files(of:)``.
///
/// Unchecked, because the processes of a simulation and their disk are used by one thread.
package struct SimulatedFiles: StoreFiles, @unchecked Sendable {
    private let process: SimulatedProcess

    init(_ process: SimulatedProcess) { self.process = process }

    /// Whether this life ended.
    package var isDead: Bool { process.isDead }

    package var vfsName: String? { process.vfsName }

    /// Directories need no entry of their own.
    package func makeDirectory(of path: String) throws(StoreError) {}

    package func bytes(of path: String) throws(StoreError) -> Int64? {
        do throws(DiskError) { return try process.examine(path).map(Int64.init) } catch {
            throw StoreError(error, tried: "examining \(path)")
        }
    }

    package func open(_ path: String, _ access: FileAccessMode) throws(StoreError) -> (any OpenFile)? {
        do throws(DiskError) {
            return try process.open(path).map { SimulatedOpenFile(path, $0, of: process) }
        } catch {
            throw StoreError(error, tried: "opening \(path)")
        }
    }

    package func create(_ path: String) throws(StoreError) -> any OpenFile {
        do throws(DiskError) { return SimulatedOpenFile(path, try process.create(path), of: process) } catch {
            throw StoreError(error, tried: "creating \(path)")
        }
    }

    package func lock(_ path: String, of storePath: String) throws(StoreError) -> any OpenFile {
        let file: DiskFile
        let permit: SimulatedProcess.Permit
        do throws(DiskError) {
            file = if let found = try process.open(path) { found } else { try process.create(path) }
            permit = try process.begin(.lock, path)
        } catch {
            throw StoreError(error, tried: "locking \(path)")
        }
        if let holder = file.lockHolder, !holder.process.isDead {
            throw StoreError(
                .locked, message: "opening \(storePath): process \(holder.process.owner) owns it")
        }
        let opened = SimulatedOpenFile(path, file, of: process)
        file.lockHolder = opened
        do throws(DiskError) { try process.finish(permit) } catch {
            throw StoreError(error, tried: "locking \(path)")
        }
        return opened
    }

    package func rename(_ path: String, to name: String) throws(StoreError) {
        do throws(DiskError) { try process.rename(path, to: name) } catch {
            throw StoreError(error, tried: "naming \(name)")
        }
    }

    package func remove(_ path: String) throws(StoreError) {
        do throws(DiskError) { _ = try process.remove(path) } catch {
            throw StoreError(error, tried: "removing \(path)")
        }
    }

    package func syncDirectory(of path: String) throws(StoreError) {
        do throws(DiskError) { try process.syncDirectory(of: path) } catch {
            throw StoreError(error, tried: "syncing the directory of \(path)")
        }
    }
}

/// A file that a process opened without SQLite. It holds the file's flock(2), if it took it, until it is
/// gone.
final class SimulatedOpenFile: OpenFile {
    let path: String
    let process: SimulatedProcess
    private let file: DiskFile

    init(_ path: String, _ file: DiskFile, of process: SimulatedProcess) {
        self.path = path
        self.file = file
        self.process = process
    }

    func read(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        do throws(DiskError) {
            var bytes = [UInt8](repeating: 0, count: count)
            let filled = bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(DiskError) in try process.read(file, path, into: buffer, at: offset) }
            }
            bytes.removeLast(count - (try filled.get()))
            return bytes
        } catch {
            throw StoreError(error, tried: "reading \(path)")
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        do throws(DiskError) {
            try bytes.withUnsafeBytes { content in
                Result { () throws(DiskError) in try process.write(content, to: file, path, at: offset) }
            }.get()
        } catch {
            throw StoreError(error, tried: "writing \(path)")
        }
    }

    func sync() throws(StoreError) {
        do throws(DiskError) { try process.sync(file, path) } catch {
            throw StoreError(error, tried: "syncing \(path)")
        }
    }
}

extension StoreError {
    fileprivate init(_ error: DiskError, tried: String) {
        self.init(
            error.code == ENOSPC ? .full : .io, message: "\(tried): \(String(cString: strerror(error.code)))")
    }
}
