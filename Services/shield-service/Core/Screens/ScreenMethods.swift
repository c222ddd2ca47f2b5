import Contract
import ServiceKit

extension ShieldService {
    func answerScreens() {
        service.later(ShieldScreenRead.self) { [self] params, context in
            let result = try await screens.read(params, context.trace)
            try await service.committed()
            return result
        }
        service.later(ShieldPress.self) { [self] params, context in
            let action = try await screens.press(params, context.trace)
            try await service.committed()
            return ShieldPress.Result(action: action, sequence: try service.eventLog.head())
        }
    }
}
