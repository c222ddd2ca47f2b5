import Contract
import ExtensionLink
import Glibc

/// The wire, used otherwise than agreed.
struct Talk {
    private let descriptor = Int32(String(cString: getenv(Wire.descriptorKey))) ?? -1

    func send(_ bytes: [UInt8]) { _ = write(descriptor, bytes, bytes.count) }

    /// A message that is announced and never ends.
    func endless() {
        send([0, 0x0f, 0xff, 0xff])
        // One byte, and no more.
        while write(descriptor, [0x20], 1) == 1 { pause() }
    }

    /// So many requests before the first answer is read.
    func requests(_ count: Int) {
        for number in 0..<count {
            let text =
                #"{"jsonrpc":"2.0","id":\#(number + 1_000),"method":"settings.read","params":{"store":"s"}}"#
            send(Wire.frame(Array(text.utf8)))
        }
        var refused = 0
        for _ in 0..<count where answer().contains("tooManyRequests") { refused += 1 }
        print("requests refused", refused > 0)
    }

    private func answer() -> String {
        let length = bytes(4).reduce(0) { $0 << 8 | Int($1) }
        return String(decoding: bytes(length), as: UTF8.self)
    }

    private func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var more = [UInt8](repeating: 0, count: count - bytes.count)
            let got = read(descriptor, &more, more.count)
            if got <= 0 { exit(1) }
            bytes += more[..<got]
        }
        return bytes
    }

    func closeAndLiveOn() {
        close(descriptor)
        while true { pause() }
    }
}
