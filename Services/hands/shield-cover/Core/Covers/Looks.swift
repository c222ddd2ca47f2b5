import Contract
import Loop

/// The looks of subjects, each made into a face once, and their pictures.
@LoopActor final class Looks {
    private struct Key: Hashable {
        var subject: CoverSubject
        var name: String
        var appearance: Appearance
    }

    private let words: Words
    private let pictures: PictureShelf
    private var looks: [CoverSubject: ShieldLook] = [:]
    private var faces: [Key: CoverFace] = [:]
    /// Reasons that were logged, so that they are not logged again with each paint.
    private var logged: [CoverSubject: Set<String>] = [:]

    init(words: Words, pictures: PictureShelf) {
        self.words = words
        self.pictures = pictures
    }

    func replace(with fresh: [CoverSubject: ShieldLook]) {
        faces = faces.filter { looks[$0.key.subject] == fresh[$0.key.subject] }
        looks = fresh
    }

    /// Forgets what belongs to no cover.
    func keep(only subjects: Set<CoverSubject>) {
        looks = looks.filter { subjects.contains($0.key) }
        faces = faces.filter { subjects.contains($0.key.subject) }
        logged = logged.filter { subjects.contains($0.key) }
        pictures.keep(only: Set(faces.values.compactMap(\.icon.file)))
    }

    func face(of about: CoveredWindow, _ appearance: Appearance) -> CoverFace {
        let name = about.name.isEmpty ? about.app : about.name
        let key = Key(subject: CoverSubject(about), name: name, appearance: appearance)
        if let face = faces[key] { return face }
        let face = CoverFace(
            looks[key.subject], of: name, about.kind, words: words, appearance: appearance)
        faces[key] = face
        return face
    }

    /// The picture of a face, as soon as it is decoded, and what of its look cannot be shown.
    func picture(of face: CoverFace) -> (pixels: Pixels?, refused: [String]) {
        guard let file = face.icon.file else { return (nil, face.refused) }
        switch pictures.state(of: file) {
        case .waiting: return (nil, face.refused)
        case .decoded(let pixels): return (pixels, face.refused)
        case .refused(let reason): return (nil, face.refused + [reason])
        }
    }

    /// Whether a reason was not logged before for this subject.
    func isNew(_ reason: String, for subject: CoverSubject) -> Bool {
        logged[subject, default: []].insert(reason).inserted
    }
}
