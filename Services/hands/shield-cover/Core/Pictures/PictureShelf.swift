import Loop

/// The pictures of looks. Each is decoded once, one after the other, and kept while a cover may show it. A
/// rule without GTK.
@LoopActor final class PictureShelf {
    typealias Decode = @LoopActor (PictureFile, @escaping PictureDecoder.End) -> Void

    enum State: Equatable { case waiting, decoded(Pixels), refused(String) }

    private let decode: Decode
    private var states: [PictureFile: State] = [:]
    private var queue: [PictureFile] = []
    private var isDecoding = false
    /// Called when a picture was decoded or refused.
    var onChange: (@LoopActor () -> Void)?

    init(decode: @escaping Decode) { self.decode = decode }

    /// A picture; it is decoded from the first question on.
    func state(of file: PictureFile) -> State {
        if let state = states[file] { return state }
        states[file] = .waiting
        queue.append(file)
        next()
        return .waiting
    }

    /// Forgets all others.
    func keep(only files: Set<PictureFile>) {
        states = states.filter { files.contains($0.key) }
        queue.removeAll { !files.contains($0) }
    }

    private func next() {
        guard !isDecoding, !queue.isEmpty else { return }
        isDecoding = true
        let file = queue.removeFirst()
        decode(file) { [weak self] result in
            guard let self else { return }
            isDecoding = false
            // Nil if no cover needs it any more.
            if states[file] == .waiting {
                states[file] = switch result {
                case .success(let pixels): .decoded(pixels)
                case .failure(let refusal): .refused("the icon is not shown: \(refusal.reason)")
                }
                onChange?()
            }
            next()
        }
    }
}
