import CPosix
import Foundation

/// Shows a program's clocks: what each call says now, or when timers wake it.
///
/// `clock-fixture now` prints one line of `NAME=milliseconds`; `clock-fixture cut BYTES` prints it, cuts the
/// file of the clock page off, and prints it again. `clock-fixture timers REALTIME BOOTTIME` arms
/// a timer at the instant REALTIME (UTC ms) that a set clock cancels and one in BOOTTIME ms, and prints
/// `realtime`, `cancelled` and `boottime` as they come, each with the time by its clock.
@main struct ClockFixture {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        switch (words.first, words.dropFirst().compactMap { Int($0) }) {
        case ("now", _): say(now())
        case ("cut", let numbers) where numbers.count == 1:
            say(now())
            truncate(String(cString: getenv("SCREENTIME_CLOCK_PAGE")), numbers[0])
            say(now())
        case ("timers", let numbers) where numbers.count == 2: runTimers(numbers[0], numbers[1])
        default: exit(64)
        }
    }

    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func read_ms(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    private static func now() -> String {
        var day = timeval()
        gettimeofday(&day, nil)
        let shown = [
            ("realtime", read_ms(CLOCK_REALTIME)), ("coarse", read_ms(CLOCK_REALTIME_COARSE)),
            ("boottime", read_ms(CLOCK_BOOTTIME)), ("monotonic", read_ms(CLOCK_MONOTONIC)),
            ("gettimeofday", day.tv_sec * 1_000 + Int(day.tv_usec) / 1_000), ("time", time(nil) * 1_000),
            ("date", Int(Date().timeIntervalSince1970 * 1_000)),
        ]
        return shown.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
    }

    private static func runTimers(_ at_ms: Int, _ in_ms: Int) {
        let wall = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK))
        let boot = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_NONBLOCK))
        arm(wall, Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET), at_ms)
        arm(boot, 0, in_ms)
        say("armed")
        let epoll = epoll_create1(0)
        for descriptor in [wall, boot] {
            var event = epoll_event(events: UInt32(EPOLLIN.rawValue), data: epoll_data_t(fd: descriptor))
            epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
        }
        var left = 2
        while left > 0 {
            var event = epoll_event()
            guard epoll_wait(epoll, &event, 1, -1) == 1 else { continue }
            var count: UInt64 = 0
            let result = read(event.data.fd, &count, 8)
            if result < 0, errno == ECANCELED {
                say("cancelled \(read_ms(CLOCK_REALTIME))")
            } else if result == 8 {
                let (name, clock) =
                    event.data.fd == wall ? ("realtime", CLOCK_REALTIME) : ("boottime", CLOCK_BOOTTIME)
                say("\(name) \(read_ms(clock))")
                left -= 1
            }
        }
    }

    private static func arm(_ descriptor: Int32, _ flags: Int32, _ milliseconds: Int) {
        var when = itimerspec()
        when.it_value = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
        timerfd_settime(descriptor, flags, &when, nil)
    }
}
