import Contract
import Rules
import Testing
import Units

/// Packed roll-ups and their sums.
struct UseSumTests {
    @Test func numbersOfEveryLengthAreRead() throws {
        var values: [Int64] = [0, .max]
        for bits in 1..<63 as Range<Int64> { values += [1 << bits - 1, 1 << bits, 1 << bits + 1] }
        var writer = PackedWriter()
        for value in values { writer.number(value) }
        try writer.bytes.withUnsafeBytes { bytes in
            var reader = PackedReader(bytes)
            for value in values {
                let found = try reader.number()
                #expect(found == value)
            }
            #expect(reader.isAtEnd)
            // Also at the end of the bytes, where no complete word is left.
            for count in 0..<bytes.count {
                var part = PackedReader(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                var found: [Int64] = []
                while !part.isAtEnd, let value = try? part.number() { found.append(value) }
                #expect(found == Array(values.prefix(found.count)))
            }
        }
    }

    @Test func numbersWithoutAnEndAreDamaged() {
        for count in [1, 7, 8, 9, 10, 40] {
            let bytes = [UInt8](repeating: 0xff, count: count)
            bytes.withUnsafeBytes { bytes in
                var reader = PackedReader(bytes)
                #expect(throws: PackedReader.Damaged.self) { try reader.number() }
            }
        }
    }

    /// Sums of packed and of unpacked sections against the summary of everything together.
    @Test(arguments: 0..<200)
    func aSumIsTheSummaryOfTheWhole(seed: Int) throws {
        var random = Chance(seed: UInt64(seed))
        let length: Milliseconds = 1_000
        let devices = Int.random(in: 1...3, using: &random)
        var (uses, marks): ([RecordedUse], [RecordedMark]) = ([], [])
        var packed = UseSectionsSum(.devices)
        var unpacked = UseSectionsSum(.devices)
        var subjects = UseSectionsSum(.subjects)
        var duration = UseSectionsSum(.duration)
        for segment in 0..<Int64.random(in: 1...8, using: &random) {
            let origin = Instant(length * segment)
            var (own, counts): ([RecordedUse], [RecordedMark]) = ([], [])
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let number = Int.random(in: 1...40, using: &random)
                let subject = RecordedSubject(
                    kind: number < 30 ? .app : .host, number: number,
                    site: number < 30 ? nil : 41 + number % 2)
                let device = Int.random(in: 1...devices, using: &random)
                let start = origin + Milliseconds(Int64.random(in: 0...900, using: &random))
                let long = Milliseconds(Int64.random(in: 0...600, using: &random))
                let end = min(start + long, origin + length)
                if let interval = TimeRange(start: start, end: end) {
                    own.append(RecordedUse(device: device, subject: subject, interval: interval))
                }
                counts.append(
                    RecordedMark(device: device, subject: subject, kind: .pickup, at: start, count: 1))
            }
            let sections = UseSections(uses: own, marks: counts)
            unpacked.add(sections)
            try sections.packed(from: origin).withUnsafeBytes { bytes in
                try packed.add(packed: bytes, from: origin)
                try subjects.add(packed: bytes, from: origin)
                try duration.add(packed: bytes, from: origin)
            }
            uses += own
            marks += counts
        }
        let whole = UseSections(uses: uses, marks: marks)
        #expect(packed.total == whole, "seed \(seed)")
        #expect(unpacked.total == whole, "seed \(seed)")
        #expect(subjects.total == UseSections(devices: [], all: whole.all), "seed \(seed)")
        #expect(duration.total.all.duration == whole.all.duration, "seed \(seed)")
    }

    @Test func subjectsKeepTheirPlaces() {
        var places = SubjectPlaces()
        // So many that some meet in the table, whenever it grows.
        var random = Chance(seed: 1)
        let subjects = (0..<5_000).map { _ in Int(truncatingIfNeeded: random.next()) } + [.max, .min]
        for (place, subject) in subjects.enumerated() { #expect(places.place(of: subject) == place) }
        for (place, subject) in subjects.enumerated() { #expect(places.place(of: subject) == place) }
        #expect(places.count == subjects.count)
    }
}
