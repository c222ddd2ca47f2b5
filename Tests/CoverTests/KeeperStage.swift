import Bus
import Contract
import Loop
import ServiceKit
import Units

@testable import CoverCore

/// The rules of covers on a desktop, and with services, of which a test says what happens.
@LoopActor final class KeeperStage {
    let placement = FakePlacement()
    var views: [FakeView] = []
    var presses: [ShieldPress.Params] = []
    var answers: [CoverKeeper.Ports.PressEnd] = []
    var created: [RequestCreate.Params] = []
    var decided: [RequestDecide.Params] = []
    var requestAnswers: [Asking.Ports.End] = []
    var decoded: [PictureFile] = []
    var decodings: [PictureDecoder.End] = []
    var asked = 0
    var refreshed = 0
    var now: Instant = 1_000_000
    let lines = Lines()
    let tracer = Tracer(service: "test")
    private(set) lazy var keeper = CoverKeeper(
        placement, ports, words: .english, tracer: tracer, log: Log(name: "test", level: .info, to: lines),
        idleTime: idleTime)
    let idleTime: Milliseconds

    init(idle: Milliseconds = 60_000) {
        idleTime = idle
        placement.windows = [1: true, 2: true, 3: false]
    }

    private var ports: CoverKeeper.Ports {
        CoverKeeper.Ports(
            makeView: { [unowned self] in
                views.append(FakeView())
                return views[views.count - 1]
            },
            press: { [unowned self] params, _, end in
                presses.append(params)
                answers.append(end)
            },
            askForLooks: { [unowned self] in asked += 1 }, appearance: { .light },
            asking: Asking.Ports(
                create: { [unowned self] params, _, end in
                    created.append(params)
                    requestAnswers.append(end)
                },
                decide: { [unowned self] params, _, end in
                    decided.append(params)
                    requestAnswers.append(end)
                },
                refresh: { [unowned self] in refreshed += 1 }, now: { [unowned self] in now },
                time: { "@\($0.milliseconds)" }),
            decode: { [unowned self] file, end in
                decoded.append(file)
                decodings.append(end)
            })
    }

    func show(
        _ window: Int64, name: String = "Game", subject: String = "game", closing: CoverClosing? = nil,
        question: Int64? = nil
    ) -> Result<Bool, ServiceError>? {
        var answer: Result<Bool, ServiceError>?
        let cover = CoveredWindow(
            window: window, app: subject, name: name, subject: subject, closing: closing,
            question: question)
        keeper.show(CoverShow.Params(cover: cover), trace: .root()) { answer = $0 }
        return answer
    }

    func appear(_ window: UInt32) { placement.onEvent?(window, .shown) }
    func press(_ response: ShieldResponse) {
        let action = ShieldActionTaken(subject: "game", response: response)
        answers.removeFirst()(.success(ShieldPress.Result(action: action, sequence: 1)))
    }
    func fail(_ name: ErrorName) {
        answers.removeFirst()(.failure(ServiceError(name, "test", remedy: "none")))
    }
    var waiting: [CoverPress] {
        var found: [CoverPress] = []
        keeper.presses.wait(after: 0) { found = $0 }
        return found
    }
}
