import Combine
import SwiftUI

extension SurfaceViews {
    @ViewBuilder var c0: some View { LinearGradient.sunset.ignoresSafeArea() }
    @ViewBuilder var c1: some View {
        RadialGradient(colors: [.red, .clear], center: .center, startRadius: 0, endRadius: 100).blur(
            radius: 30
        ).edgesIgnoringSafeArea(.all)
    }
    var enumerated: some View {
        ForEach(Array(items.enumerated()), id: \.element.id) { index, item in
            HStack(alignment: .firstTextBaseline, spacing: 4) {
                Text("\(index + 1). \(item.name)")
                Spacer(minLength: 0)
                Text(item.value, format: .number.precision(.fractionLength(1)))
            }
        }
    }
    @ViewBuilder var c3: some View {
        ForEach($items) { $item in Toggle(item.name, isOn: $item.on).toggleStyle(CheckStyle()).tint(.green) }
    }
    @ViewBuilder var c4: some View { ForEach(Tab1.allCases) { t in Text(t.rawValue.capitalized).tag(t) } }
    @ViewBuilder var c5: some View { ForEach(0..<3, id: \.self) { i in sect(i) } }
    @ViewBuilder var c6: some View {
        ForEach([("a", 1), ("b", 2)], id: \.0) { pair in Text("\(pair.0): \(pair.1)") }
    }
    var m7: some View { Text("x").padding([.top, .horizontal], 12).padding(.bottom, 80) }
    @ViewBuilder var c8: some View { computed.card() }
    @ViewBuilder var c9: some View {
        Text("Total: ").font(.headline) + Text("\(total, specifier: "%.2f")").foregroundColor(.red).bold()
            + Text(" h")
    }
    @ViewBuilder var c10: some View {
        Text(Date(), style: .relative)
        Text(Date.now, format: .dateTime.hour().minute())
        Text(Date.now.formatted(date: .abbreviated, time: .shortened))
    }
    @ViewBuilder var c11: some View {
        Text("\(Image(systemName: "star")) stars").kerning(1).tracking(2).baselineOffset(3).underline()
            .strikethrough(color: .red).textCase(.uppercase).minimumScaleFactor(0.5).lineLimit(2...4)
            .truncationMode(.middle).multilineTextAlignment(.center).lineSpacing(3).fixedSize(
                horizontal: false, vertical: true
            ).allowsTightening(true)
    }
    @ViewBuilder var c12: some View {
        Text(verbatim: "x").monospaced().fontDesign(.rounded).fontWidth(.condensed).textSelection(.enabled)
            .privacySensitive().dynamicTypeSize(.large ... .xxLarge)
    }
    @ViewBuilder var c13: some View {
        Image("pic").renderingMode(.template).resizable(capInsets: EdgeInsets(), resizingMode: .stretch)
            .interpolation(.high).aspectRatio(contentMode: .fill).frame(width: 50, height: 50).clipShape(
                Circle()
            ).overlay(Circle().stroke(Color.white, lineWidth: 2)).clipped()
    }
    @ViewBuilder var c14: some View {
        Image(uiImage: UIImage(systemName: "star") ?? UIImage()).font(.system(size: 20, weight: .bold))
            .symbolRenderingMode(.hierarchical).imageScale(.large).foregroundStyle(.red, .blue).symbolEffect(
                .bounce, value: show
            ).symbolVariant(.fill)
    }
    @ViewBuilder var c15: some View {
        RoundedRectangle(cornerRadius: 8, style: .continuous).fill(.red.gradient).frame(height: 20).overlay(
            alignment: .topLeading
        ) { Text("o") }
    }
    @ViewBuilder var c16: some View {
        Rectangle().fill(LinearGradient(colors: [.red, .blue], startPoint: .leading, endPoint: .trailing))
            .mask(Text("mask").font(.largeTitle)).frame(height: 30)
    }
    @ViewBuilder var c17: some View {
        Capsule().fill(Color.accentColor.opacity(0.2)).frame(width: 80, height: 8, alignment: .leading)
    }
    @ViewBuilder var c18: some View {
        Circle().strokeBorder(style: StrokeStyle(lineWidth: 2, dash: [4, 2])).foregroundColor(.gray).frame(
            width: 20)
    }
    @ViewBuilder var c19: some View {
        UnevenRoundedRectangle(topLeadingRadius: 10, topTrailingRadius: 10).fill(.thinMaterial).frame(
            height: 10)
    }
    @ViewBuilder var c20: some View {
        Tri(k: 1).stroke(style: StrokeStyle(lineWidth: 1, lineCap: .round, lineJoin: .round)).rotation(
            .degrees(10)
        ).foregroundStyle(.tint)
    }
    @ViewBuilder var c21: some View { HexIns().strokeBorder(Color.red, lineWidth: 2) }
    @ViewBuilder var c22: some View {
        Path { p in
            p.addRect(CGRect(x: 0, y: 0, width: 10, height: 10))
            p.addEllipse(in: .zero)
        }.fill(Color.blue)
    }
    @ViewBuilder var c23: some View {
        Picker("Tab", selection: $tab) { ForEach(Tab1.allCases) { Text($0.rawValue).tag($0) } }.pickerStyle(
            SegmentedPickerStyle()
        ).labelsHidden()
    }
    @ViewBuilder var c24: some View {
        Picker(selection: $sel, label: Text("Sel")) {
            Text("None").tag(nil as Item?)
            ForEach(items) { Text($0.name).tag(Optional($0)) }
        }.pickerStyle(.menu)
    }
    @ViewBuilder var c25: some View {
        DatePicker("D", selection: $date, in: ...Date(), displayedComponents: [.date]).datePickerStyle(
            .compact)
    }
    @ViewBuilder var c26: some View {
        Slider(value: $val, in: 0...1, step: 0.1) {
            Text("v")
        } minimumValueLabel: {
            Text("0")
        } maximumValueLabel: {
            Text("1")
        }
    }
    @ViewBuilder var c27: some View { Stepper("Count \(vm.count)", value: $vm.count, in: 0...10, step: 2) }
    @ViewBuilder var c28: some View {
        TextField("Name", text: $text, prompt: Text("p")).textFieldStyle(.roundedBorder).focused($focus)
            .keyboardType(.numberPad).submitLabel(.done).onSubmit {}.autocorrectionDisabled()
            .textInputAutocapitalization(.never)
    }
    @ViewBuilder var c29: some View { TextField("N", value: $val, format: .number) }
    @ViewBuilder var c30: some View {
        SecureField("P", text: $text).focused($field, equals: .day)
        TextEditor(text: $text).frame(minHeight: 80)
    }
    @ViewBuilder var c31: some View {
        ProgressView(value: val, total: 1).progressViewStyle(.linear).tint(.orange)
        ProgressView().progressViewStyle(CircularProgressViewStyle(tint: .white)).scaleEffect(1.5)
        ProgressView(value: 0.2).progressViewStyle(RingStyle())
    }
    @ViewBuilder var c32: some View {
        Gauge(value: val, in: 0...1) {
            Text("G")
        } currentValueLabel: {
            Text("c")
        } minimumValueLabel: {
            Text("0")
        } maximumValueLabel: {
            Text("1")
        }.gaugeStyle(.accessoryCircular)
    }
    @ViewBuilder var c33: some View { Gauge(value: val) { Text("") }.gaugeStyle(RingGauge()) }
    @ViewBuilder var c34: some View {
        Label("L", systemImage: "star.fill").labelStyle(VLabel())
        Label {
            Text("t")
        } icon: {
            Circle().frame(width: 4)
        }.labelStyle(.titleAndIcon)
    }
    @ViewBuilder var c35: some View {
        Menu("M") {
            Button("a", action: {})
            Divider()
            Button("d", role: .destructive) { show.toggle() }
        }
    }
    @ViewBuilder var c36: some View {
        Menu {
            Picker("x", selection: $tab) { Text("a").tag(Tab1.day) }
        } label: {
            Image(systemName: "ellipsis")
        }
    }
    @ViewBuilder var c37: some View {
        Link("site", destination: URL(string: "https://a.b") ?? URL(fileURLWithPath: "/"))
        ShareLink(item: "x")
    }
    @ViewBuilder var c38: some View {
        GroupBox("G") { Text("in") }
        GroupBox {
            Text("in")
        } label: {
            Label("x", systemImage: "star")
        }
    }
    @ViewBuilder var c39: some View { DisclosureGroup("D", isExpanded: $show) { Text("inner") } }
    @ViewBuilder var c40: some View {
        ViewThatFits(in: .horizontal) {
            Text("long long")
            Text("short")
        }
    }
    @ViewBuilder var c41: some View {
        ContentUnavailableView("Nothing", systemImage: "tray", description: Text("d"))
    }
    @ViewBuilder var c42: some View {
        ContentUnavailableView {
            Label("x", systemImage: "star")
        } description: {
            Text("d")
        } actions: {
            Button("a") {}
        }
    }
    @ViewBuilder var c43: some View {
        TimelineView(.periodic(from: .now, by: 1)) { context in Text(context.date, style: .time) }
    }
    @ViewBuilder var c44: some View {
        TimelineView(.animation) { tl in
            Canvas { c, s in c.stroke(Path(CGRect(origin: .zero, size: s)), with: .color(.red), lineWidth: 2)
            }
        }
    }
    @ViewBuilder var c45: some View { LazyHGrid(rows: [GridItem(.fixed(20))]) { Text("x") } }
    @ViewBuilder var c46: some View {
        Grid(alignment: .leading, horizontalSpacing: 4, verticalSpacing: 2) {
            GridRow {
                Text("a")
                Text("b").gridColumnAlignment(.trailing)
            }
            Divider().gridCellUnsizedAxes(.horizontal)
            GridRow { Text("c").gridCellColumns(2) }
        }
    }
}
