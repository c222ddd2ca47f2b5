import Combine
import SwiftUI

public struct SurfaceViews: View {
    public init() {}
    @StateObject var vm = VM()
    @ObservedObject var shared = VM.shared
    @State var tab: Tab1 = .day
    @State var items: [Item] = [Item(), Item()]
    @State var sel: Item?
    @State var multi = Set<UUID>()
    @State var show = false
    @State var text = ""
    @State var date = Date()
    @State var val = 0.5
    @State var store = Store()
    @FocusState var focus: Bool
    @FocusState var field: Tab1?
    @GestureState var drag = CGSize.zero
    @Namespace var ns
    @Environment(\.dismiss) var dismiss
    @Environment(\.openURL) var openURL
    @Environment(\.presentationMode) var pm
    @Environment(\.scenePhase) var phase
    @Environment(\.horizontalSizeClass) var hs
    @Environment(\.key1) var key1
    @Environment(\.locale) var locale
    @Environment(\.accessibilityReduceMotion) var rm
    @AppStorage("name", store: UserDefaults(suiteName: "group.x")) var name = "x"
    @AppStorage("tab") var stTab: Tab1 = .day
    @SceneStorage("s") var sc = 1
    @ScaledMetric var size: CGFloat = 10
    let timer = Timer.publish(every: 1, on: .main, in: .common).autoconnect()
    let columns = [
        GridItem(.flexible(minimum: 10), spacing: 4), GridItem(.adaptive(minimum: 80, maximum: 100)),
    ]
    var computed: some View {
        Group {
            Text("g")
            Text("h")
        }.font(.hero)
    }
    @ViewBuilder func sect(_ i: Int) -> some View {
        switch i {
        case 0: Text("zero")
        case 1: Image(systemName: "1.circle")
        default: EmptyView()
        }
        if let s = sel, i > 1 { Text(s.name) } else if show { Text("shown") }
        if #available(iOS 17.0, *) { Text("new") }
    }
    let total = 1.0
    /// Every one of them, to be drawn for itself.
    public var all: [AnyView] {
        [
            AnyView(computed),
            AnyView(c0),
            AnyView(c1),
            AnyView(enumerated),
            AnyView(c3),
            AnyView(c4),
            AnyView(c5),
            AnyView(c6),
            AnyView(m7),
            AnyView(c8),
            AnyView(c9),
            AnyView(c10),
            AnyView(c11),
            AnyView(c12),
            AnyView(c13),
            AnyView(c14),
            AnyView(c15),
            AnyView(c16),
            AnyView(c17),
            AnyView(c18),
            AnyView(c19),
            AnyView(c20),
            AnyView(c21),
            AnyView(c22),
            AnyView(c23),
            AnyView(c24),
            AnyView(c25),
            AnyView(c26),
            AnyView(c27),
            AnyView(c28),
            AnyView(c29),
            AnyView(c30),
            AnyView(c31),
            AnyView(c32),
            AnyView(c33),
            AnyView(c34),
            AnyView(c35),
            AnyView(c36),
            AnyView(c37),
            AnyView(c38),
            AnyView(c39),
            AnyView(c40),
            AnyView(c41),
            AnyView(c42),
            AnyView(c43),
            AnyView(c44),
            AnyView(c45),
            AnyView(c46),
            AnyView(c47),
            AnyView(m48),
            AnyView(m49),
            AnyView(geo1),
            AnyView(geo2),
            AnyView(m50),
            AnyView(m51),
            AnyView(m52),
            AnyView(m53),
            AnyView(m54),
            AnyView(m55),
            AnyView(m56),
            AnyView(m57),
            AnyView(m58),
            AnyView(m59),
            AnyView(m60),
            AnyView(m61),
            AnyView(m62),
            AnyView(m63),
            AnyView(m64),
            AnyView(m65),
            AnyView(m66),
            AnyView(m67),
            AnyView(m68),
            AnyView(m69),
            AnyView(m70),
            AnyView(m71),
            AnyView(m72),
            AnyView(m73),
            AnyView(m74),
            AnyView(m75),
            AnyView(m76),
            AnyView(m77),
            AnyView(m78),
            AnyView(m79),
            AnyView(m80),
            AnyView(m81),
            AnyView(m82),
            AnyView(m83),
            AnyView(m84),
            AnyView(m85),
            AnyView(m86),
            AnyView(m87),
            AnyView(m88),
            AnyView(m89),
            AnyView(m90),
            AnyView(m91),
            AnyView(m92),
        ]
    }
    public var body: some View {
        ForEach(all.indices, id: \.self) { all[$0] }.environmentObject(vm).environment(store)
    }
}
