import Foundation
import Testing
import UIKit

@Suite struct UIColorTests {
    @Test func componentsComeBackAsGiven() {
        var (red, green, blue, alpha) = (CGFloat(0), CGFloat(0), CGFloat(0), CGFloat(0))
        let color = UIColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4)
        #expect(color.getRed(&red, green: &green, blue: &blue, alpha: &alpha))
        #expect([red, green, blue, alpha] == [0.1, 0.2, 0.3, 0.4])
        UIColor(hue: 0.58, saturation: 0.4, brightness: 0.7, alpha: 1)
            .getHue(&red, saturation: &green, brightness: &blue, alpha: &alpha)
        let distances: [CGFloat] = [abs(red - 0.58), abs(green - 0.4), abs(blue - 0.7)]
        #expect(distances.allSatisfy { $0 < 1e-9 })
        UIColor(white: 0.25, alpha: 0.5).getWhite(&red, alpha: &alpha)
        #expect(red == 0.25 && alpha == 0.5)
    }

    @Test func huesGoRoundTheCircle() {
        let circle = ["#FF0000", "#FFFF00", "#00FF00", "#00FFFF", "#0000FF", "#FF00FF", "#FF0000"]
        for (sixth, hex) in circle.enumerated() {
            let color = UIColor(hue: CGFloat(sixth) / 6, saturation: 1, brightness: 1, alpha: 1)
            #expect(color.appearances.light.hex == hex)
        }
    }

    @Test func displayP3IsWiderThanSRGB() {
        let red = UIColor(displayP3Red: 1, green: 0, blue: 0, alpha: 1).appearances.light
        #expect(red.red > 1 && red.green < 0 && red.hex == "#FF0000")
        #expect(UIColor(displayP3Red: 1, green: 1, blue: 1, alpha: 1).appearances.light.hex == "#FFFFFF")
    }

    @Test func systemColoursDifferInTheDark() {
        #expect(UIColor.label.appearances.light.hex == "#000000")
        #expect(UIColor.label.appearances.dark.hex == "#FFFFFF")
        let blue = UIColor.systemBlue.resolvedColor(with: UITraitCollection(userInterfaceStyle: .dark))
        #expect(blue.appearances.light.hex == "#0A84FF")
        #expect(UIColor.secondaryLabel.appearances.light.hex == "#3C3C4399")
        #expect(UIColor.clear.appearances.light.alpha == 0)
    }

    @Test func aDynamicColourIsAskedForBoth() {
        let color = UIColor { $0.userInterfaceStyle == .dark ? .white : .systemRed }
        #expect(color.appearances.light.hex == "#FF3B30")
        #expect(color.appearances.dark.hex == "#FFFFFF")
        let half = color.withAlphaComponent(0.5)
        #expect(half.appearances.dark.alpha == 0.5 && half.appearances.dark.hex == "#FFFFFF80")
        UITraitCollection(userInterfaceStyle: .dark).performAsCurrent {
            #expect(color.cgColor.components == [1, 1, 1, 1])
        }
    }

    @Test func aColourThatOnlyAsksItselfEnds() {
        let color = UIColor { _ in Loop.color }
        #expect(color.appearances.light.hex == "#000000")
    }

    private enum Loop { static let color: UIColor = UIColor { _ in Loop.color } }

    @Test func equalityIsOfLooks() {
        #expect(UIColor(white: 1, alpha: 1) == UIColor.white)
        #expect(UIColor.white.hash == UIColor(red: 1, green: 1, blue: 1, alpha: 1).hash)
        #expect(UIColor.systemRed != UIColor.systemRed.withAlphaComponent(0.9))
        #expect(Set([UIColor.red, UIColor(cgColor: UIColor.red.cgColor)]).count == 1)
    }

    @Test func hexTextIsReadBackAndOddTextIsNot() {
        #expect(RGBA(hex: "#0A84FF")?.hex == "#0A84FF")
        #expect(RGBA(hex: "#0A84FF80")?.hex == "#0A84FF80")
        for odd in ["", "#", "0A84FF", "#0A84F", "#+A84FF", "#GGGGGG", "#0A84FF8"] {
            #expect(RGBA(hex: odd) == nil)
        }
        #expect(RGBA(.nan, .infinity, -1).hex == "#000000")
    }
}
