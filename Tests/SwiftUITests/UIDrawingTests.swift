import Foundation
import FoundationXML
import Testing
import UIKit

@Suite struct UIDrawingTests {
    @Test func anIconOnAColouredCircleIsVectors() throws {
        let image = UIGraphicsImageRenderer(size: CGSize(width: 80, height: 80)).image { context in
            UIColor.systemOrange.setFill()
            context.cgContext.fillEllipse(in: CGRect(x: 0, y: 0, width: 80, height: 80))
            let style = NSMutableParagraphStyle()
            style.alignment = .center
            "🔒 <b>".draw(
                in: CGRect(x: 0, y: 20, width: 80, height: 40),
                withAttributes: [
                    .font: UIFont.systemFont(ofSize: 20, weight: .bold), .foregroundColor: UIColor.white,
                    .paragraphStyle: style,
                ])
        }
        let svg = image.svg(dark: false)
        #expect(image.size == CGSize(width: 80, height: 80))
        #expect(
            svg.contains("#FF9500") && svg.contains("🔒 &lt;b&gt;") && svg.contains("text-anchor=\"middle\"")
        )
        #expect(throws: Never.self) { try XMLDocument(xmlString: svg) }
    }

    @Test func transformsAndClipsEndWithTheirState() {
        let image = UIGraphicsImageRenderer(size: CGSize(width: 10, height: 10)).image { context in
            let drawing = context.cgContext
            drawing.saveGState()
            drawing.translateBy(x: 5, y: 5)
            drawing.rotate(by: .pi / 2)
            drawing.clip(to: CGRect(x: 0, y: 0, width: 2, height: 2))
            drawing.setFillColor(UIColor.red.cgColor)
            drawing.fill(CGRect(x: 0, y: 0, width: 5, height: 5))
            drawing.restoreGState()
            drawing.fill(CGRect(x: 1, y: 1, width: 1, height: 1))
        }
        let svg = image.svg(dark: false)
        #expect(svg.contains("matrix(0 1 -1 0 5 5)") && svg.contains("clip-path=\"url(#clip-1)\""))
        #expect(svg.contains("<path d=\"M1 1H2V2H1Z\" fill=\"#000000\"/>"), "no transform, no clip: \(svg)")
    }

    @Test func aDrawingInADrawingKeepsItsOwnClips() throws {
        let inner = UIGraphicsImageRenderer(size: CGSize(width: 4, height: 4)).image { context in
            UIBezierPath(ovalIn: CGRect(x: 0, y: 0, width: 4, height: 4)).addClip()
            UIColor.green.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
        }
        let outer = UIGraphicsImageRenderer(size: CGSize(width: 8, height: 8)).image { _ in
            UIBezierPath(roundedRect: CGRect(x: 0, y: 0, width: 8, height: 8), cornerRadius: 2).addClip()
            inner.draw(in: CGRect(x: 2, y: 2, width: 4, height: 4))
        }
        let svg = outer.svg(dark: false)
        #expect(
            svg.components(separatedBy: "id=\"clip-1\"").count == 2,
            "the other one is in a document of its own")
        #expect(svg.contains("data:image/svg+xml;base64,"))
    }

    @Test func aScaledPhotoKeepsItsBytes() throws {
        let photo = try #require(UIImage(data: TinyImages.png(width: 300, height: 200)))
        let small = UIGraphicsImageRenderer(size: CGSize(width: 30, height: 20)).image { _ in
            photo.draw(in: CGRect(x: 0, y: 0, width: 30, height: 20))
        }
        #expect(small.size == CGSize(width: 30, height: 20))
        #expect(
            small.svg(dark: false).contains(TinyImages.png(width: 300, height: 200).base64EncodedString()))
    }

    @Test func theOldFunctionsDrawToo() throws {
        UIGraphicsBeginImageContextWithOptions(CGSize(width: 6, height: 6), false, 0)
        UIColor.blue.setStroke()
        let path = UIBezierPath()
        path.move(to: .zero)
        path.addLine(to: CGPoint(x: 6, y: 6))
        path.lineWidth = 2
        path.stroke()
        let image = try #require(UIGraphicsGetImageFromCurrentImageContext())
        UIGraphicsEndImageContext()
        #expect(image.svg(dark: false).contains("M0 0L6 6") && UIGraphicsGetCurrentContext() == nil)
    }

    @Test func numbersThatAreNoneSpoilNothing() {
        let image = UIGraphicsImageRenderer(size: CGSize(width: 6, height: 6)).image { context in
            context.fill(CGRect(x: CGFloat.nan, y: .infinity, width: -1, height: 1e300))
            context.cgContext.translateBy(x: .nan, y: 0)
            context.stroke(CGRect(x: 0, y: 0, width: 1, height: 1))
        }
        #expect(!image.svg(dark: false).contains("nan") && !image.svg(dark: false).contains("inf"))
    }

    @Test func transformsAreLinearAlgebra() {
        let turned = CGAffineTransform(translationX: 3, y: 4).rotated(by: .pi / 3).scaledBy(x: 2, y: 5)
        let point = CGPoint(x: 1, y: 2).applying(turned).applying(turned.inverted())
        #expect(abs(point.x - 1) + abs(point.y - 2) < 1e-9)
    }

    @Test func fontsHaveWeightsForStyleSheets() {
        #expect(UIFont.systemFont(ofSize: 12, weight: .bold).weight.css == 700)
        #expect(UIFont.preferredFont(forTextStyle: .headline).pointSize == 17)
        #expect(
            UIFont(name: "Avenir-Heavy\"><script>", size: 9)?.cssFamily == "'Avenir', system-ui, sans-serif"
        )
        #expect(UIBlurEffect.Style(rawValue: 18) == .systemMaterialDark)
        #expect(UIBlurEffect.Style(name: UIBlurEffect.Style.prominent.name) == .prominent)
    }
}

@Suite @MainActor struct UIControllerTests {
    @Test func childrenAndPresentedOnesAreKept() {
        let root = UIViewController()
        let navigation = UINavigationController(rootViewController: root)
        let next = UIViewController()
        navigation.pushViewController(next, animated: true)
        #expect(navigation.topViewController === next && next.parent === navigation)
        #expect(
            navigation.popViewController(animated: false) === next
                && navigation.popViewController(animated: false) == nil)
        root.present(next, animated: true)
        #expect(navigation.visible === next)
        next.dismiss(animated: true)
        #expect(navigation.visible === root && root.view.frame.width > 0)
    }

    @Test func theDeviceIsTheSameEveryTime() {
        #expect(UIDevice.current.identifierForVendor == UIDevice.current.identifierForVendor)
        #expect(UIDevice.current.systemName == "Linux" && UIDevice.current.userInterfaceIdiom == .mac)
    }
}
