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
        limit: { screen, rule in
            switch (rule, screen.kind) {
            case (.limit, .domain) where screen.category == nil:
                ("시간 제한", "오늘 ‘\(screen.name)’ 사이트를 볼 수 있는 시간을 다 썼습니다.")
            case (.limit, _) where screen.category == nil:
                ("시간 제한", "오늘 ‘\(screen.name)’ 앱을 사용할 수 있는 시간을 다 썼습니다.")
            case (.limit, .domain):
                ("시간 제한", "오늘 ‘\(screen.name)’ 및 같은 카테고리의 사이트를 볼 수 있는 시간을 다 썼습니다.")
            case (.limit, _):
                ("시간 제한", "오늘 ‘\(screen.name)’ 및 같은 카테고리의 앱을 사용할 수 있는 시간을 다 썼습니다.")
            case (.hours, .domain): ("사용 시간 아님", "지금은 ‘\(screen.name)’ 사이트를 볼 수 있는 시간이 아닙니다.")
            case (.hours, _): ("사용 시간 아님", "지금은 ‘\(screen.name)’ 앱을 사용할 수 있는 시간이 아닙니다.")
            }
        },
        primary: "닫기",
        cancel: "취소",
        unreachable: { "지금은 스크린 타임에 연결할 수 없습니다. ‘\($0)’ 버튼을 누르면 앱이 종료됩니다." },
        closing: { closing, name, button in
            switch closing {
            case .stayed:
                "‘\(name)’ 앱이 종료되지 않았습니다. 저장할지 묻고 있을 수 있습니다. 이제 ‘\(button)’ 버튼을 누르면 저장하지 않고 종료됩니다."
            case .shared:
                "‘\(name)’ 앱이 종료되지 않았습니다. 다른 앱과 프로세스를 함께 쓰므로 강제로 종료하지 않습니다."
            case .asking: "‘\(name)’ 앱이 다른 창에서 묻고 있습니다. ‘\(button)’ 버튼을 누르면 그 창이 나타납니다."
            }
        },
        minuteToSave: "‘1분만 더’를 선택하면 저장할 수 있습니다.",
        announcement: { "‘\($0)’ 앱의 사용이 제한되었습니다" },
        icon: "모래시계",
        ask: .korean,
        warning: .korean)
}
