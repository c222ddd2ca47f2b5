import Combine
import SwiftUI

extension SurfaceViews {
    @ViewBuilder var c47: some View {
        Button(action: { withAnimation(.spring(response: 0.3, dampingFraction: 0.6)) { show.toggle() } }) {
            Text("B").frame(maxWidth: .infinity)
        }.buttonStyle(.press).buttonStyle(.borderedProminent).controlSize(.large).buttonBorderShape(.capsule)
            .disabled(!show)
    }
    var m48: some View {
        Text("x").scrollIndicators(.hidden).scrollTargetBehavior(.viewAligned).refreshable { await vm.load() }
    }
    var m49: some View {
        Text("x").scrollContentBackground(.hidden).safeAreaInset(edge: .bottom) { Text("bottom") }
    }
    var geo1: some View {
        GeometryReader { geo in
            Color.clear.preference(key: HeightKey.self, value: geo.frame(in: .global).height).onAppear {
                val = Double(geo.size.width)
            }
        }
    }
    var geo2: some View {
        GeometryReader { geo in
            Color.clear.preference(key: HeightKey.self, value: geo.frame(in: .named("s")).minY)
        }
    }
    var m50: some View {
        Text("x").navigationTitle("T").navigationBarTitleDisplayMode(.inline).navigationBarBackButtonHidden(
            true)
    }
    var m51: some View {
        Text("x").toolbar {
            ToolbarItem(placement: .navigationBarTrailing) { Button("x") { dismiss() } }
            ToolbarItemGroup(placement: .keyboard) {
                Spacer()
                Button("Done") { focus = false }
            }
            if show { ToolbarItem { Text("s") } }
        }
    }
    var m52: some View {
        Text("x").toolbarBackground(.visible, for: .navigationBar).toolbarBackground(Color.red, for: .tabBar)
            .toolbarColorScheme(.dark, for: .navigationBar)
    }
    var m53: some View {
        Text("x").searchable(text: $text, prompt: "Find").navigationDestination(for: Item.self) {
            Text($0.name)
        }
    }
    var m54: some View {
        Text("x").sheet(isPresented: $show) {
            Text("s").presentationDetents([.medium, .fraction(0.3)]).presentationDragIndicator(.visible)
        }
    }
    var m55: some View {
        Text("x").sheet(item: $sel) { item in Text(item.name) }.fullScreenCover(isPresented: $show) {
            Text("f")
        }
    }
    var m56: some View {
        Text("x").alert("A", isPresented: $show) {
            Button("OK", role: .cancel) {}
        } message: {
            Text("m")
        }
    }
    var m57: some View {
        Text("x").alert(isPresented: $show) {
            Alert(title: Text("t"), message: Text("m"), dismissButton: .default(Text("OK")))
        }
    }
    var m58: some View {
        Text("x").confirmationDialog("C", isPresented: $show, titleVisibility: .visible) { Button("x") {} }
    }
    var m59: some View {
        Text("x").onAppear { Task { await vm.load() } }.onDisappear(perform: {}).task { await vm.load() }
    }
    var m60: some View { Text("x").task(id: tab) {} }
    var m61: some View {
        Text("x").onChange(of: tab) { _ in }.onChange(of: val) { o, n in _ = o + n }.onChange(of: show) {
            text = ""
        }
    }
    var m62: some View { Text("x").onChange(of: phase, initial: true) {} }
    var m63: some View {
        Text("x").onReceive(timer) { _ in }.onReceive(vm.$isOn) { on in show = on }.onReceive(
            NotificationCenter.default.publisher(for: Notification.Name("x"))
        ) { _ in }
    }
    var m64: some View {
        Text("x").onTapGesture {}.onTapGesture(count: 2) {}.gesture(
            DragGesture(minimumDistance: 0).onChanged { v in val = Double(v.translation.width) }.onEnded {
                _ in
            })
    }
    var m65: some View { Text("x").onLongPressGesture {} }
    var m66: some View {
        Text("x").gesture(DragGesture().updating($drag) { v, s, _ in s = v.translation }).simultaneousGesture(
            TapGesture().onEnded {})
    }
    var m67: some View {
        Text("x").animation(.default, value: val).animation(
            .easeInOut(duration: 1).repeatForever(autoreverses: true), value: show
        ).transition(.asymmetric(insertion: .scale, removal: .opacity))
    }
    var m68: some View {
        Text("x").matchedGeometryEffect(id: "a", in: ns).contentTransition(.numericText()).sensoryFeedback(
            .impact, trigger: val)
    }
    var m69: some View {
        Text("x").onPreferenceChange(HeightKey.self) { val = Double($0) }.coordinateSpace(name: "s")
            .environment(\.key1, 4)
    }
    var m70: some View {
        Text("x").environment(\.colorScheme, .dark).environmentObject(vm).environment(store)
    }
    var m71: some View { Text("x").environment(\.locale, .init(identifier: "de")) }
    var m72: some View {
        Text("x").accessibilityElement(children: .combine).accessibilityLabel("l").accessibilityLabel(
            Text("x"))
    }
    var m73: some View {
        Text("x").accessibilityValue("v").accessibilityHint("h").accessibilityAddTraits([
            .isButton, .isHeader,
        ])
    }
    var m74: some View { Text("x").accessibilityIdentifier("i").accessibilityHidden(false) }
    var m75: some View {
        Text("x").redacted(reason: show ? .placeholder : []).drawingGroup().compositingGroup()
    }
    var m76: some View { Text("x").blendMode(.multiply).contentShape(Rectangle()).allowsHitTesting(false) }
    var m77: some View {
        Text("x").rotation3DEffect(.degrees(10), axis: (x: 0, y: 1, z: 0)).hueRotation(.degrees(3)).grayscale(
            show ? 1 : 0)
    }
    var m78: some View { Text("x").position(x: 10, y: 10).offset(y: -4).offset(drag) }
    var m79: some View { Text("x").border(.red).border(Color.red, width: 2).preferredColorScheme(.dark) }
    var m80: some View {
        Text("x").containerRelativeFrame(.horizontal).glassEffect().glassEffect(
            .regular, in: .rect(cornerRadius: 3))
    }
    var m81: some View { Text("x").help("h").statusBarHidden().interactiveDismissDisabled() }
    var m82: some View {
        Text("x").swipeActions { Button("d") {} }.contextMenu { Button("c") {} }.listRowInsets(EdgeInsets())
    }
    var m83: some View { Text("x").listRowSeparator(.hidden).listRowBackground(Color.clear).badge(3) }
    var m84: some View {
        Text("x").background { RoundedRectangle(cornerRadius: 3).fill(.regularMaterial) }.background(
            .blue.opacity(0.1)
        ).background(Color.red.opacity(0.1), in: Capsule())
    }
    var m85: some View {
        Text("x").background(.ultraThinMaterial).background(LinearGradient.sunset).background(alignment: .top)
        { Text("x") }
    }
    var m86: some View {
        Text("x").overlay(RoundedRectangle(cornerRadius: 4).stroke(.gray.opacity(0.3), lineWidth: 1)).overlay
        { if show { ProgressView() } }.if(show) { $0.bold() }
    }
    var m87: some View {
        Text("x").foregroundStyle(.primary).foregroundStyle(.secondary).foregroundStyle(.white.opacity(0.8))
    }
    var m88: some View { Text("x").foregroundStyle(Color.primary.gradient).foregroundColor(nil).tint(.red) }
    var m89: some View {
        Text("x").accentColor(.blue).font(.system(.title2, design: .rounded, weight: .bold)).font(
            .title3.weight(.semibold))
    }
    var m90: some View { Text("x").font(.custom("Inter", size: 13)) }
    var m91: some View {
        Text("x").frame(
            minWidth: 0, maxWidth: .infinity, minHeight: 0, maxHeight: .infinity, alignment: .topLeading
        ).layoutPriority(1).scaledToFit()
    }
    var m92: some View { Text("x").aspectRatio(16 / 9, contentMode: .fit) }
}
