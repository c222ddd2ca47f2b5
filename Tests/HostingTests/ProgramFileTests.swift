import Contract
import Foundation
import Glibc
import Hosting
import Testing

/// A file of ours that is not installed is one thing, one that cannot be read another.
@Suite struct ProgramFileTests {
    @Test func onlyWhatIsNotThereIsNotInstalled() throws {
        let folder = NSTemporaryDirectory() + "/programs-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // What is left of it lies in the machine's temporary directory.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (absent, present, circle) = (folder + "/absent", folder + "/present", folder + "/circle")
        #expect(FileManager.default.createFile(atPath: present, contents: nil))
        #expect(symlink(circle, circle) == 0)
        #expect(try Programs.first(of: [absent]) == nil)
        #expect(try Programs.first(of: [absent, present])?.hasSuffix("/present") == true)
        for broken in [circle, present + "/below"] {
            let error = #expect(throws: ServiceError.self) { try Programs.first(of: [absent, broken]) }
            #expect(error?.name == .unavailable && error?.message.contains(broken) == true)
        }
    }
}
