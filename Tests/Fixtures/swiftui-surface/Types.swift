// Written as in apps for iOS: compiling it in language mode 5 checks what reports depend on.
import Combine
import SwiftUI

enum Tab1: String, CaseIterable, Identifiable, Codable {
    case day, week
    var id: String { rawValue }
}
class VM: ObservableObject {
    @Published var items: [String] = []
    @Published var isOn = false
    @AppStorage("count") var count = 0
    static let shared = VM()
    private var bag = Set<AnyCancellable>()
    func load() async { items = ["a"] }
    init() { $isOn.sink { _ in }.store(in: &bag) }
}
struct Item: Identifiable, Hashable {
    var id = UUID()
    var name = "n"
    var value = 1.0
    var on = false
}
struct CardModifier: ViewModifier {
    var color: Color = .blue
    @Environment(\.colorScheme) private var scheme
    func body(content: Content) -> some View {
        content.padding().background(scheme == .dark ? Color.black : Color.white).cornerRadius(12).shadow(
            color: color.opacity(0.2), radius: 4, x: 0, y: 2)
    }
}
extension View {
    func card(_ c: Color = .blue) -> some View { modifier(CardModifier(color: c)) }
    @ViewBuilder func `if`<T: View>(_ cond: Bool, transform: (Self) -> T) -> some View {
        if cond { transform(self) } else { self }
    }
}
extension Color {
    init(hex: String) {
        var int: UInt64 = 0
        Scanner(string: hex).scanHexInt64(&int)
        self.init(
            .sRGB, red: Double(int >> 16 & 0xFF) / 255, green: Double(int >> 8 & 0xFF) / 255,
            blue: Double(int & 0xFF) / 255, opacity: 1)
    }
    static let brand = Color(hex: "FF0000")
    static let bg = Color("Background")
}
extension Font { static let hero = Font.system(size: 40, weight: .heavy, design: .rounded).monospacedDigit() }
extension LinearGradient {
    static let sunset = LinearGradient(
        gradient: Gradient(colors: [.orange, .pink]), startPoint: .topLeading, endPoint: .bottomTrailing)
}
struct PressStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View {
        configuration.label.scaleEffect(configuration.isPressed ? 0.95 : 1).opacity(
            configuration.isPressed ? 0.8 : 1
        ).animation(.easeInOut(duration: 0.1), value: configuration.isPressed)
    }
}
extension ButtonStyle where Self == PressStyle { static var press: PressStyle { PressStyle() } }
struct CheckStyle: ToggleStyle {
    func makeBody(configuration: Configuration) -> some View {
        Button {
            configuration.isOn.toggle()
        } label: {
            HStack {
                Image(systemName: configuration.isOn ? "checkmark.square" : "square")
                configuration.label
            }
        }
    }
}
struct RingStyle: ProgressViewStyle {
    func makeBody(configuration: Configuration) -> some View {
        Circle().trim(from: 0, to: CGFloat(configuration.fractionCompleted ?? 0)).stroke(
            Color.red, lineWidth: 4)
    }
}
struct RingGauge: GaugeStyle {
    func makeBody(configuration: Configuration) -> some View { Text("\(configuration.value)") }
}
struct VLabel: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack {
            configuration.icon
            configuration.title
        }
    }
}
struct Key1: EnvironmentKey { static var defaultValue: Int = 3 }
extension EnvironmentValues {
    var key1: Int {
        get { self[Key1.self] }
        set { self[Key1.self] = newValue }
    }
}
struct HeightKey: PreferenceKey {
    static var defaultValue: CGFloat = 0
    static func reduce(value: inout CGFloat, nextValue: () -> CGFloat) { value = max(value, nextValue()) }
}
struct Tri: Shape, Animatable {
    var k: Double
    var animatableData: Double {
        get { k }
        set { k = newValue }
    }
    func path(in rect: CGRect) -> Path {
        var path = Path()
        path.move(to: CGPoint(x: rect.midX, y: rect.minY))
        path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
        path.addArc(center: .zero, radius: 3, startAngle: .degrees(0), endAngle: .radians(1), clockwise: true)
        path.addQuadCurve(to: .zero, control: .zero)
        path.closeSubpath()
        return path.applying(CGAffineTransform(rotationAngle: 1))
    }
}
struct HexIns: InsettableShape {
    var inset: CGFloat = 0
    func path(in r: CGRect) -> Path { Path(r.insetBy(dx: inset, dy: inset)) }
    func inset(by a: CGFloat) -> some InsettableShape {
        var c = self
        c.inset += a
        return c
    }
}
func helper(_ x: Int) -> some View { Text("\(x)").font(.caption) }
enum Theme {
    static func row(_ s: String) -> some View {
        HStack {
            Text(s)
            Spacer()
        }.padding()
    }
    static var title: Text { Text("x").bold() }
}
@Observable class Store {
    var n = 1
    var list = ["a"]
    var t: Item?
}
