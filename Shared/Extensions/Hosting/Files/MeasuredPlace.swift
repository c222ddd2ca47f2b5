package import Contract
internal import FileAccess
import Glibc

/// An exceeded limit: which, by how much, and a sentence.
package struct Excess: Equatable, Sendable {
    package var what: ExtensionOverBudget.What
    package var limit: Int64
    package var measured: Int64
    package var sentence: String
}

/// A directory of a program with a limit on its size.
struct MeasuredPlace: Sendable {
    static let container = TreeSize(
        bytes: HostingLimits.containerBytesMax, names: HostingLimits.namesMax)
    static let group = TreeSize(bytes: HostingLimits.groupBytesMax, names: HostingLimits.namesMax)
    static let temporary = TreeSize(
        bytes: HostingLimits.temporaryBytesMax, names: HostingLimits.namesMax)

    let name: String
    let place: OpenDirectory
    private let limit: TreeSize

    init(_ name: String, _ place: OpenDirectory, _ limit: TreeSize) {
        self.name = name
        self.place = place
        self.limit = limit
    }

    /// The limit that is exceeded; nil if none is.
    func excess() -> Excess? { count().excess }

    /// - Parameter more: size to add.
    func count(_ more: TreeSize = TreeSize()) -> FileCount {
        let size = place.directory.size(upTo: limit, depth: HostingLimits.treeDepthMax) + more
        return FileCount(excess: Self.excess(size, limit, name), roomBytes: max(0, limit.bytes - size.bytes))
    }

    static func excess(_ size: TreeSize, _ limit: TreeSize, _ name: String) -> Excess? {
        if size.bytes > limit.bytes {
            return Excess(
                what: .disk, limit: limit.bytes, measured: size.bytes,
                sentence: "\(name) holds \(size.bytes) bytes; the limit is \(limit.bytes)")
        }
        if size.names > limit.names {
            return Excess(
                what: .names, limit: limit.names, measured: size.names,
                sentence: "\(name) holds more than \(limit.names) files and directories (namesMax)")
        }
        guard size.isMore else { return nil }
        let depth = Int64(HostingLimits.treeDepthMax)
        return Excess(
            what: .names, limit: depth, measured: depth + 1,
            sentence: "\(name) has more than \(depth) directories within each other (treeDepthMax), or one "
                + "that cannot be read")
    }
}
