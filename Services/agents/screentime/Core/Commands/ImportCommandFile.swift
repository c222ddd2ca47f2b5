import CommandKit
import Contract
import Rules

/// The file of an import or a replay.
struct ImportCommandFile {
    let path: String
    let format: ImportFormat
    let content: ImportedFile

    /// Largest file taken: 512 MiB, some ten million rows. All of it is held in memory.
    static let bytesMax = 512 << 20

    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - format: nil asks the file.
    ///   - panelist: only this device of it; nil: all.
    /// - Throws: `noInput` when it cannot be read, `badData` naming line and column when it is not
    ///   what it should be, `usage` when nobody can say what it is or has no such panelist.
    static func parse(
        _ path: String, _ format: ImportFormat?, panelist: String? = nil
    ) throws(CommandError) -> ImportCommandFile {
        var file = try whole(path, format)
        if let panelist {
            let chosen = file.content.devices.filter { $0.name == panelist }
            guard !chosen.isEmpty else {
                throw CommandError(
                    ExitCode.badData, "'\(path)' has no panelist '\(panelist)'",
                    remedy: "It has \(Self.list(file.content.devices)).")
            }
            file = ImportCommandFile(
                path: path, format: file.format,
                content: ImportedFile(devices: chosen, counts: file.content.counts))
        }
        return file
    }

    private static func whole(
        _ path: String, _ given: ImportFormat?
    ) throws(CommandError) -> ImportCommandFile {
        let bytes = try InputFile.whole(
            path, bytesMax: bytesMax,
            remedy: "Split it into several files with the same header; the order does not matter.")
        if given == .knowledgeC { return try knowledge(path, bytes) }
        guard let format = given ?? ImportFormat.recognise(bytes) else {
            throw CommandError(
                ExitCode.usage, "'\(path)' does not show what it is",
                remedy: "Say it with --format: \(Screentime.formats).")
        }
        if format == .knowledgeC { return try knowledge(path, bytes) }
        do throws(ImportError) {
            return ImportCommandFile(path: path, format: format, content: try format.parse(bytes))
        } catch {
            throw wrong(path, "\(error)")
        }
    }

    private static func knowledge(
        _ path: String, _ bytes: [UInt8]
    ) throws(CommandError) -> ImportCommandFile {
        let rows = try KnowledgeFile.rows(path, bytes)
        do throws(ImportError) {
            return ImportCommandFile(
                path: path, format: .knowledgeC, content: try KnowledgeC.parse(rows))
        } catch {
            let column = error.column.map { ", \($0)" } ?? ""
            throw wrong(
                path, "row \(error.line)\(column): expected \(error.expected), found \(error.found)")
        }
    }

    static let nothing = "Nothing was imported."

    private static func wrong(_ path: String, _ sentence: String) -> CommandError {
        CommandError(
            ExitCode.badData, "'\(path)', \(sentence)",
            remedy: "\(nothing) Correct the file, or export it again.")
    }

    /// The devices with their names here.
    /// - Parameter given: what the person calls the one device.
    func devices(named given: String?) throws(CommandError) -> [ImportedDevice] {
        if let given {
            guard content.devices.count <= 1 else {
                throw CommandError(
                    ExitCode.usage, "--device names one device, and '\(path)' has \(content.devices.count)",
                    remedy: "It has \(Self.list(content.devices)). Leave --device out, or take one of them.")
            }
            return content.devices.map { device in
                var named = device
                named.name = given
                return named
            }
        }
        guard content.devices.allSatisfy({ $0.name != nil }) else {
            throw CommandError(
                ExitCode.usage, "--device is missing, and '\(path)' names no device",
                remedy: "Name it, such as --device phone, and use the same name for every file of it.")
        }
        return content.devices
    }

    /// What activity-center would refuse of the second device when the first is already kept.
    func check(_ device: ImportedDevice, model: String) throws(CommandError) {
        let check = ObservationCheck(now: 0, isLive: false)
        let name = device.name ?? ""
        do throws(ServiceError) {
            try ObservationCheck.check(device: name, model: model)
            for batch in ImportCommandSender.batches(device.changes, apps: device.apps) {
                for (number, observation) in zip(batch, ImportCommandSender.observations(of: device, batch)) {
                    _ = try check.change(observation, number: number)
                }
            }
        } catch {
            let sentence = "device '\(VisibleText.escaped(name))': \(error.message)"
            throw Self.wrong(path, sentence)
        }
    }

    private static func list(_ devices: [ImportedDevice]) -> String {
        let names = devices.prefix(20).map { "'\($0.name ?? "")'" }.joined(separator: ", ")
        return devices.isEmpty ? "none" : names + (devices.count > 20 ? ", …" : "")
    }
}
