extension Words {
    static let korean = Words(
        language: "ko",
        title: "사용이 제한됨",
        subtitle: { name, kind in
            switch kind {
            case .domain: "‘\(name)’ 사이트는 사용이 제한되어 있어 지금은 볼 수 없습니다."
            default: "‘\(name)’ 앱은 사용이 제한되어 있어 지금은 열 수 없습니다."
            }
        },
        primary: "확인",
        cancel: "취소",
        unreachable: { "지금은 스크린 타임에 연결할 수 없습니다. ‘\($0)’ 버튼을 누르면 앱이 종료됩니다." },
        announcement: { "‘\($0)’ 앱의 사용이 제한되었습니다" },
        icon: "모래시계",
        ask: .korean,
        warning: .korean)
}
