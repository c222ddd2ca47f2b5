package import CPosix
import Glibc

/// The size of everything beneath a directory.
package struct TreeSize: Equatable, Sendable {
    /// For each file the larger of its length and its allocated blocks. A file with several names counts
    /// once.
    package var bytes: Int64
    /// Number of entries of all kinds.
    package var names: Int64
    /// True if something is deeper than the limit or cannot be read, so that the real size is larger.
    package var isMore = false

    /// A size or a limit.
    package init(bytes: Int64 = 0, names: Int64 = 0) {
        self.bytes = bytes
        self.names = names
    }

    package static func + (first: TreeSize, second: TreeSize) -> TreeSize {
        var sum = TreeSize(bytes: first.bytes + second.bytes, names: first.names + second.names)
        sum.isMore = first.isMore || second.isMore
        return sum
    }
}

extension Directory {
    /// Measures what is beneath this directory at this moment; other processes may be changing it.
    /// - Parameters:
    ///   - limit: counting stops as soon as one of its numbers is exceeded.
    ///   - depth: levels of directories that are counted; anything deeper sets ``TreeSize/isMore``.
    package func size(upTo limit: TreeSize, depth: Int) -> TreeSize {
        var count = Count(limit: limit)
        count.add(self, depth: depth)
        return count.size
    }
}

private struct Count {
    let limit: TreeSize
    var size = TreeSize()
    /// Inodes of files with several names that are counted.
    private var known: Set<UInt64> = []

    init(limit: TreeSize) { self.limit = limit }

    private var isOver: Bool { size.isMore || size.bytes > limit.bytes || size.names > limit.names }

    mutating func add(_ directory: borrowing Directory, depth: Int) {
        let names: [EntryName]
        do throws(FileError) { names = try directory.entries(max: Int(limit.names) + 1) } catch {
            size.isMore = true
            return
        }
        for name in names {
            if isOver { return }
            add(name, in: directory, depth: depth)
        }
    }

    private mutating func add(_ name: EntryName, in directory: borrowing Directory, depth: Int) {
        do throws(FileError) {
            guard let status = try directory.status(name) else { return }
            size.names += 1
            if status.st_nlink > 1, status.st_mode & S_IFMT != S_IFDIR {
                guard known.insert(UInt64(status.st_ino)).inserted else { return }
            }
            // The kernel counts blocks of 512 bytes.
            size.bytes += max(Int64(status.st_size), Int64(status.st_blocks) * 512)
            guard status.st_mode & S_IFMT == S_IFDIR else { return }
            guard depth > 1 else {
                size.isMore = true
                return
            }
            add(try directory.directory(name), depth: depth - 1)
        } catch {
            // The entry was exchanged or removed meanwhile. Any other error hides its contents.
            if error.code != ENOENT, error.code != ENOTDIR, error.code != ELOOP { size.isMore = true }
        }
    }
}

extension Directory {
    /// Removes entries whose last change (ctime, which only the kernel sets) is not before `instant`, and
    /// directories that are empty afterwards.
    /// - Parameters:
    ///   - depth: deeper directories are removed as a whole, whatever their age.
    ///   - removed: a directory that receives what is removed as a whole; nobody else may write to it.
    package func removeChanged(
        since instant: timespec, depth: Int, through removed: borrowing Directory
    ) throws(FileError) {
        for name in try entries() {
            guard let status = try status(name) else { continue }
            let change = status.st_ctim
            let isNew =
                (change.tv_sec, change.tv_nsec) >= (instant.tv_sec, instant.tv_nsec)
            guard status.st_mode & S_IFMT == S_IFDIR else {
                if isNew { _ = try remove(name) }
                continue
            }
            guard depth > 1 else {
                if let moved = try removed.moveAsideIfPresent(name, from: self) {
                    try removed.removeTree(moved)
                }
                continue
            }
            _ = fchmodat(descriptor, name.bytes, 0o700, AT_SYMLINK_NOFOLLOW)
            do throws(FileError) {
                try directory(name).removeChanged(since: instant, depth: depth - 1, through: removed)
            } catch {
                // The entry was exchanged or removed meanwhile.
                if error.code != ENOENT, error.code != ENOTDIR, error.code != ELOOP { throw error }
            }
            // A directory with an older entry stays.
            if isNew { _ = unlinkat(descriptor, name.bytes, AT_REMOVEDIR) }
        }
    }
}
