package import Contract
internal import FileAccess
import Glibc
package import ServiceKit

/// Checks that everything needed for starting programs exists, for `doctor --deep`. Nothing is created or
/// changed.
package struct HostFilesCheck {
    private let configuration: Configuration
    /// Problems that prevent starting programs, each with its path and what to do.
    package private(set) var findings: [ServiceError] = []

    /// - Parameter hosts: the services that start programs.
    package init(_ configuration: Configuration, hosts: [ServiceName], _ programs: [ExtensionRecord]) {
        self.configuration = configuration
        var seen: Set<String> = []
        for host in hosts {
            let files = HostFiles(lookingAt: configuration, host: host)
            for path in files.places where seen.insert(path).inserted { directory(path) }
        }
        let files = HostFiles(lookingAt: configuration, host: .monitor)
        for program in programs where program.point.keepsFiles {
            let container = "\(files.containers)/\(program.id)"
            own(container, "the container of \(program.id)", MeasuredPlace.container)
            for group in program.groups ?? [] where seen.insert(files.path(group: group)).inserted {
                own(files.path(group: group), "the app group '\(group)'", MeasuredPlace.group)
            }
            if program.point == .monitor { journal("\(files.journals)/\(program.id)", of: program) }
        }
        for program in programs where program.hash == nil { builtIn(program) }
    }

    private mutating func add(_ message: String, _ remedy: String) {
        findings.append(ServiceError(.unavailable, message, remedy: remedy))
    }

    private mutating func directory(_ path: String) {
        do throws(FileError) { _ = try Directory(path: path).descriptor } catch {
            return add(
                "\(error.message); extensions are not started without it",
                "Move it back, or restart the services: they create an empty one.")
        }
        guard access(path, R_OK | W_OK | X_OK) != 0 else { return }
        let reason = String(cString: strerror(errno))
        add("'\(path)' cannot be used (\(reason)); extensions are not started", "Correct its permissions.")
    }

    /// A missing directory is created at the first start.
    private mutating func own(_ path: String, _ name: String, _ limit: TreeSize) {
        guard access(path, F_OK) == 0 else { return }
        do throws(FileError) {
            let place = OpenDirectory(path: path, try Directory(path: path))
            guard let excess = MeasuredPlace("'\(path)'", place, limit).excess() else { return }
            add("\(excess.sentence), so its extensions are not started", "Remove files there.")
        } catch { add("\(error.message), which is \(name)", "Correct its permissions, or remove it.") }
    }

    private mutating func journal(_ path: String, of program: ExtensionRecord) {
        guard access(path, F_OK) == 0 else { return }
        do throws(FileError) { close(try openPlain(path, O_RDWR)) } catch {
            add("\(error.message), which is the journal of \(program.id)", "Remove it.")
        }
    }

    /// A built-in bundle is not a copy: it is created at each start, and points to the program.
    private mutating func builtIn(_ program: ExtensionRecord) {
        do throws(ServiceError) {
            let present = try ExtensionBundle(path: program.path, client: program.client)
            guard present.id == program.id, present.executable == program.executable else {
                return add(
                    "'\(program.path)' is not the bundle of \(program.id) any more",
                    "Restart monitor-runner: it creates the bundle again.")
            }
        } catch {
            add(
                "the bundle '\(program.path)' of \(program.id) cannot be used: \(error.message)",
                "Restart monitor-runner: it creates the bundle again. The program is a part of the installation.")
        }
    }
}
