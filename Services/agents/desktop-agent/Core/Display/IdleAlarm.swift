import CXcb
import Units

/// Reports idle and resumed by one alarm on the server's IDLETIME counter: the server wakes the agent at
/// these two instants only.
///
/// Three pitfalls, each seen on real servers:
/// - The names in the list of counters are not where `xcb_sync_systemcounter_name` points (2 bytes too far),
///   and its iterator drifts for the same reason, so the list is parsed by hand.
/// - Destroying an alarm sends a notification, too (state 2). Reacting to it causes an endless loop.
/// - A transition alarm set when the counter is already past it does not fire. Comparison alarms do, and the
///   counter is read before each arming, because the server compares with the value it read last.
struct IdleAlarm {
    private let connection: Connection
    private let counter: xcb_sync_counter_t
    private let alarm: xcb_sync_alarm_t
    private let threshold: Milliseconds
    private(set) var isIdle = false
    /// Whether the alarm could not be set again, since the server was silent.
    private var mustArm = false

    /// - Parameter threshold: time without input that counts as idle; at least 1.
    init(_ connection: Connection, threshold: Milliseconds) throws(DisplayError) {
        guard let counter = Self.findCounter(connection) else {
            throw .counterMissing(display: connection.display)
        }
        self.connection = connection
        self.counter = counter
        self.threshold = threshold
        alarm = xcb_generate_id(connection.raw)
        let idle = readCounter() ?? 0
        isIdle = idle >= threshold
        arm(creating: true)
    }

    /// Handles a notification. Returns `.idle`, `.resumed`, or both if one was missed.
    mutating func handle(_ event: xcb_sync_alarm_notify_event_t) -> [SessionEvent] {
        let isOurs = event.alarm == alarm && event.state != UInt8(XCB_SYNC_ALARMSTATE_DESTROYED.rawValue)
        guard isOurs else { return [] }
        var events: [SessionEvent] = []
        change(toIdle: Self.time(event.counter_value) >= threshold, &events)
        if let now = readCounter() { change(toIdle: now >= threshold, &events) }
        arm(creating: false)
        return events
    }

    /// Sets the alarm again if that was not possible. Call it when the server answers again.
    mutating func rearm() -> [SessionEvent] {
        guard mustArm, let now = readCounter() else { return [] }
        var events: [SessionEvent] = []
        change(toIdle: now >= threshold, &events)
        arm(creating: false)
        return events
    }

    private mutating func change(toIdle: Bool, _ events: inout [SessionEvent]) {
        guard toIdle != isIdle else { return }
        isIdle = toIdle
        events.append(toIdle ? .idle : .resumed)
    }

    private mutating func arm(creating: Bool) {
        let wanted = isIdle ? threshold - 1 : threshold
        let test = isIdle ? XCB_SYNC_TESTTYPE_NEGATIVE_COMPARISON : XCB_SYNC_TESTTYPE_POSITIVE_COMPARISON
        // Delta 0 with a comparison: the alarm fires once, until it is changed.
        var values = xcb_sync_create_alarm_value_list_t(
            counter: counter, valueType: XCB_SYNC_VALUETYPE_ABSOLUTE.rawValue, value: Self.wire(wanted),
            testType: test.rawValue, delta: Self.wire(0), events: 1)
        let all = XCB_SYNC_CA_COUNTER.rawValue | XCB_SYNC_CA_VALUE_TYPE.rawValue | XCB_SYNC_CA_VALUE.rawValue
            | XCB_SYNC_CA_TEST_TYPE.rawValue | XCB_SYNC_CA_DELTA.rawValue | XCB_SYNC_CA_EVENTS.rawValue
        guard !creating else {
            mustArm = !connection.tell { xcb_sync_create_alarm_aux($0, alarm, all, &values) }
            return
        }
        var changed = xcb_sync_change_alarm_value_list_t(
            counter: values.counter, valueType: values.valueType, value: values.value,
            testType: values.testType, delta: values.delta, events: values.events)
        mustArm = !connection.tell { xcb_sync_change_alarm_aux($0, alarm, all, &changed) }
    }

    /// Time since the last input; nil if the server does not answer.
    func readCounter() -> Milliseconds? {
        let question = connection.ask { xcb_sync_query_counter($0, counter).sequence }
        let reply = connection.answer(to: question, as: xcb_sync_query_counter_reply_t.self)
        guard let reply else { return nil }
        return Self.time(reply.body.pointee.counter_value)
    }

    private static func findCounter(_ connection: Connection) -> xcb_sync_counter_t? {
        let question = connection.ask { xcb_sync_list_system_counters($0).sequence }
        let reply = connection.answer(to: question, as: xcb_sync_list_system_counters_reply_t.self)
        guard let reply else { return nil }
        let bytes = UnsafeRawBufferPointer(start: reply.body, count: 32 + Int(reply.body.pointee.length) * 4)
        return findCounter(named: "IDLETIME", in: bytes, count: Int(reply.body.pointee.counters_len))
    }

    /// Parses a ListSystemCounters reply: a header of 32 bytes, then per counter id (4), resolution (8), name
    /// length (2), name, and padding to 4 (X Synchronization Extension Protocol, encoding).
    static func findCounter(named name: String, in bytes: UnsafeRawBufferPointer, count: Int) -> UInt32? {
        var offset = 32
        for _ in 0..<count where offset + 14 <= bytes.count {
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt16.self))
            guard offset + 14 + length <= bytes.count else { return nil }
            if bytes[(offset + 14)..<(offset + 14 + length)].elementsEqual(name.utf8) {
                return bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            }
            offset += (14 + length + 3) & ~3
        }
        return nil
    }

    private static func time(_ value: xcb_sync_int64_t) -> Milliseconds {
        Milliseconds(Int64(value.hi) << 32 | Int64(value.lo))
    }

    private static func wire(_ time: Milliseconds) -> xcb_sync_int64_t {
        let count = time.count
        return xcb_sync_int64_t(
            hi: Int32(truncatingIfNeeded: count >> 32), lo: UInt32(truncatingIfNeeded: count))
    }
}
