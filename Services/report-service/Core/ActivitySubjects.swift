import Contract
import JSON
import Rules

/// What a nested answer writes of each subject and category, prepared at its first use.
struct ActivitySubjects {
    struct Category {
        var name: String
        /// Upper bound for its bytes, without subjects.
        var bytes: Int
    }

    struct Known {
        var subject: ReportSubjects.Subject
        /// Index of its category.
        var category: Int
        /// Among all subjects, sorted by category, then key.
        var rank = 0
        /// Upper bound for the bytes of an app's record.
        var bytes: Int
    }

    let subjects: ReportSubjects
    private(set) var all: [Known] = []
    private(set) var categories: [Category] = []
    /// The beginning of each subject's record as an app, before the first number.
    private(set) var starts = PreparedParts()
    private var places = SubjectPlaces()
    private var categoryPlaces: [String: Int] = [:]
    private var isRanked = true

    init(_ subjects: ReportSubjects) { self.subjects = subjects }

    /// Index of a subject in ``all``.
    mutating func place(of number: Int) throws -> Int {
        let place = places.place(of: number)
        guard place == all.count else { return place }
        let subject = try subjects.subject(number)
        let name = subject.name.map { ",\"name\":\($0.json)" } ?? ""
        starts.add("{\"app\":\(subject.key.json)\(name),\"total_activity_ms\":".utf8)
        all.append(
            Known(
                subject: subject, category: category(subject.category),
                bytes: 170 + subject.key.utf8.count + (subject.name ?? "").utf8.count))
        isRanked = false
        return place
    }

    private mutating func category(_ name: String) -> Int {
        if let place = categoryPlaces[name] { return place }
        categoryPlaces[name] = categories.count
        categories.append(Category(name: name, bytes: 120 + name.utf8.count))
        return categories.count - 1
    }

    /// Makes the ranks valid, after subjects were added.
    mutating func rank() {
        if isRanked { return }
        let order = all.indices.sorted { left, right in
            let (left, right) = (all[left].subject, all[right].subject)
            return (left.category, left.key) < (right.category, right.key)
        }
        for (rank, place) in order.enumerated() { all[place].rank = rank }
        isRanked = true
    }
}
