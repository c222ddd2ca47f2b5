import Glibc

extension Directory {
    /// Number of names read at a time.
    private static let batch = 1_024
    /// Limit of passes over a directory that does not become empty.
    private static let passesMax = 1_000

    /// Deletes an entry and everything beneath it, whatever its name, depth or modes. Subdirectories are
    /// first moved up into this directory under new names, so nobody else may write to it. A process that
    /// changes the tree meanwhile can delay the deletion, but cannot redirect it.
    package func removeTree(_ name: EntryName) throws(FileError) {
        var waiting = [name]
        var passes = 0
        while let next = waiting.popLast() {
            if try remove(next) { continue }
            do throws(FileError) { waiting += try empty(try opening(next)) } catch {
                // Another process removed it, too.
                if error.code == ENOENT { continue }
                throw error
            }
            if unlinkat(descriptor, next.bytes, AT_REMOVEDIR) == 0 || errno == ENOENT { continue }
            passes += 1
            guard errno == ENOTEMPTY || errno == EEXIST, passes < Self.passesMax else {
                throw FileError("removing the directory", next.text)
            }
            waiting.append(next)
        }
    }

    /// Opens a subdirectory for listing and changing, even if its mode forbids that.
    private func opening(_ name: EntryName) throws(FileError) -> Directory {
        // If this fails, the next call reports why.
        _ = fchmodat(descriptor, name.bytes, 0o700, AT_SYMLINK_NOFOLLOW)
        return try directory(name)
    }

    /// Removes the entries of `other`. Subdirectories that are not empty are moved here and returned.
    private func empty(_ other: consuming Directory) throws(FileError) -> [EntryName] {
        var moved: [EntryName] = []
        while true {
            let names = try other.entries(max: Self.batch)
            if names.isEmpty { return moved }
            for name in names {
                if try other.remove(name) { continue }
                if unlinkat(other.descriptor, name.bytes, AT_REMOVEDIR) == 0 { continue }
                if let name = try moveAsideIfPresent(name, from: other) { moved.append(name) }
            }
        }
    }

    /// As ``moveAside(_:from:)``, but nil if the entry no longer exists.
    func moveAsideIfPresent(
        _ name: EntryName, from other: borrowing Directory
    ) throws(FileError) -> EntryName? {
        do throws(FileError) { return try moveAside(name, from: other) } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Moves an entry of `other` here, under an unused name.
    package func moveAside(
        _ name: EntryName, from other: borrowing Directory
    ) throws(FileError) -> EntryName {
        var wasMadeWritable = false
        while true {
            let fresh = EntryName.fresh()
            do throws(FileError) {
                try other.rename(name, to: fresh, in: self)
                return fresh
            } catch {
                if error.code == EEXIST { continue }
                // Without root, a directory can be moved only if it is itself writable.
                guard error.code == EACCES, !wasMadeWritable else { throw error }
                wasMadeWritable = true
                _ = fchmodat(other.descriptor, name.bytes, 0o700, AT_SYMLINK_NOFOLLOW)
            }
        }
    }
}
