package import CPosix
import Glibc

/// How much is beneath a directory.
package struct TreeSize: Equatable, Sendable {
    /// Of each file the larger of its length and what it takes of the disk; one with several names counts
    /// once.
    package var bytes: Int64
    /// Entries of every kind.
    package var names: Int64
    /// Something lies deeper than was asked for, or cannot be read: there is more than is counted here.
    package var isMore = false

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
    /// Counts what is beneath, as it is in this moment; others may be changing it.
    /// - Parameters:
    ///   - limit: counting ends as soon as one of its figures is passed.
    ///   - depth: what lies in more directories within each other makes ``TreeSize/isMore``.
    package func size(upTo limit: TreeSize, depth: Int) -> TreeSize {
        var count = Count(limit: limit)
        count.add(self, depth: depth)
        return count.size
    }
}

private struct Count {
    let limit: TreeSize
    var size = TreeSize()
    /// Files with several names that were counted.
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
            // Exchanged or removed meanwhile: it is another entry's turn. What cannot be opened hides what is
            // in it.
            if error.code != ENOENT, error.code != ENOTDIR, error.code != ELOOP { size.isMore = true }
        }
    }
}

extension Directory {
    /// Removes what was made or changed since an instant, by the time of each entry's last change, which only
    /// the kernel sets, and directories that are empty then.
    /// - Parameters:
    ///   - depth: directories that are deeper go as a whole, whatever their age.
    ///   - removed: takes what goes as a whole; nobody else may write to it.
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
                if let moved = try removed.takeUp(name, from: self) { try removed.removeTree(moved) }
                continue
            }
            _ = fchmodat(descriptor, name.bytes, 0o700, AT_SYMLINK_NOFOLLOW)
            do throws(FileError) {
                try directory(name).removeChanged(since: instant, depth: depth - 1, through: removed)
            } catch {
                // Exchanged or removed meanwhile.
                if error.code != ENOENT, error.code != ENOTDIR, error.code != ELOOP { throw error }
            }
            // With something old in it it stays.
            if isNew { _ = unlinkat(descriptor, name.bytes, AT_REMOVEDIR) }
        }
    }
}
