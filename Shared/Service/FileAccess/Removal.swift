import Glibc

extension Directory {
    /// Names that are read at once.
    private static let batch = 1_024
    /// How often a directory is emptied that does not get empty.
    private static let passesMax = 1_000

    /// Deletes an entry and everything beneath it, whatever it is called, however deep it is and whatever
    /// modes it has. Directories in it are first moved up into this one, under names of their own; so nobody
    /// else may write to this one. Who still changes the tree beneath can delay this, and lead it nowhere
    /// else.
    package func removeTree(_ name: EntryName) throws(FileError) {
        var waiting = [name]
        var passes = 0
        while let next = waiting.popLast() {
            if try remove(next) { continue }
            do throws(FileError) { waiting += try empty(try opening(next)) } catch {
                // Somebody else removes the same.
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

    /// A directory in it that can be listed and changed, also when its mode forbade that.
    private func opening(_ name: EntryName) throws(FileError) -> Directory {
        // Where this fails, what follows says why.
        _ = fchmodat(descriptor, name.bytes, 0o700, AT_SYMLINK_NOFOLLOW)
        return try directory(name)
    }

    /// Removes what is in another directory, but for directories with something in them: these move here.
    private func empty(_ other: consuming Directory) throws(FileError) -> [EntryName] {
        var moved: [EntryName] = []
        while true {
            let names = try other.entries(max: Self.batch)
            if names.isEmpty { return moved }
            for name in names {
                if try other.remove(name) { continue }
                if unlinkat(other.descriptor, name.bytes, AT_REMOVEDIR) == 0 { continue }
                if let name = try takeUp(name, from: other) { moved.append(name) }
            }
        }
    }

    /// nil: it is gone.
    func takeUp(_ name: EntryName, from other: borrowing Directory) throws(FileError) -> EntryName? {
        do throws(FileError) { return try moveAside(name, from: other) } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Moves an entry of another directory here, under a name that nothing has.
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
                // Who is not root can move a directory elsewhere only when it is writable itself.
                guard error.code == EACCES, !wasMadeWritable else { throw error }
                wasMadeWritable = true
                _ = fchmodat(other.descriptor, name.bytes, 0o700, AT_SYMLINK_NOFOLLOW)
            }
        }
    }
}
