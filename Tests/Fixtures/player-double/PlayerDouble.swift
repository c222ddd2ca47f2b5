import CPosix
import CSystemd
import Glibc

/// A media player on the session bus, as MPRIS has it: `player-double NAME FILE` owns
/// org.mpris.MediaPlayer2.NAME and writes its pid to FILE. SIGUSR1 lets it play, SIGUSR2 pause, SIGTERM
/// ends it.
@main struct PlayerDouble {
    static func main() {
        guard CommandLine.arguments.count == 3 else { exit(64) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGUSR1, SIGUSR2, SIGTERM] { sigaddset(&signals, number) }
        sigprocmask(SIG_BLOCK, &signals, nil)
        let told = signalfd(-1, &signals, 0)
        var made: OpaquePointer?
        let name = "org.mpris.MediaPlayer2." + CommandLine.arguments[1]
        guard sd_bus_open_user(&made) >= 0, let bus = made, sd_bus_request_name(bus, name, 0) >= 0 else {
            exit(69)
        }
        let file = fopen(CommandLine.arguments[2], "w")
        guard let file, fputs("\(getpid())\n", file) >= 0, fclose(file) == 0 else { exit(73) }
        var isPlaying = false
        while true {
            var arrived: OpaquePointer?
            let result = sd_bus_process(bus, &arrived)
            if let arrived {
                answer(arrived, isPlaying)
                sd_bus_message_unref(arrived)
            }
            guard result >= 0 else { exit(0) }
            guard result == 0 else { continue }
            var polled = [
                pollfd(fd: sd_bus_get_fd(bus), events: Int16(POLLIN), revents: 0),
                pollfd(fd: told, events: Int16(POLLIN), revents: 0),
            ]
            poll(&polled, 2, -1)
            guard polled[1].revents != 0 else { continue }
            var signal = signalfd_siginfo()
            guard read(told, &signal, MemoryLayout.size(ofValue: signal)) > 0 else { continue }
            if signal.ssi_signo == UInt32(SIGTERM) { exit(0) }
            isPlaying = signal.ssi_signo == UInt32(SIGUSR1)
            announce(bus, isPlaying)
        }
    }

    private static func code(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

    private static func answer(_ message: OpaquePointer, _ isPlaying: Bool) {
        guard sd_bus_message_is_method_call(message, nil, "Get") > 0 else { return }
        var reply: OpaquePointer?
        sd_bus_message_new_method_return(message, &reply)
        append(reply, isPlaying)
        sd_bus_send(nil, reply, nil)
        sd_bus_message_unref(reply)
    }

    private static func append(_ message: OpaquePointer?, _ isPlaying: Bool) {
        sd_bus_message_open_container(message, code("v"), "s")
        sd_bus_message_append_basic(message, code("s"), isPlaying ? "Playing" : "Paused")
        sd_bus_message_close_container(message)
    }

    private static func announce(_ bus: OpaquePointer, _ isPlaying: Bool) {
        var signal: OpaquePointer?
        sd_bus_message_new_signal(
            bus, &signal, "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties", "PropertiesChanged")
        sd_bus_message_append_basic(signal, code("s"), "org.mpris.MediaPlayer2.Player")
        sd_bus_message_open_container(signal, code("a"), "{sv}")
        sd_bus_message_open_container(signal, code("e"), "sv")
        sd_bus_message_append_basic(signal, code("s"), "PlaybackStatus")
        append(signal, isPlaying)
        sd_bus_message_close_container(signal)
        sd_bus_message_close_container(signal)
        sd_bus_message_open_container(signal, code("a"), "s")
        sd_bus_message_close_container(signal)
        sd_bus_send(bus, signal, nil)
        sd_bus_message_unref(signal)
    }
}
