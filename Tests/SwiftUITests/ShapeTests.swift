import Foundation
import SwiftUI
import Testing

@MainActor struct ShapeTests {
    private func length(_ path: Path) -> Double {
        var (length, last, first) = (0.0, CGPoint.zero, CGPoint.zero)
        path.forEach { element in
            switch element {
            case .move(let point): (last, first) = (point, point)
            case .line(let point):
                length += hypot(Double(point.x - last.x), Double(point.y - last.y))
                last = point
            case .curve(let end, let one, let two):
                var before = last
                for step in 1...50 {
                    let (t, s) = (CGFloat(step) / 50, 1 - CGFloat(step) / 50)
                    func mix(_ part: (CGPoint) -> CGFloat) -> CGFloat {
                        s * s * s * part(last) + 3 * s * s * t * part(one) + 3 * s * t * t * part(two)
                            + t * t * t * part(end)
                    }
                    let here = CGPoint(x: mix { $0.x }, y: mix { $0.y })
                    length += hypot(Double(here.x - before.x), Double(here.y - before.y))
                    before = here
                }
                last = end
            case .quadCurve(let end, _): last = end
            case .closeSubpath:
                length += hypot(Double(first.x - last.x), Double(first.y - last.y))
                last = first
            }
        }
        return length
    }

    @Test(arguments: [(0.0, 0.25), (0.1, 0.9), (0.5, 1), (0, 1)] as [(Double, Double)])
    func trimmedPartsHaveTheirShareOfTheLength(from: Double, to: Double) {
        let square = CGRect(x: 0, y: 0, width: 100, height: 100)
        for path in [Circle().path(in: square), Rectangle().path(in: square), Capsule().path(in: square)] {
            let part = path.trimmedPath(from: CGFloat(from), to: CGFloat(to))
            #expect(abs(length(part) - (to - from) * length(path)) < 0.5)
        }
        #expect(abs(length(Circle().path(in: square)) - 100 * .pi) < 0.5)
    }

    @Test func aTrimmedCircleBeginsAtTheRight() {
        let square = CGRect(x: 0, y: 0, width: 100, height: 100)
        let quarter = Circle().path(in: square).trimmedPath(from: 0, to: 0.25)
        let end = quarter.currentPoint ?? .zero
        #expect(abs(end.x - 50) < 0.5 && abs(end.y - 100) < 0.5)
    }

    private struct Arc: Sendable {
        var start: Double
        var end: Double
        var clockwise: Bool
        var share: Double
    }
    nonisolated private static let arcs = [
        Arc(start: -90, end: 0, clockwise: false, share: 0.25),
        Arc(start: 0, end: 90, clockwise: true, share: 0.75),
        Arc(start: 0, end: 360, clockwise: false, share: 1),
        Arc(start: 350, end: 10, clockwise: false, share: 20 / 360),
        Arc(start: 350, end: 370, clockwise: false, share: 20 / 360),
        Arc(start: 10, end: -10, clockwise: false, share: 340 / 360),
    ]
    @Test(arguments: arcs)
    private func arcsGoTheRightWay(arc: Arc) {
        let (start, end, clockwise, share) = (arc.start, arc.end, arc.clockwise, arc.share)
        var path = Path()
        path.addArc(
            center: .zero, radius: 10, startAngle: .degrees(start), endAngle: .degrees(end),
            clockwise: clockwise)
        #expect(abs(length(path) - share * 20 * .pi) < 0.05)
    }

    @Test func shapesAreDrawn() throws {
        let page = try Page(
            VStack {
                RoundedRectangle(cornerRadius: 9).fill(.red).frame(height: 10)
                Circle().trim(from: 0, to: 0.5).stroke(
                    .blue, style: StrokeStyle(lineWidth: 8, lineCap: .round)
                )
                .frame(width: 60, height: 60)
                Capsule().strokeBorder(.green, lineWidth: 3).frame(width: 50, height: 20)
                Circle().fill(
                    AngularGradient(colors: [.red, .blue], center: .center)
                ).frame(width: 30, height: 30)
                Circle().fill(LinearGradient(colors: [.red, .blue], startPoint: .top, endPoint: .bottom))
                    .frame(width: 30, height: 30)
            })
        #expect(page.css.contains("border-radius:9px"))
        #expect(page.css.contains("outline:3px solid light-dark(#34c759,#30d158)"))
        let paths = page.all("path")
        #expect(
            paths.contains {
                $0.attributes["stroke-linecap"] == "round" && $0.attributes["stroke-width"] == "8"
            })
        #expect(page.css.contains("conic-gradient"))
        #expect(page.all("linearGradient").count == 1 && page.all("stop").count == 2)
        let names = page.elements.compactMap { $0.attributes["id"] }
        #expect(Set(names).count == names.count)
        #expect(page.all("svg").contains { $0.attributes["viewBox"] == "0 0 60 60" })
    }

    private struct Half: Shape {
        func path(in rect: CGRect) -> Path {
            Path(CGRect(x: 0, y: 0, width: rect.width / 2, height: rect.height))
        }
    }
    @Test func shapesOfOnesOwn() throws {
        let page = try Page(Half().fill(.pink).frame(width: 40, height: 20))
        #expect(page.all("path").first?.attributes["d"] == "M0 0L20 0L20 20L0 20Z")
        let clipped = try Page(Color.red.frame(width: 40, height: 20).clipShape(Half()))
        #expect(clipped.css.contains("clip-path:path(\"M0 0L20 0L20 20L0 20Z\")"))
    }

    @Test func numbersThatAreNoneAreWrittenAsSome() throws {
        let page = try Page(
            Rectangle().frame(width: .nan, height: -3).offset(x: .infinity).opacity(.nan).rotationEffect(
                .degrees(.nan)))
        #expect(!page.css.contains("nan") && !page.css.contains("inf"))
    }

    @Test func canvasesAreDrawn() throws {
        let page = try Page(
            Canvas { context, size in
                context.translateBy(x: 5, y: 0)
                context.fill(Path(ellipseIn: CGRect(origin: .zero, size: size)), with: .color(.red))
                context.draw(Text("<in>"), at: .zero, anchor: .topLeading)
            }
            .frame(width: 30, height: 10))
        #expect(page.all("g").first?.attributes["transform"] == "translate(5 0)")
        #expect(page.html.contains("&lt;in&gt;</text>"))
    }
}
