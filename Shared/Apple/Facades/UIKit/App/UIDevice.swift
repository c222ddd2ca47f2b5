public import FoundationExtras

/// The machine on which this program runs.
@preconcurrency @MainActor
public final class UIDevice: NSObject {
    /// The only instance.
    public static let current = UIDevice()

    private nonisolated override init() { super.init() }

    /// The host name.
    public var name: String { ProcessInfo.processInfo.hostName }
    /// Always "Linux".
    public var model: String { "Linux" }
    /// Always "Linux".
    public var localizedModel: String { "Linux" }
    /// Always "Linux".
    public var systemName: String { "Linux" }
    /// The kernel version, such as "6.12.4".
    public var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }
    /// Always `mac`.
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .mac }

    /// The same for all programs of one vendor (the first two components of the bundle identifier), person
    /// and machine. Computed from these, so it survives reinstallation.
    public var identifierForVendor: UUID? {
        let bundle = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        let vendor = bundle.split(separator: ".").prefix(2).joined(separator: ".")
        let text = "\(vendor)\n\(ProcessInfo.processInfo.hostName)\n\(NSUserName())"
        func hash(_ seed: UInt64) -> [UInt8] {
            // FNV-1a, because nothing here is secret.
            let value = text.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01B3
            }
            return (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var bytes = hash(0) + hash(0x9E37_79B9_7F4A_7C15)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// The area for which views are rendered.
@preconcurrency @MainActor
public final class UIScreen: NSObject {
    /// The only instance.
    public static let main = UIScreen()

    private nonisolated override init() { super.init() }

    /// In points. Pages may be shown in any size; 390 by 844 is what code for phones expects.
    public var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }
    /// Pixels per point.
    public var scale: CGFloat { 2 }
    /// In pixels.
    public var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: 780, height: 1688) }
    /// Pixels per point.
    public var nativeScale: CGFloat { 2 }
}
