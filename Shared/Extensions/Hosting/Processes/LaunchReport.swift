import Glibc

/// The launcher's report before it becomes the program; see Shared/Extensions/Launcher/main.c.
struct LaunchReport: Equatable {
    /// The program's process id in this namespace.
    var pid: Int32?
    /// Confinement in effect.
    var applied: [String] = []
    /// Confinement that could not be applied, with the reason.
    var missing: [String] = []
    /// Why the program could not be started.
    var failure: String?

    enum Reading {
        case packet(LaunchReport)
        /// Nothing to read now.
        case later
        /// The program started, or the launcher ended.
        case end
    }

    /// Reads one packet from the socket.
    static func receive(_ descriptor: Int32) -> Reading {
        var text = [UInt8](repeating: 0, count: 2_048)
        var control = [UInt8](repeating: 0, count: 64)
        var message = msghdr()
        let count = text.withUnsafeMutableBytes { text in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: text.baseAddress, iov_len: text.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return recvmsg(descriptor, &message, 0)
                }
            }
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return .later }
        guard count > 0 else { return .end }
        var report = LaunchReport(pid: sender(control, Int(message.msg_controllen)))
        for line in String(decoding: text[..<count], as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("!start: ") {
                report.failure = String(line.dropFirst(8))
            } else if line.hasPrefix("!") {
                report.missing.append(String(line.dropFirst()))
            } else {
                report.applied.append(String(line))
            }
        }
        return .packet(report)
    }

    /// The process id in a control message SCM_CREDENTIALS: a header of length, level and type (16 bytes),
    /// then pid, uid and gid (cmsg(3), unix(7)).
    private static func sender(_ control: [UInt8], _ length: Int) -> Int32? {
        guard length >= 28 else { return nil }
        return control.withUnsafeBytes { bytes in
            let level = bytes.loadUnaligned(fromByteOffset: 8, as: Int32.self)
            let type = bytes.loadUnaligned(fromByteOffset: 12, as: Int32.self)
            let pid = bytes.loadUnaligned(fromByteOffset: 16, as: Int32.self)
            return level == SOL_SOCKET && type == 2 && pid > 0 ? pid : nil
        }
    }
}
