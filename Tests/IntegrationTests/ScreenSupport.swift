import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing
import Time

/// A bundle with a program of ours for one extension point, installed for an approved app.
@LoopActor struct ScreenBundle {
    let path: String

    init(
        _ world: World, _ program: String, _ point: ExtensionPoint, id: String,
        client: String = "org.example.app", principal: String? = nil, says: [String: String] = [:]
    ) async throws {
        path = "\(world.directory)/bundles/\(id)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var list: [String: Any] = says
        list["CFBundleIdentifier"] = id
        list["CFBundleExecutable"] = program
        if point == .report {
            list["EXAppExtensionAttributes"] = ["EXExtensionPointIdentifier": point.rawValue]
        } else {
            var names = ["NSExtensionPointIdentifier": point.rawValue]
            names["NSExtensionPrincipalClass"] = principal ?? "$(PRODUCT_MODULE_NAME).Principal"
            list["NSExtension"] = names
        }
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: URL(fileURLWithPath: path + "/Info.plist"))
        try FileManager.default.createSymbolicLink(
            atPath: "\(path)/\(program)", withDestinationPath: "\(World.products)/\(program)")
        _ = try await world.call(
            ExtensionInstall.self, ExtensionInstall.Params(path: path, client: client), deadline: 60_000)
    }
}

extension World {
    /// Asks until the answer is as expected; every other answer is tried again.
    func eventually<M: Method>(
        _ method: M.Type, _ params: M.Params, _ isExpected: (M.Result) -> Bool
    ) async throws -> M.Result {
        let deadline = MonotonicClock.now + 180_000
        var last = "nothing"
        var looks = Looks()
        while MonotonicClock.now < deadline {
            do {
                let result = try await call(method, params)
                if isExpected(result) { return result }
                last = String(decoding: result.encoded(), as: UTF8.self)
            } catch { last = "\(error)" }
            await looks.pause()
        }
        throw Overdue("\(M.name) did not answer as expected; the last was \(last)")
    }
}
