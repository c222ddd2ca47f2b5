import CommandKit
import Contract
import Foundation
import JSON
import ServiceKit
import Store
import Units

/// What a backup has of one service.
@Record
struct BackupPart: Record, Equatable {
    /// Whose store.
    var service: String = ""
    /// The log in it.
    var epoch: String = ""
    /// The last event in it.
    var head: Int64 = 0
    /// Bytes of the file.
    var bytes: Int64 = 0
    /// The sum over its pages, hexadecimal.
    var sum: String = ""
}

/// `backup.json` in a directory of a backup. It is written last: a directory without it is no backup.
@Record
struct BackupManifest: Record, Equatable {
    /// Of this file.
    var version: Int64 = 1
    /// When the snapshots were taken.
    var made: Instant = 0
    /// The stores.
    var parts: [BackupPart] = []
    /// What apps of the system keep. Absent: it was made when that was no part of it.
    var groups: [BackupGroup]?

    static let fileName = "backup.json"

    static func path(_ service: ServiceName, in directory: String) -> String {
        "\(directory)/\(service.rawValue).sqlite3"
    }

    /// Reads the manifest, and compares every file with it: each page, SQLite's own check, and each cursor
    /// against its owner's log.
    /// - Throws: a sentence that names the first thing that is wrong.
    static func verified(in directory: String) throws(CommandError) -> BackupManifest {
        let manifest = try read(in: directory)
        var copies: [String: StoredCopy] = [:]
        for service in ServiceName.allCases {
            guard let part = manifest.parts.first(where: { $0.service == service.rawValue }) else {
                throw wrong(directory, "it has no store of \(service.rawValue)")
            }
            let path = path(service, in: directory)
            let copy: StoredCopy
            do throws(StoreError) { copy = try StoredCopy(path: path) } catch {
                throw wrong(directory, error.message)
            }
            guard copy.bytes == part.bytes, String(copy.sum, radix: 16) == part.sum else {
                throw wrong(directory, "\(path) is not what was written")
            }
            if let finding = copy.findings.first { throw wrong(directory, "\(path): \(finding)") }
            copies[service.rawValue] = copy
        }
        for (name, copy) in copies.sorted(by: { $0.key < $1.key }) {
            for cursor in copy.cursors {
                guard let owner = copies[cursor.source], owner.epoch == cursor.epoch else { continue }
                guard cursor.sequence <= owner.head else {
                    throw wrong(
                        directory,
                        "\(name) has seen \(cursor.sequence) events of \(cursor.source), which has \(owner.head)"
                    )
                }
            }
        }
        for group in manifest.groups ?? [] { try group.verify(in: directory) }
        return manifest
    }

    private static func read(in directory: String) throws(CommandError) -> BackupManifest {
        let path = "\(directory)/\(fileName)"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError(
                ExitCode.noInput, "'\(directory)' is no backup: \(fileName) cannot be read",
                remedy: "Name the directory that `screentime backup` made.")
        }
        let manifest: BackupManifest
        do throws(JSONError) { manifest = try BackupManifest.decode([UInt8](data)) } catch {
            throw wrong(directory, "\(fileName) is damaged")
        }
        guard manifest.version == 1 else {
            throw wrong(directory, "\(fileName) has version \(manifest.version), this program knows 1")
        }
        return manifest
    }

    static func wrong(_ directory: String, _ why: String) -> CommandError {
        CommandError(
            ExitCode.badData, "the backup '\(directory)' is not whole: \(why)",
            remedy: "Use another backup. Nothing was changed.")
    }
}
