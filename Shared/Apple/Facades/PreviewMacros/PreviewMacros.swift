import Glibc

/// A plugin of the compiler (`-load-plugin-executable`) for the one macro of Apple's that these facades
/// need. Messages are JSON, each after its length in eight bytes, least first. `#Preview` becomes nothing:
/// there is no canvas to show it on, and what stands in it has been compiled by then.
@main struct PreviewMacros {
    static func main() {
        while let message = receive() {
            // The first key of a message is its kind.
            let kind = message.split(separator: "\"").dropFirst().first ?? ""
            switch kind {
            case "getCapability":
                send(#"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#)
            default:
                send(#"{"expandMacroResult":{"expandedSource":"","diagnostics":[]}}"#)
            }
        }
    }

    private static func receive() -> String? {
        guard let header = read(8) else { return nil }
        let count = header.reversed().reduce(0) { $0 << 8 | Int($1) }
        return read(count).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes[done...].withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress, $0.count) }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    private static func send(_ text: String) {
        let body = Array(text.utf8)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
        var done = 0
        while done < bytes.count {
            let sent = bytes[done...].withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            guard sent > 0 else { return }
            done += sent
        }
    }
}
