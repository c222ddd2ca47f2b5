package import Foundation

/// Makes the bundle of an extension: a folder with its Info.plist, its program and its resources.
package enum ExtensionBundling {
    package struct Failure: Error, CustomStringConvertible {
        package var message: String
        package var remedy: String
        package var description: String { "\(message). \(remedy)" }
    }

    /// The folders below `Sources` of a package that have an Info.plist, by name.
    package static func sourceFolders(of package: URL) -> [URL] {
        let sources = package.appending(path: "Sources")
        // A package without Sources has no extension; the caller reports that.
        let folders =
            (try? FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)) ?? []
        return
            folders
            .filter { FileManager.default.fileExists(atPath: $0.appending(path: "Info.plist").path) }
            .sorted { $0.path < $1.path }
    }

    /// The newest program that a package built for the sources of `folder`.
    package static func program(for folder: URL, of package: URL) throws(Failure) -> URL {
        let built = ["debug", "release"].map {
            package.appending(path: ".build/\($0)/\(folder.lastPathComponent)")
        }
        let newest = built.max { age(of: $0) < age(of: $1) }
        guard let newest, age(of: newest) > .distantPast else {
            throw Failure(
                message: "'\(folder.lastPathComponent)' is not built: '\(built[0].path)' is missing",
                remedy: "Run `swift build` in '\(package.path)'.")
        }
        return newest
    }

    private static func age(of file: URL) -> Date {
        // A missing file counts as older than any other.
        let values = try? FileManager.default.attributesOfItem(atPath: file.path)
        return values?[.modificationDate] as? Date ?? .distantPast
    }

    /// Replaces `bundle` with everything in `folder` except Swift sources, and the program.
    package static func make(_ bundle: URL, from folder: URL, program: URL) throws {
        let files = FileManager.default
        if files.fileExists(atPath: bundle.path) { try files.removeItem(at: bundle) }
        try files.createDirectory(at: bundle, withIntermediateDirectories: true)
        for item in try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where item.pathExtension != "swift" && !item.lastPathComponent.hasPrefix(".") {
            try files.copyItem(at: item, to: bundle.appending(path: item.lastPathComponent))
        }
        try files.copyItem(at: program, to: bundle.appending(path: program.lastPathComponent))
    }
}
