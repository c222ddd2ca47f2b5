import Contract
import ExtensionLink
import FamilyControls
import Foundation
import JSON
import ManagedSettings
import NameHunter
import SwiftUI

/// An app that does what its arguments say, one after the other, and prints a line for each:
/// - `status`: its authorization's status;
/// - `request`: asks the person, and prints `ok` or the error;
/// - `revoke`: gives the authorization back;
/// - `watch`: prints each status from now on, for ever;
/// - `hello`: its client, and its groups with their paths;
/// - `defaults GROUP`: whether there are defaults of an app group;
/// - `saved NAME`: the saved selection as JSON; `copy NAME OTHER`: saves it under another name;
/// - `shield NAME`: shields what the selection chose, and prints the store as it reads it back;
/// - `shield-token TOKEN`: the same with one token of an app;
/// - `query`: a report, as figures; `data`: what FamilyActivityData has;
/// - `hunt WORD,…`: calls everything with the words (NameHunter), and prints what came back;
/// - `call METHOD JSON`: calls it with these parameters, and prints the answer;
/// - `picker NAME`: the picker with the selection, as text.
@main struct AppFixture {
    static func main() async {
        if let client = ProcessInfo.processInfo.environment["APP_FIXTURE_CLIENT"] {
            HostApplication.identify(client, name: "The Fixture")
        }
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            do { try await run(word, &words) } catch { print("\(word) \(describe(error))") }
        }
    }

    private static func run(_ word: String, _ words: inout ArraySlice<String>) async throws {
        switch word {
        case "status": print("status \(AuthorizationCenter.shared.authorizationStatus)")
        case "request":
            try await AuthorizationCenter.shared.requestAuthorization(for: .individual)
            print("request ok \(AuthorizationCenter.shared.authorizationStatus)")
        case "revoke":
            let result = await withCheckedContinuation { continuation in
                AuthorizationCenter.shared.revokeAuthorization { continuation.resume(returning: $0.map {}) }
            }
            print("revoke \(try result.get()) \(AuthorizationCenter.shared.authorizationStatus)")
        case "watch": await watch()
        case "hello":
            let hello = try ExtensionLink.Link.shared.hello()
            print("hello \(hello.client) \(hello.member) \(hello.groups.map { "\($0.id)=\($0.path)" })")
        case "defaults":
            print("defaults \(UserDefaults(suiteName: words.removeFirst()) == nil ? "none" : "ok")")
        case "saved":
            let selection = try FamilyActivitySelection.saved(named: words.removeFirst())
            print("saved " + String(decoding: try JSONEncoder().encode(selection), as: UTF8.self))
        case "copy":
            let selection = try FamilyActivitySelection.saved(named: words.removeFirst())
            try selection?.save(named: words.removeFirst())
            print("copy ok")
        case "shield":
            let selection = try FamilyActivitySelection.saved(named: words.removeFirst())
            try shield(selection?.applicationTokens.map(\.wireText) ?? [])
        case "shield-token": try shield(["token:" + words.removeFirst()])
        case "query":
            let answer = try ExtensionLink.Link.shared.call(
                ReportQuery.self, ReportQuery.Params(shape: .rows))
            print("query \(answer.rows.count)")
        case "hunt": hunt(words.removeFirst().split(separator: ",").map(String.init))
        case "call":
            let method = words.removeFirst()
            let params = try RawJSON(bytes: Array(words.removeFirst().utf8))
            let answer = try ExtensionLink.Link.shared.call(method, params)
            print("call " + String(decoding: answer.bytes, as: UTF8.self))
        case "data": try await data()
        case "picker":
            let selection = try FamilyActivitySelection.saved(named: words.removeFirst()) ?? .init()
            let text = try await MainActor.run {
                try HTMLRenderer.page(
                    title: "Choice", FamilyActivityPicker(selection: .constant(selection))
                ).text
            }
            print("picker " + text.split(separator: "\n").joined(separator: " | "))
        default: print("unknown \(word)")
        }
    }

    @MainActor private static func watch() async {
        let changes = AuthorizationCenter.shared.$authorizationStatus.sink { print("watch \($0)") }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        changes.cancel()
    }

    private static func shield(_ tokens: [String]) throws {
        let setting = Setting(key: "shield.applications", value: .array(tokens.map { .string($0) }))
        _ = try ExtensionLink.Link.shared.call(
            SettingsWrite.self, SettingsWrite.Params(store: "fixture", settings: [setting]))
        let store = try ExtensionLink.Link.shared.call(
            SettingsRead.self, SettingsRead.Params(store: "fixture")
        ).store
        print("shield " + String(decoding: store.settings.encoded(), as: UTF8.self))
    }

    private static func hunt(_ words: [String]) {
        let types = Registry.events.map { $0.type }
        ExtensionLink.Link.shared.subscribe(types: types) { type, data in
            print("heard \(type) " + String(decoding: data.bytes, as: UTF8.self))
        }
        var hunter = NameHunter(words: words) { method, params in
            do throws(ServiceError) {
                return try ExtensionLink.Link.shared.call(method, params).bytes
            } catch {
                return ErrorObject(error).encoded()
            }
        }
        hunter.hunt()
        print(hunter.seen.joined(separator: "\n"))
    }

    private static func data() async throws {
        let data = FamilyActivityData.shared
        let apps = try await data.installedApplications
        let names = apps.map { "\($0.bundleIdentifier ?? "")=\($0.localizedDisplayName ?? "")" }
        let tokens = apps.compactMap(\.token).count
        let categories = try await data.activityCategories
        let domains = try await data.visitedWebDomains.compactMap(\.domain)
        print("data \(names) \(tokens) \(categories.count) \(domains)")
    }

    /// At once, also into a pipe.
    private static func print(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private static func describe(_ error: any Error) -> String {
        switch error {
        case let error as ServiceError: "error \(error.name): \(error.message) \(error.remedy)"
        case let error as FamilyControlsError: "error \(error)"
        default: "error \(type(of: error))"
        }
    }
}
