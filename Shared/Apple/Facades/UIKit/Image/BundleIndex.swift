internal import FoundationExtras
internal import Synchronization

/// Where a bundle's images and asset catalogues are; made once per bundle.
struct BundleIndex: Sendable {
    /// Directories of catalogues by the name a program uses, then by their kind (`imageset`, `colorset`).
    private var sets: [String: [String: URL]] = [:]
    /// Image files by their name in lower case, without ending and without `@2x`.
    private var images: [String: [URL]] = [:]

    /// A bundle with more files than this is a mistake; the rest is not looked at, which is said.
    private static let filesMax = 20_000

    private static let known = Mutex<[String: BundleIndex]>([:])

    static func of(_ bundle: Bundle) -> BundleIndex {
        let path = bundle.bundlePath
        if let found = known.withLock({ $0[path] }) { return found }
        let made = BundleIndex(directory: bundle.bundleURL)
        known.withLock { $0[path] = made }
        return made
    }

    init(directory: URL) {
        let keys: [URLResourceKey] = [.isDirectoryKey]
        guard
            let files = FileManager.default.enumerator(
                at: directory, includingPropertiesForKeys: keys, options: [.skipsHiddenFiles])
        else { return }
        var count = 0
        while let url = files.nextObject() as? URL {
            count += 1
            guard count <= Self.filesMax else {
                Complaint.once("\(directory.path) has over \(Self.filesMax) files; no others are searched.")
                return
            }
            switch url.pathExtension {
            case "build", "swiftmodule", "git", "xcodeproj": files.skipDescendants()
            case "imageset", "appiconset", "colorset", "symbolset": add(set: url)
            case let ending where ImageFormat.endings.contains(ending.lowercased()): add(image: url)
            default: break
            }
        }
    }

    private mutating func add(set url: URL) {
        let name = url.deletingPathExtension().lastPathComponent
        sets[name, default: [:]][url.pathExtension] = url
        // A group may be a part of the names in it.
        let group = url.deletingLastPathComponent()
        if group.pathExtension.isEmpty {
            sets["\(group.lastPathComponent)/\(name)", default: [:]][url.pathExtension] = url
        }
    }

    private mutating func add(image url: URL) {
        // What is inside of a catalogue has its name from there.
        guard !url.deletingLastPathComponent().pathExtension.hasSuffix("set") else { return }
        images[Self.stem(url.deletingPathExtension().lastPathComponent), default: []].append(url)
    }

    private static func stem(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix("@2x") || lower.hasSuffix("@3x") ? String(lower.dropLast(3)) : lower
    }

    func set(_ name: String, kinds: [String]) -> URL? {
        guard let found = sets[name] else { return nil }
        return kinds.lazy.compactMap { found[$0] }.first
    }

    /// Files of that name, with or without an ending; those of most pixels per point first.
    func files(_ name: String) -> [URL] {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        let url = URL(fileURLWithPath: last)
        let hasEnding = ImageFormat.endings.contains(url.pathExtension.lowercased())
        let stem = Self.stem(hasEnding ? url.deletingPathExtension().lastPathComponent : last)
        let ending = hasEnding ? url.pathExtension.lowercased() : nil
        return (images[stem] ?? [])
            .filter { ending == nil || $0.pathExtension.lowercased() == ending }
            .sorted { first, second in
                let order = { (url: URL) in
                    (
                        -ImageFile.scale(ofName: url.lastPathComponent),
                        ImageFormat.endings.firstIndex(of: url.pathExtension.lowercased()) ?? 0
                    )
                }
                let (left, right) = (order(first), order(second))
                return left == right ? first.path < second.path : left < right
            }
    }
}

/// What a program should know and nobody asked for: once per text, to its standard error, which its host
/// keeps as its log.
package enum Complaint {
    private static let said = Mutex<Set<String>>([])

    package static func once(_ text: String) {
        guard said.withLock({ $0.insert(text).inserted }) else { return }
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
