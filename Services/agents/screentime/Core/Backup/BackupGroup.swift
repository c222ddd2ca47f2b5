import CommandKit
import Contract
import Glibc
import Hosting
import JSON

/// What a backup has of one app group: the person's own rules, which an app of the system keeps there.
@Record
struct BackupGroup: Record, Equatable {
    /// Of the group.
    var name: String = ""
    /// Files in it.
    var files: Int64 = 0
    /// Bytes of them.
    var bytes: Int64 = 0
    /// The sum over them, hexadecimal.
    var sum: String = ""

    init(name: String, _ contents: GroupCopy.Contents) {
        self.name = name
        (files, bytes, sum) = (contents.files, contents.bytes, contents.sum)
    }

    /// Where the groups are, in the state directory and in a backup.
    static func folder(in directory: String) -> String { "\(directory)/groups" }

    /// Copies the groups that have a file. This takes long: it is not for the thread of the sockets.
    /// - Parameter directory: of the backup; where no group has a file, nothing is made in it.
    static func copyAll(
        from stateDirectory: String, to directory: String
    ) throws(CommandError) -> [BackupGroup] {
        let (source, target) = (folder(in: stateDirectory), folder(in: directory))
        do throws(ServiceError) {
            var groups: [BackupGroup] = []
            for name in try GroupCopy.ofSystem(in: source) {
                guard try GroupCopy.copy(name, from: source, to: nil).files > 0 else { continue }
                guard !groups.isEmpty || mkdir(target, 0o700) == 0 else {
                    throw ServiceError(
                        errno == ENOSPC ? .storageFull : .storageFailed,
                        "making '\(target)' failed: \(String(cString: strerror(errno)))",
                        remedy: "Check the space and the permissions there, then try again.")
                }
                groups.append(
                    BackupGroup(name: name, try GroupCopy.copy(name, from: source, to: target)))
            }
            return groups
        } catch {
            throw CommandError(error)
        }
    }

    /// Puts a copy into another directory, and sees that it is what the backup has.
    func stage(from directory: String, in target: String) throws(CommandError) {
        let copied: GroupCopy.Contents
        do throws(ServiceError) {
            copied = try GroupCopy.copy(name, from: Self.folder(in: directory), to: target)
        } catch {
            throw CommandError(error)
        }
        guard BackupGroup(name: name, copied) == self else {
            throw BackupManifest.wrong(directory, "'\(target)/\(name)' is not what was copied")
        }
    }

    func verify(in directory: String) throws(CommandError) {
        let place = "\(Self.folder(in: directory))/\(name)"
        // What is said below is put where an app finds it.
        guard BuiltInClient.owns(group: name) else {
            throw BackupManifest.wrong(directory, "'\(name)' is no group of an app of the system")
        }
        let present: GroupCopy.Contents
        do throws(ServiceError) {
            present = try GroupCopy.copy(name, from: Self.folder(in: directory), to: nil)
        } catch {
            throw BackupManifest.wrong(directory, error.message)
        }
        guard BackupGroup(name: name, present) == self else {
            throw BackupManifest.wrong(directory, "\(place) is not what was written")
        }
    }
}
