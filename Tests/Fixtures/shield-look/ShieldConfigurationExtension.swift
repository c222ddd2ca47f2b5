import ManagedSettings
import ManagedSettingsUI
import UIKit

// Written as for iOS: compiled in language mode 5.
class ShieldConfigurationExtension: ShieldConfigurationDataSource {
    private var asked = 0

    override func configuration(shielding application: Application) -> ShieldConfiguration {
        asked += 1
        misbehave(application.bundleIdentifier ?? "")
        return ShieldConfiguration(
            backgroundBlurStyle: .systemThickMaterial,
            backgroundColor: UIColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 1),
            icon: UIImage(systemName: "hourglass"),
            title: ShieldConfiguration.Label(
                text: "\(application.localizedDisplayName ?? "?") ist zu \(asked)", color: .white),
            subtitle: ShieldConfiguration.Label(
                text: application.token == nil ? "no token" : "with a token", color: .systemGray),
            primaryButtonLabel: ShieldConfiguration.Label(text: "닫기", color: .black),
            primaryButtonBackgroundColor: .systemOrange,
            secondaryButtonLabel: ShieldConfiguration.Label(text: "More time", color: .systemBlue))
    }

    override func configuration(
        shielding application: Application, in category: ActivityCategory
    ) -> ShieldConfiguration {
        ShieldConfiguration(
            icon: largePicture,
            title: ShieldConfiguration.Label(
                text: "\(application.localizedDisplayName ?? "?") in \(category.localizedDisplayName ?? "?")",
                color: .label))
    }

    override func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
        ShieldConfiguration(
            title: ShieldConfiguration.Label(text: "site \(webDomain.domain ?? "?")", color: .label))
    }

    override func configuration(
        shielding webDomain: WebDomain, in category: ActivityCategory
    ) -> ShieldConfiguration {
        ShieldConfiguration(
            title: ShieldConfiguration.Label(
                text: "site in \(category.localizedDisplayName ?? "?")", color: .label))
    }

    /// Noise of 380 by 380 pixels, which no file makes small enough for a shield.
    private var largePicture: UIImage? {
        var pixels = (0..<380 * 380 * 4).map { _ in UInt8.random(in: 0...255) }
        for alpha in stride(from: 3, to: pixels.count, by: 4) { pixels[alpha] = 255 }
        return PNG(width: 380, height: 380, pixels: pixels).file.flatMap { UIImage(data: $0) }
    }

    private func misbehave(_ name: String) {
        switch name {
        case "org.example.crash": abort()
        case "org.example.hang": while true { pause() }
        case "org.example.slow": _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 4)
        case "org.example.late":
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 4)
            abort()
        default: break
        }
    }
}
