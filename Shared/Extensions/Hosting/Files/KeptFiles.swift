package import Contract
internal import FileAccess
import Glibc

/// Counts and deletes all files of the extensions of an app.
extension HostFiles {
    /// Number of files and directories in the containers of these extensions and in these app groups.
    package func countKept(_ extensions: [String], groups names: [String]) throws(ServiceError) -> Int64 {
        var count: Int64 = 0
        try eachKept(extensions, names) { (place: borrowing Directory) throws(FileError) in
            count += place.size(upTo: MeasuredPlace.group, depth: HostingLimits.treeDepthMax).names
        }
        return count
    }

    /// Deletes everything in them; the directories themselves stay.
    package func emptyKept(_ extensions: [String], groups names: [String]) throws(ServiceError) {
        try eachKept(extensions, names) { (place: borrowing Directory) throws(FileError) in
            for name in try place.entries() { try place.removeTree(name) }
        }
    }

    private func eachKept(
        _ extensions: [String], _ names: [String], _ body: (borrowing Directory) throws(FileError) -> Void
    ) throws(ServiceError) {
        let places = extensions.map { (containers, $0) } + names.map { (groups, $0) }
        for (parent, name) in places {
            let entry = try Self.entry(name)
            try stored { () throws(FileError) in
                do throws(FileError) { try body(try Directory(path: parent).directory(entry)) } catch {
                    // It never stored anything.
                    if error.code != ENOENT { throw error }
                }
            }
        }
    }
}
