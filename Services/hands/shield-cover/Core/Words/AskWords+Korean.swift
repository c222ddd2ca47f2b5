import Contract

extension AskWords {
    static let korean = AskWords(
        ask: "추가 시간 요청",
        subject: { subject in
            switch subject.kind {
            case .app: "이 앱"
            case .domain: "이 사이트"
            case .category:
                subject.subject == "all" ? "모든 앱" : "‘\(KoreanWords.category(subject.subject))’ 앱 모두"
            case .domainCategory:
                subject.subject == "all" ? "모든 사이트" : "‘\(KoreanWords.category(subject.subject))’ 사이트 모두"
            }
        },
        minute: "1분만 더",
        length: { KoreanWords.length(minutes: $0) },
        reason: "이유(선택 사항)",
        back: "뒤로",
        allow: "지금 허용",
        asked: { time, minutes, what in
            "\(time)에 \(what.map { $0 + " " } ?? "")\(KoreanWords.length(minutes: minutes)) 사용을 요청했습니다."
        },
        othersDecide: { names in
            names.isEmpty ? "보호자가 결정합니다." : "\(names.joined(separator: ", ")) 님이 결정합니다."
        },
        ownDelay: { minutes in
            minutes == 0 ? "직접 결정할 수 있습니다."
                : "요청하고 \(KoreanWords.length(minutes: minutes)) 뒤에 직접 결정할 수 있습니다."
        },
        ownFrom: { "\($0)부터 직접 결정할 수 있습니다." },
        ownNow: "이제 직접 결정할 수 있습니다.",
        expires: { "요청은 \($0)에 만료됩니다." },
        denied: { time, answer in
            answer.map { "\(time)에 거절됨: \($0)" } ?? "\(time)에 요청이 거절되었습니다."
        },
        expired: { "\($0)에 한 요청이 만료되었습니다." },
        allowed: { "\($0)까지 허용되었습니다." },
        problem: { problem in
            switch problem {
            case .conflict: "그사이 요청이 바뀌었습니다. 확인한 뒤 다시 요청하십시오."
            case .limit: "대기 중인 요청이 너무 많습니다. 나중에 다시 시도하십시오."
            case .tooEarly: "아직 결정할 수 없습니다. 잠시 후 다시 시도하십시오."
            case .minuteUsed: "오늘의 추가 1분은 이미 사용했습니다."
            case .unreachable, .unanswered: "지금은 스크린 타임에 연결할 수 없습니다. 다시 시도하십시오."
            case .refused: "스크린 타임이 요청을 거부했습니다."
            }
        })
}
