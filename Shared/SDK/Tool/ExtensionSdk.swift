import CommandKit
import Contract
import Glibc

/// What extension programs are compiled with: the compiler, the modules of the frameworks, and the module
/// maps of their C libraries.
struct ExtensionSdk {
    /// Path of `swiftc`.
    let compiler: String
    /// The folder of the `.swiftmodule` files.
    let modules: String
    let moduleMaps: [String]
    /// The compiler plugin for SwiftUI's macros.
    let macros: String
    /// The archive that programs link.
    let archive: String

    /// Compiler arguments for sources written for iOS. With them `import Foundation` includes what Apple's
    /// Foundation has and this platform's lacks.
    var compileArguments: [String] {
        ["-swift-version", "5", "-Xfrontend", "-import-module", "-Xfrontend", "FoundationExtras"]
            + ["-I", modules, "-load-plugin-executable", "\(macros)#PreviewMacros"]
            + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }

    /// The complete archive is linked, because nothing references conformances that are only used at run
    /// time.
    var linkArguments: [String] {
        ["--whole-archive", archive, "--no-whole-archive"].flatMap { ["-Xlinker", $0] }
            + ["-lswiftSynchronization", "-lswiftObservation"]
    }

    /// Uses `SCREENTIME_SDK` and `SCREENTIME_SWIFTC`, else searches beside the executable and in `PATH`.
    /// - Throws: unavailable, with what was searched and what to do.
    static func find() throws(CommandError) -> ExtensionSdk {
        let place = try findPlace()
        return ExtensionSdk(
            compiler: try findCompiler(), modules: place.folder + "/Modules", moduleMaps: place.moduleMaps,
            macros: place.folder + "/PreviewMacros-tool",
            archive: place.folder + "/libScreenTime.a")
    }

    /// A directory with Modules, the archive and the macros; the module maps may be in another one.
    private typealias Place = (folder: String, moduleMaps: [String])

    private static func findPlace() throws(CommandError) -> Place {
        if let named = environment("SCREENTIME_SDK") {
            if let place = installed(named) ?? built(named) { return place }
            throw CommandError(
                ExitCode.unavailable, "SCREENTIME_SDK is '\(named)', which has no Modules/\(proof)",
                remedy: "Name a folder that scripts/sdk.sh made, or the folder of a build.")
        }
        let own = folder(of: executable())
        if let place = built(own) ?? installed(own + "/../lib/screentime/sdk") { return place }
        throw CommandError(
            ExitCode.unavailable, "there are no modules of the frameworks at '\(own)/Modules'",
            remedy: "Build them with `swift build`, or name a folder that scripts/sdk.sh made in "
                + "SCREENTIME_SDK.")
    }

    private static let proof = "DeviceActivity.swiftmodule"

    /// A directory made by scripts/sdk.sh.
    private static func installed(_ folder: String) -> Place? {
        let maps = moduleMaps(under: folder + "/CModules")
        guard !maps.isEmpty, access("\(folder)/Modules/\(proof)", R_OK) == 0 else { return nil }
        return (folder, maps)
    }

    /// The directory of a build, inside its checkout.
    private static func built(_ folder: String) -> Place? {
        guard access("\(folder)/Modules/\(proof)", R_OK) == 0, let real = realPath(folder) else { return nil }
        var root = real
        while !root.isEmpty {
            if access(root + "/Package.swift", R_OK) == 0, access(root + "/Shared/System/CPosix", R_OK) == 0 {
                let maps = ["System", "Apple/Facades", "Clock/Page"].flatMap { room in
                    moduleMaps(under: "\(root)/Shared/\(room)")
                }
                return (real, maps)
            }
            root = Self.folder(of: root)
        }
        return nil
    }

    private static func moduleMaps(under folder: String) -> [String] {
        entries(of: folder).sorted().map { "\(folder)/\($0)/module.modulemap" }
            .filter { access($0, R_OK) == 0 }
    }

    private static func findCompiler() throws(CommandError) -> String {
        if let named = environment("SCREENTIME_SWIFTC") {
            if access(named, X_OK) == 0 { return named }
            throw CommandError(
                ExitCode.unavailable, "SCREENTIME_SWIFTC is '\(named)', which cannot be run",
                remedy: "Name the program swiftc of the Swift toolchain.")
        }
        for folder in (environment("PATH") ?? "").split(separator: ":") {
            let path = "\(folder)/swiftc"
            if access(path, X_OK) == 0 { return path }
        }
        throw CommandError(
            ExitCode.unavailable, "no swiftc is on the PATH",
            remedy: "Install the Swift toolchain, or name its swiftc in SCREENTIME_SWIFTC.")
    }

    // MARK: paths

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    static func executable() -> String { realPath("/proc/self/exe") ?? "" }

    static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Everything before the last slash.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// The names in a directory without `.` and `..`; none if it cannot be read.
    static func entries(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
