import Combine
import SwiftUI

public struct SurfaceLists: View {
    public init() {}
    @State var items = [Item()]
    @State var selection: Item.ID?
    @State var set = Set<UUID>()
    public var body: some View {
        List(items) { Text($0.name) }.listStyle(.insetGrouped)
        List(items, selection: $selection) { i in Text(i.name) }.listStyle(PlainListStyle())
        List(items, id: \.id) { i in NavigationLink(destination: Text("d")) { Text(i.name) } }
        List($items) { $i in TextField("x", text: $i.name) }
        List(selection: $set) {
            ForEach(items) { Text($0.name) }.onDelete { items.remove(atOffsets: $0) }.onMove {
                items.move(fromOffsets: $0, toOffset: $1)
            }
        }
        Form {
            Section {
                Text("x")
            } header: {
                Text("h")
            } footer: {
                Text("f")
            }
            Section(header: Text("old")) { Text("y") }
            Section(footer: Text("f")) { Text("z") }
        }
        NavigationView {
            Text("x").navigationBarTitle("t", displayMode: .inline).navigationBarItems(
                trailing: Button("e") {})
        }.navigationViewStyle(.stack)
        NavigationSplitView {
            Text("s")
        } detail: {
            Text("d")
        }
        TabView {
            Text("1").tabItem {
                Image(systemName: "star")
                Text("one")
            }.tag(0)
        }.tabViewStyle(.page(indexDisplayMode: .always))
        ScrollViewReader { proxy in
            ScrollView(.horizontal) { HStack { ForEach(items) { Text($0.name).id($0.id) } } }.onAppear {
                proxy.scrollTo(items[0].id, anchor: .center)
            }
        }
    }
}
public struct SurfaceApp: App {
    public init() {}
    @StateObject private var vm = VM()
    @Environment(\.scenePhase) var phase
    public var body: some Scene {
        WindowGroup { SurfaceLists().environmentObject(vm) }.onChange(of: phase) { _ in }
    }
}
