import SwiftUI
import SwiftUISurface
import Testing

/// What apps write, compiled in language mode 5 by `Tests/Fixtures/swiftui-surface`, draws well-formed pages.
@MainActor struct SurfaceTests {
    @Test func everyViewIsAPage() throws {
        let views = SurfaceViews().all
        #expect(views.count > 80)
        for (index, view) in views.enumerated() {
            do { _ = try Page(view) } catch { Issue.record("view \(index): \(error)") }
        }
    }
    @Test func allOfThemAreOnePage() throws {
        let page = try Page(
            VStack {
                SurfaceViews()
                SurfaceLists()
            })
        #expect(page.text.contains("long long") || page.text.contains("short"))
    }
}
