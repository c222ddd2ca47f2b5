import Contract
import ExtensionLink
import Glibc
import JSON

/// The wire, used otherwise than agreed.
struct Talk {
    private let descriptor = Int32(String(cString: getenv(Wire.descriptorKey))) ?? -1

    func send(_ bytes: [UInt8]) { _ = write(descriptor, bytes, bytes.count) }

    /// Not a message; the callback does not return.
    func garbage() {
        send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        while true { pause() }
    }

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

    private static let forbidden = Array(#"{"jsonrpc":"2.0","id":1,"method":"forbidden"}"#.utf8)

    /// Sends requests as long as the host takes them, and reads only when it takes none for a second.
    func eager(_ count: Int) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let all = (0..<count).flatMap { _ in Wire.frame(Self.forbidden) }
        var (sent, answered) = (0, 0)
        var frames = FrameReader()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while answered < count {
            var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if sent < all.count, poll(&room, 1, 1_000) > 0 {
                let written = all[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                sent += max(0, written)
                continue
            }
            while true {
                let got = read(descriptor, &buffer, buffer.count)
                if got <= 0 { break }
                frames.append(buffer[..<got])
                // The host never sends unreadable frames; if it does, the missing answer shows it.
                while (try? frames.next()) != nil { answered += 1 }
            }
        }
        _ = fcntl(descriptor, F_SETFL, 0)
        print("eager answered", answered)
    }

    /// Requests of 900 KiB, as many as the host takes while none is answered, and the end.
    func large(_ count: Int) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let name = String(repeating: "w", count: 900 << 10)
        let setting = #"{"key":"application.blockedApplicationsByName","value":["\#(name)"]}"#
        let params = #"{"store":"large","settings":[\#(setting)]}"#
        let request = #"{"jsonrpc":"2.0","id":1,"method":"settings.write","params":\#(params)}"#
        let all = (0..<count).flatMap { _ in Wire.frame(Array(request.utf8)) }
        var (sent, room) = (0, pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))
        while sent < all.count, poll(&room, 1, 1_000) > 0 {
            sent += max(0, all[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) })
        }
        print("accepted", sent >> 20)
        fflush(nil)
        exit(0)
    }

    /// Small requests without a pause, whose answers another thread reads.
    func talkative() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let descriptor = Talk().descriptor
                while read(descriptor, &buffer, buffer.count) > 0 {}
                return nil
            }, nil)
        let all = (0..<10_000).flatMap { _ in Wire.frame(Self.forbidden) }
        while write(descriptor, all, all.count) > 0 {}
    }

    /// Answers what it is asked at install, with a class as a file of its bundle names it.
    static func lie(about principal: String) -> Never {
        let talk = Talk()
        while true {
            // What is no request ends it, as the host sees.
            let message = try? WireMessage.read(talk.bytes(talk.length()))
            guard case .request(let id, _, _, _)? = message else { exit(1) }
            let said = Describe.Result(points: [.monitor], principal: principal)
            talk.send(Wire.frame(WireMessage.answer(id, .success(RawJSON(encoding: said)))))
        }
    }

    private func length() -> Int { bytes(4).reduce(0) { $0 << 8 | Int($1) } }

    private func answer() -> String {
        String(decoding: bytes(length()), as: UTF8.self)
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
