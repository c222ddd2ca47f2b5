import Units

/// Serialisation of the machine's state: a version, then its parts; integers as zigzag varints, names with
/// their length. Equal machines have equal bytes.
extension UsageMachine {
    /// The version that is written. Version 1 can be read, too.
    static let bytesVersion: Int64 = 2

    /// Why stored bytes cannot be read; the observations can rebuild the state.
    package enum DecodingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The bytes have another version: apply the stream from its beginning instead.
        case version(Int64)
        case damaged(offset: Int)

        package var description: String {
            switch self {
            case .version(let found):
                "reading a stored usage machine: it has version \(found), this program reads "
                    + "\(UsageMachine.bytesVersion); rebuild it from the observations"
            case .damaged(let offset):
                "reading a stored usage machine: byte \(offset) is damaged; "
                    + "rebuild it from the observations"
            }
        }
    }

    /// The state as bytes.
    package func encoded() -> [UInt8] {
        var writer = StateWriter()
        writer.integer(Self.bytesVersion)
        writer.integer(Int64(away.rawValue))
        writer.optional(bootID) { $0.text($1) }
        writer.optional(last) { $0.stamp($1) }
        writer.optional(focus) { $0.subject($1) }
        // 0: none, 1: an active tab, 2: a visit with its end.
        writer.integer(tab.map { $0.until == nil ? 1 : 2 } ?? 0)
        if let tab {
            writer.text(tab.host)
            writer.optional(tab.browser) { $0.text($1) }
            if let until = tab.until { writer.instant(until) }
        }
        writer.optional(pickup) {
            $0.instant($1.at)
            $0.optional($1.already) { $0.subject($1) }
        }
        writer.integer(Int64(front.count))
        for (subject, holders) in front.sorted(by: { $0.key < $1.key }) { writer.front(subject, holders) }
        writer.integer(Int64(running.count))
        for (subject, stamp) in running.sorted(by: { $0.key < $1.key }) {
            writer.subject(subject)
            writer.stamp(stamp)
        }
        writer.optional(sign) { $0.stamp($1) }
        return writer.bytes
    }

    /// Restores the state from the bytes of ``encoded()``.
    package init(decoding bytes: [UInt8]) throws(DecodingError) {
        var reader = StateReader(bytes)
        let version = try reader.integer()
        guard (1...Self.bytesVersion).contains(version) else { throw .version(version) }
        away = Away(rawValue: UInt8(truncatingIfNeeded: try reader.integer())).intersection(.all)
        bootID = try reader.flag() ? reader.text() : nil
        last = try reader.flag() ? reader.stamp() : nil
        focus = try reader.flag() ? reader.subject() : nil
        let tabKind = try reader.integer()
        guard (0...2).contains(tabKind) else { throw reader.damage }
        if tabKind > 0 {
            tab = Tab(host: try reader.text(), browser: try reader.flag() ? reader.text() : nil)
            if tabKind == 2 { tab?.until = try reader.instant() }
        }
        if try reader.flag() {
            pickup = PendingPickup(
                at: try reader.instant(), already: try reader.flag() ? reader.subject() : nil)
        }
        for _ in 0..<(try reader.count()) {
            let subject = try reader.subject()
            front[subject] = try reader.holders()
        }
        for _ in 0..<(try reader.count()) {
            let subject = try reader.subject()
            running[subject] = try reader.stamp()
        }
        // Version 1 has no heartbeats.
        if version > 1, try reader.flag() { sign = try reader.stamp() }
        guard reader.isAtEnd else { throw reader.damage }
    }
}

private struct StateWriter {
    var bytes: [UInt8] = []

    mutating func integer(_ value: Int64) {
        var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
        while rest > 0x7f {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func text(_ value: String) {
        integer(Int64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    mutating func optional<Value>(_ value: Value?, _ body: (inout StateWriter, Value) -> Void) {
        integer(value == nil ? 0 : 1)
        if let value { body(&self, value) }
    }

    mutating func subject(_ subject: Subject) {
        integer(Int64(subject.kind.rawValue))
        text(subject.id)
    }

    mutating func instant(_ instant: Instant) { integer(instant.milliseconds) }

    mutating func stamp(_ stamp: UsageMachine.Stamp) {
        instant(stamp.at)
        optional(stamp.boot) {
            $0.text($1.id)
            $0.integer($1.elapsed.count)
        }
    }

    /// Focus and tab as two bits, then the open instances in order.
    mutating func front(_ subject: Subject, _ holders: Set<UsageMachine.Holder>) {
        self.subject(subject)
        integer((holders.contains(.focus) ? 1 : 0) | (holders.contains(.tab) ? 2 : 0))
        var instances: [Int64] = []
        for case .instance(let instance) in holders { instances.append(instance) }
        integer(Int64(instances.count))
        for instance in instances.sorted() { integer(instance) }
    }
}

private struct StateReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }
    var damage: UsageMachine.DecodingError { .damaged(offset: offset) }

    mutating func integer() throws(UsageMachine.DecodingError) -> Int64 {
        var rest: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard offset < bytes.count else { throw damage }
            let byte = bytes[offset]
            offset += 1
            rest |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return Int64(bitPattern: rest >> 1) ^ -Int64(bitPattern: rest & 1) }
        }
        throw damage
    }

    mutating func instant() throws(UsageMachine.DecodingError) -> Instant {
        Instant(milliseconds: try integer())
    }

    mutating func flag() throws(UsageMachine.DecodingError) -> Bool {
        switch try integer() {
        case 0: false
        case 1: true
        default: throw damage
        }
    }

    /// A number of items that follow; each has at least one byte.
    mutating func count() throws(UsageMachine.DecodingError) -> Int {
        let count = try integer()
        guard count >= 0 && count <= bytes.count - offset else { throw damage }
        return Int(count)
    }

    mutating func text() throws(UsageMachine.DecodingError) -> String {
        let length = try count()
        guard let text = String(validating: bytes[offset..<offset + length], as: UTF8.self) else {
            throw damage
        }
        offset += length
        return text
    }

    mutating func subject() throws(UsageMachine.DecodingError) -> Subject {
        let code = UInt8(truncatingIfNeeded: try integer())
        guard let kind = Subject.Kind(rawValue: code) else { throw damage }
        return Subject(kind, try text())
    }

    mutating func stamp() throws(UsageMachine.DecodingError) -> UsageMachine.Stamp {
        let at = try instant()
        guard try flag() else { return UsageMachine.Stamp(at: at, boot: nil) }
        let id = try text()
        return UsageMachine.Stamp(at: at, boot: .init(id: id, elapsed: Milliseconds(try integer())))
    }

    mutating func holders() throws(UsageMachine.DecodingError) -> Set<UsageMachine.Holder> {
        let bits = try integer()
        guard (0...3).contains(bits) else { throw damage }
        var holders: Set<UsageMachine.Holder> = []
        if bits & 1 != 0 { holders.insert(.focus) }
        if bits & 2 != 0 { holders.insert(.tab) }
        for _ in 0..<(try count()) { holders.insert(.instance(try integer())) }
        guard !holders.isEmpty else { throw damage }
        return holders
    }
}
