import Contract
import ServiceKit

extension ShieldService {
    func answerExceptions() {
        service.read(ExceptionList.self) { [self] params, _ in
            let all = exceptions.inEffect.filter { params.member == nil || params.member == $0.member }
            return ExceptionList.Result(
                exceptions: Array(all.prefix(ShieldLimits.exceptionsListed)),
                leftOut: all.count > ShieldLimits.exceptionsListed
                    ? Int64(all.count - ShieldLimits.exceptionsListed) : nil,
                sequence: try service.eventLog.head())
        }
        service.write(ExceptionEnd.self) { [self] params, _, transaction in
            try exceptions.end(params.id, transaction)
            return try transaction.written()
        }
    }
}
