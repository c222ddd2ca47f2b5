import Glibc
import Loop
import ScreenTimeTesting
import Testing

@testable import Bus

/// A connection that sends arbitrary bytes, including ZMTP (rfc.zeromq.org/spec/23) that libzmq never sends.
@LoopActor final class BarePeer {
    private let descriptor: Int32
    private(set) var received: [UInt8] = []
    /// Whether the other end has closed the connection.
    private(set) var isClosed = false

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(connected == 0)
    }

    isolated deinit { close(descriptor) }

    /// Says all of it, unless the other end closes the connection before.
    func say(_ bytes: [UInt8]) async {
        var left = bytes[...]
        while !left.isEmpty, !isClosed {
            let count = left.withUnsafeBytes { bytes in
                send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { left = left.dropFirst(count) }
            if count < 0, errno != EAGAIN { isClosed = true }
            if count < 0 { await Task.yield() }
        }
    }

    func listen() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isClosed {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { received += buffer[..<count] }
            if count == 0 || count < 0 && errno != EAGAIN { isClosed = true }
            if count < 0 { return }
        }
    }

    /// Waits until `count` bytes arrived or the other end closed the connection.
    func hear(_ count: Int) async {
        while received.count < count, !isClosed {
            listen()
            await Task.yield()
        }
    }

    /// Waits for the other end's greeting and its READY: nothing may follow one's own before that.
    func hearReady() async {
        await hear(66)
        if received.count >= 66 { await hear(66 + Int(received[65])) }
    }

    // MARK: ZMTP 3

    nonisolated static let signature: [UInt8] =
        [0xff] + [UInt8](repeating: 0, count: 8) + [0x7f, 3, 0] + Array("NULL".utf8)
        + [UInt8](repeating: 0, count: 48)

    nonisolated static func property(_ name: String, _ value: [UInt8]) -> [UInt8] {
        [UInt8(name.utf8.count)] + Array(name.utf8)
            + [0, 0, UInt8(value.count >> 8), UInt8(value.count & 255)] + value
    }

    /// - Parameters:
    ///   - flags: 4 is a command; 2, besides: with its length in eight bytes.
    nonisolated static func frame(_ body: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        let isLong = body.count > 255 || flags & 2 != 0
        guard isLong else { return [flags, UInt8(body.count)] + body }
        return [flags | 2] + (0..<8).map { UInt8(truncatingIfNeeded: body.count >> (56 - 8 * $0)) } + body
    }

    nonisolated static func ready(_ type: String, _ properties: [UInt8] = [], flags: UInt8 = 4) -> [UInt8] {
        let body = [5] + Array("READY".utf8) + property("Socket-Type", Array(type.utf8)) + properties
        return frame(body, flags: flags)
    }
}
