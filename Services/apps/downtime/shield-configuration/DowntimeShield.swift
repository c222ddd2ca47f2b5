import ManagedSettings
import ManagedSettingsUI
import UIKit

/// The shield of an app, with the texts of its seed document: one button for an app that was selected itself,
/// two if its category was selected.
final class DowntimeShield: ShieldConfigurationDataSource {
    private static let accent = UIColor(red: 0.36, green: 0.34, blue: 0.84, alpha: 1)

    override func configuration(shielding application: Application) -> ShieldConfiguration {
        shield(application.localizedDisplayName ?? "확인불가 앱", twoButtons: false)
    }

    override func configuration(
        shielding application: Application, in category: ActivityCategory
    ) -> ShieldConfiguration {
        shield(
            application.localizedDisplayName ?? category.localizedDisplayName ?? "확인불가 앱",
            twoButtons: true)
    }

    override func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
        shield(webDomain.domain ?? "확인불가 웹사이트", twoButtons: false)
    }

    override func configuration(
        shielding webDomain: WebDomain, in category: ActivityCategory
    ) -> ShieldConfiguration {
        shield(webDomain.domain ?? category.localizedDisplayName ?? "확인불가 웹사이트", twoButtons: true)
    }

    private func shield(_ name: String, twoButtons: Bool) -> ShieldConfiguration {
        ShieldConfiguration(
            backgroundBlurStyle: .systemChromeMaterialLight, backgroundColor: .white,
            icon: UIImage(systemName: "hourglass"),
            title: ShieldConfiguration.Label(text: "Screen Time 101", color: Self.accent),
            subtitle: ShieldConfiguration.Label(text: "\(name)은(는) 사용이 제한되었습니다.", color: .black),
            primaryButtonLabel: ShieldConfiguration.Label(text: "종료하기", color: .white),
            primaryButtonBackgroundColor: Self.accent,
            secondaryButtonLabel: twoButtons
                ? ShieldConfiguration.Label(text: "눌러도 효과없음", color: Self.accent) : nil)
    }
}
