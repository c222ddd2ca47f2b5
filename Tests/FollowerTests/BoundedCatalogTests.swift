import Units
import Contract
import Loop
import Testing

@testable import ActivityCore
@testable import ServiceKit

/// The catalogue's content from devices and lists is limited, and known entries can still change.
@Suite @LoopActor struct BoundedCatalogTests {
    private func observe(_ center: ActivityCenter, _ device: Int, _ apps: [Int], name: String = "n") throws {
        let apps = apps.map { InstalledApp(app: "org.example.a\($0)", name: name) }
        _ = try center.service.transact(trace: nil) {
            try center.catalog.observe(CatalogObserve.Params(device: "device-\(device)", apps: apps), $0)
        }
    }

    private func refusal(_ body: () throws -> Void) -> ServiceError? {
        do { try body() } catch { return error as? ServiceError }
        return nil
    }

    @Test func appsAreKnownUpToALimit() throws {
        let center = try ActivityCenter(try TestDirectory().configuration())
        let each = ActivityLimits.appsMax
        for device in 0..<ActivityLimits.appsKept / each {
            try observe(center, device, Array(device * each..<(device + 1) * each))
        }
        let error = refusal { try observe(center, 1_000, [ActivityLimits.appsKept]) }
        #expect(error?.name == .limitExceeded && error?.message.contains("appsKept") == true)
        #expect(center.catalog.catalog.apps.count == ActivityLimits.appsKept)
        // Those that are known may come to another device, and be called otherwise.
        try observe(center, 1_000, [1, 2], name: "other")
        #expect(center.catalog.catalog.apps["org.example.a1"]?.facts.name == "other")
    }

    @Test func appsOfDevicesAreKnownUpToALimit() throws {
        let center = try ActivityCenter(try TestDirectory().configuration())
        let all = Array(0..<ActivityLimits.appsMax)
        for device in 0..<ActivityLimits.installedMax / all.count { try observe(center, device, all) }
        let error = refusal { try observe(center, 1_000, [1]) }
        #expect(error?.name == .limitExceeded && error?.message.contains("installedMax") == true)
        // A device that is gone makes room.
        _ = try center.service.transact(trace: nil) {
            try center.catalog.observe(
                CatalogObserve.Params(device: "device-0", apps: [], gone: ["org.example.a7"]), $0)
        }
        try observe(center, 1_000, [1])
    }

    @Test func listsUnderWayAreBoundedAndWhoGoesOnStays() throws {
        let center = try ActivityCenter(try TestDirectory().configuration())
        let lists = center.catalog.catalog.lists
        func group(_ number: Int) -> [CatalogGroup] {
            [CatalogGroup(category: "games", domains: ["d\(number).example"])]
        }
        func underWay() throws -> Int64 {
            try center.service.database.integer("SELECT count(*) FROM domain_list WHERE state = 0")
        }
        try center.service.transact(trace: nil) { _ in
            var going = try lists.begin("goes on", attempt: "a", now: 0)
            for number in 0..<3 * ActivityLimits.comingMax {
                let now = Instant(Milliseconds(2 * number))
                var other = try lists.begin("l\(number)", attempt: "a", now: now)
                try lists.add(group(number), to: &other, now: now)
                try lists.add(group(number), to: &going, now: now + 1)
                #expect(try underWay() <= ActivityLimits.comingMax)
            }
            #expect(try lists.coming("goes on", attempt: "a")?.parts == Int64(3 * ActivityLimits.comingMax))
            #expect(try lists.coming("l0", attempt: "a") == nil)
            // So many domains as if each of them was as long as a list may be.
            try center.service.database.run(
                "UPDATE domain_list SET domains = ?1 WHERE state = 0", ActivityLimits.domainsMax)
            _ = try lists.begin("last", attempt: "a", now: 1_000)
            #expect(try underWay() == 3)
        }
    }

    /// On a full disk, the rows of a removed list are not deleted again and again.
    @Test func anUndoneDeletionOfAListWaits() async throws {
        let center = try ActivityCenter(try TestDirectory().configuration())
        let service = center.service
        try service.transact(trace: nil) {
            try $0.database.run(
                "INSERT INTO domain_list (name, state, attempt, parts, domains, imported_ms) "
                    + "VALUES ('l', 2, 'a', 1, 0, 0)")
        }
        service.endTurn()
        let faults = CommitFaults(service.database)
        faults.failsCommit = { true }
        center.catalog.sweep()
        var isLater = false
        service.loop.after(200) { isLater = true }
        try await untilTurn("ten pauses between two deletions passed") {
            service.endTurn()
            return isLater
        }
        // The service itself writes now and then, too.
        #expect((1...3).contains(faults.failures), "\(faults.failures)")
        service.close()
    }
}
