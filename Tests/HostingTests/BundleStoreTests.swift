import Contract
import Dispatch
import FileAccess
import Foundation
import Synchronization
import Testing

@testable import Hosting

/// What is installed is copied, and the copy is what runs.
@Suite struct BundleStoreTests {
    private let place: Place
    private let store: BundleStore
    private let bundle: String

    init() throws {
        place = try Place()
        store = try BundleStore(place.configuration)
        bundle = place.directory + "/Evening Monitor.appex"
        try FileManager.default.createDirectory(
            atPath: bundle + "/de.lproj", withIntermediateDirectories: true)
        try "#!program".write(toFile: place.directory + "/built", atomically: false, encoding: .utf8)
        chmod(place.directory + "/built", 0o755)
        symlink(place.directory + "/built", bundle + "/Evening Monitor")
        try "guten".write(toFile: bundle + "/de.lproj/L.strings", atomically: false, encoding: .utf8)
        try writeList([:])
    }

    private func writeList(_ more: [String: Any]) throws {
        var list = more
        list["CFBundleIdentifier"] = "org.example.app.monitor"
        list["NSExtension"] = [
            "NSExtensionPointIdentifier": "com.apple.deviceactivity.monitor-extension",
            "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).Monitor",
        ]
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: URL(fileURLWithPath: bundle + "/Info.plist"))
    }

    private func copy() async throws -> ExtensionRecord {
        let written = try ExtensionBundle(path: bundle, client: nil)
        return try await store.copy(written, client: nil, besides: .main).record(client: "org.example.app")
    }

    @Test func theCopyIsWholeAndStaysAsItWas() async throws {
        defer { place.remove() }
        let record = try await copy()
        #expect(record.source == bundle && record.name == "Evening Monitor")
        #expect(record.path.hasPrefix(place.directory + "/state/bundles/org.example.app.monitor/"))
        #expect(record.path.hasSuffix("/Evening Monitor.appex"))
        var status = stat()
        #expect(lstat(record.executable, &status) == 0 && status.st_mode == S_IFREG | 0o755)
        #expect(try String(contentsOfFile: record.path + "/de.lproj/L.strings", encoding: .utf8) == "guten")
        #expect(store.isKnown(record))
        // What it was copied from may change.
        try "another".write(toFile: place.directory + "/built", atomically: false, encoding: .utf8)
        try FileManager.default.removeItem(atPath: bundle + "/Info.plist")
        #expect(try String(contentsOfFile: record.executable, encoding: .utf8) == "#!program")
        #expect(store.isKnown(record))
        try store.verify(record)
    }

    @Test func asManyFilesAsThereMayBeAreCopied() async throws {
        defer { place.remove() }
        // Beside the program, its list, and a directory with a file.
        for number in 0..<HostingLimits.bundleNamesMax - 4 {
            let file = open("\(bundle)/\(number)", O_CREAT | O_WRONLY, 0o600)
            #expect(file >= 0 && close(file) == 0)
        }
        let record = try await copy()
        try store.verify(record)
        let copied = try FileManager.default.contentsOfDirectory(atPath: record.path)
        #expect(copied.count == HostingLimits.bundleNamesMax - 1)
        let more = open("\(bundle)/more", O_CREAT | O_WRONLY, 0o600)
        #expect(more >= 0 && close(more) == 0)
        await #expect(throws: ServiceError.self) { try await copy() }
    }

    @Test func theSameIsTheSameCopyAndAnotherIsAnother() async throws {
        defer { place.remove() }
        let (first, again) = (try await copy(), try await copy())
        #expect(first == again)
        try "abend".write(toFile: bundle + "/de.lproj/L.strings", atomically: false, encoding: .utf8)
        let other = try await copy()
        #expect(other.hash != first.hash && other.path != first.path)
        #expect(try store.setAside(allBut: [other.path]))
        #expect(access(first.path, F_OK) != 0 && access(other.path, F_OK) == 0)
        #expect(try store.setAside(allBut: []))
        try store.empty()
        let left = FileManager.default.enumerator(atPath: place.directory + "/state/bundles")?.allObjects
        #expect((left as? [String])?.sorted() == [".new", ".removed"])
    }

    /// Concurrent installations of the same bundle get the same copy.
    @Test func manyWhoPlaceTheSameShareOneCopy() throws {
        defer { place.remove() }
        let store = store
        for _ in 0..<20 {
            let staged = try (0..<16).map { _ in try store.stage(bundle, executable: "Evening Monitor") }
            let results = Mutex<[Result<String, ServiceError>]>([])
            DispatchQueue.concurrentPerform(iterations: staged.count) { number in
                let result = Result { () throws(ServiceError) in
                    try store.place(
                        staged[number], id: "org.example.app.monitor", executable: "Evening Monitor")
                }
                results.withLock { $0.append(result) }
            }
            let paths = try results.withLock { try Set($0.map { try $0.get() }) }
            #expect(paths.count == 1)
            #expect(try store.setAside(allBut: []))
            try store.empty()
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.directory + "/state/bundles/.new") == []
        )
    }

    /// The same under another name is another copy: an install that is refused later takes nothing away.
    @Test func theSameUnderAnotherNameLeavesTheFirstAlone() async throws {
        defer { place.remove() }
        try writeList(["CFBundleExecutable": "Evening Monitor"])
        let record = try await copy()
        let renamed = place.directory + "/Evening Monitor copy.appex"
        try FileManager.default.copyItem(atPath: bundle, toPath: renamed)
        let copied = try await store.copy(
            try ExtensionBundle(path: renamed, client: nil), client: nil, besides: .main)
        #expect(copied.hash == record.hash && copied.bundle.path != record.path)
        #expect(store.isKnown(record) && access(record.executable, X_OK) == 0)
        #expect(access(copied.bundle.path, F_OK) == 0)
        try store.verify(record)
    }

    /// Nobody keeps what only other names of the same contents are.
    @Test func otherNamesOfTheSameGoWhenNobodyHasThem() async throws {
        defer { place.remove() }
        try writeList(["CFBundleExecutable": "Evening Monitor"])
        let record = try await copy()
        let renamed = place.directory + "/copy.appex"
        try FileManager.default.copyItem(atPath: bundle, toPath: renamed)
        let copied = try await store.copy(
            try ExtensionBundle(path: renamed, client: nil), client: nil, besides: .main)
        #expect(try store.setAside(allBut: [record.path, copied.bundle.path]))
        #expect(access(record.path, F_OK) == 0 && access(copied.bundle.path, F_OK) == 0)
        // A process that runs from one keeps the directory of both as it is.
        var held = try BundleStore.lock(record)
        #expect(held != nil)
        #expect(try !store.setAside(allBut: [record.path]))
        held = nil
        #expect(try store.setAside(allBut: [record.path]))
        #expect(access(record.path, F_OK) == 0 && access(copied.bundle.path, F_OK) != 0)
    }

    /// What is no directory and has the name of one is no reason to refuse an install.
    @Test(arguments: [true, false]) func whateverElseHasItsPlaceGoes(isLink: Bool) async throws {
        defer { place.remove() }
        let record = try await copy()
        let folder = URL(fileURLWithPath: record.path).deletingLastPathComponent().path
        try FileManager.default.removeItem(atPath: folder)
        if isLink { symlink(place.directory, folder) } else { close(open(folder, O_CREAT | O_WRONLY, 0o600)) }
        #expect(try await copy() == record)
        try store.verify(record)
    }

    @Test func aCopyInUseStays() async throws {
        defer { place.remove() }
        let record = try await copy()
        var held = try BundleStore.lock(record)
        #expect(held != nil)
        #expect(try !store.setAside(allBut: []))
        #expect(access(record.path, F_OK) == 0)
        held = nil
        #expect(try store.setAside(allBut: []))
    }

    /// Whatever of a copy is changed, it is noticed before it runs.
    @Test(arguments: ["contents", "mode", "added", "removed", "renamed", "link"])
    func whoChangesACopyIsNoticed(how: String) async throws {
        defer { place.remove() }
        let record = try await copy()
        let strings = record.path + "/de.lproj/L.strings"
        switch how {
        case "contents": try "tagen".write(toFile: strings, atomically: false, encoding: .utf8)
        case "mode": #expect(chmod(strings, 0o755) == 0)
        case "added": mkdir(record.path + "/more", 0o755)
        case "removed": unlink(strings)
        case "renamed": rename(strings, record.path + "/de.lproj/M.strings")
        default:
            rename(record.executable, record.executable + "2")
            symlink("Evening Monitor2", record.executable)
        }
        #expect(!store.isKnown(record))
        #expect(#expect(throws: ServiceError.self) { try store.verify(record) }?.name == .storageDamaged)
        // A host that begins later reads it, too.
        let later = try BundleStore(place.configuration)
        #expect(!later.isKnown(record))
        #expect(throws: ServiceError.self) { try later.verify(record) }
    }

    /// A link that leads out of the bundle brings nothing in; only the program is followed.
    @Test func linksLeadNowhere() async throws {
        defer { place.remove() }
        symlink(place.canaryPath + "/d0/0", bundle + "/secret")
        symlink(place.canaryPath, bundle + "/all")
        let record = try await copy()
        var status = stat()
        #expect(lstat(record.path + "/secret", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(lstat(record.path + "/all", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    /// It names another program than before: only one that was copied runs, never what a link of the copy
    /// leads to.
    @Test func whatChangesBetweenReadingAndCopyingIsRefused() async throws {
        defer { place.remove() }
        let written = try ExtensionBundle(path: bundle, client: nil)
        symlink(place.directory + "/built", bundle + "/Other")
        try writeList(["CFBundleExecutable": "Other"])
        let error = await #expect(throws: ServiceError.self) {
            try await store.copy(written, client: nil, besides: .main)
        }
        #expect(error?.name == .conflict)
    }

    @Test func whatIsNoBundleIsRefusedAndLeavesNothing() async throws {
        defer { place.remove() }
        mkfifo(bundle + "/fifo", 0o600)
        let fifo = await #expect(throws: ServiceError.self) { try await copy() }
        #expect(fifo?.name == .invalidArgument && fifo?.message.contains("fifo") == true)
        unlink(bundle + "/fifo")
        var deep = bundle
        for _ in 0...HostingLimits.treeDepthMax {
            deep += "/d"
            mkdir(deep, 0o755)
        }
        #expect(await #expect(throws: ServiceError.self) { try await copy() }?.name == .limitExceeded)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.directory + "/state/bundles").sorted()
                == [".new", ".removed"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.directory + "/state/bundles/.new") == []
        )
    }
}
