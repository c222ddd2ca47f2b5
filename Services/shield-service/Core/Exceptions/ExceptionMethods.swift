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
        service.read(ExceptionHistory.self) { [self] params, _ in try readHistory(params) }
        service.write(ExceptionEnd.self) { [self] params, _, transaction in
            try exceptions.end(params.id, transaction)
            return try transaction.written()
        }
    }

    private func readHistory(_ params: ExceptionHistory.Params) throws -> ExceptionHistory.Result {
        let page = try service.history(
            after: params.after, types: [ExceptionBegan.type, ExceptionEnded.type])
        let entries = try page.items.compactMap { item -> ExceptionEntry? in
            let ended = try item.decoded(ExceptionEnded.self)
            guard let exception = try ended?.exception ?? item.decoded(ExceptionBegan.self)?.exception,
                params.member == nil || params.member == exception.member
            else { return nil }
            return ExceptionEntry(
                sequence: item.sequence, at: item.at, trace: item.trace, exception: exception,
                ending: ended?.ending)
        }
        return ExceptionHistory.Result(
            entries: entries, first: page.first, head: page.head, through: page.through)
    }
}
