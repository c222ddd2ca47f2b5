import Contract
import Glibc
import JSON
import ScreenTimeTesting
import Testing

@Suite("members") struct AuthMemberTests {
    @Test func thePersonExistsFromTheFirstStartAndIsToldOnce() async throws {
        try await World.with(["auth-service"]) { world in
            let own = "uid-\(getuid())"
            let members = try await world.call(MemberList.self, Nothing()).members
            #expect(members.map(\.id) == [own])
            #expect(members.first?.role == .guardian)
            #expect(members.first?.uid == Int64(getuid()))
            let name = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) }
            #expect(members.first?.name == name)
            try await world.process("auth-service").stop()
            try await world.start("auth-service")
            let events = try world.record(.auth)
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Anna"))
            _ = try await events.first(MemberChanged.self) { $0.member.name == "Anna" }
            #expect(try events.all(MemberChanged.self).map(\.member.id) == [own, "member-Anna"])
        }
    }

    @Test func membersAreAddedAndRemovedByName() async throws {
        try await World.with(["auth-service"]) { world in
            let added = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Zoë", role: .child))
            #expect(added.member == Member(id: "member-Zoë", name: "Zoë", role: .child))
            #expect(
                await refusal { try await world.call(MemberAdd.self, .init(name: "zoË")) } == .alreadyExists)
            #expect(
                await refusal { try await world.call(MemberRemove.self, .init(name: "Bob")) } == .notFound)
            let own = try await world.call(MemberList.self, Nothing()).members.first { $0.uid != nil }
            let name = try #require(own?.name)
            #expect(
                await refusal { try await world.call(MemberRemove.self, .init(name: name)) }
                    == .invalidArgument)
            _ = try await world.call(MemberRemove.self, MemberRemove.Params(name: "Zoë"))
            #expect(try await world.call(MemberList.self, Nothing()).members.count == 1)
        }
    }

    @Test func namesHaveLimits() async throws {
        let good = ["a", String(repeating: "é", count: 64), "Anna-Lena 2"]
        let bad = ["", String(repeating: "é", count: 65), " a", "a\n", "uid-7", "member-a", "-x", "a\u{7}b"]
        try await World.with(["auth-service"]) { world in
            for name in good {
                #expect(
                    await refusal { try await world.call(MemberAdd.self, .init(name: name)) } == nil,
                    "\(name)")
            }
            for name in bad {
                let error = await refusal { try await world.call(MemberAdd.self, .init(name: name)) }
                #expect(error == .invalidParams, "'\(name)'")
            }
        }
    }

    @Test func membersHaveDaysOfTheirOwn() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Anna"))
            let set = MemberSet.Params(name: "Anna", zone: "Asia/Kathmandu", dayStartMinutes: 240)
            let member = try await world.call(MemberSet.self, set).member
            #expect(member.zone == "Asia/Kathmandu" && member.dayStartMinutes == 240)
            let told = try await events.first(MemberChanged.self) { $0.member.zone != nil }
            #expect(told.member == member)
            for (zone, minutes) in [("Mars/Base", nil), ("/etc/passwd", nil), ("../x", nil), (nil, 1_440)] {
                let params = MemberSet.Params(
                    name: "Anna", zone: zone, dayStartMinutes: minutes.map(Int64.init))
                #expect(await refusal { try await world.call(MemberSet.self, params) } == .invalidParams)
            }
            // Files of the time zone data that are not valid zones for the services.
            for zone in ["right/UTC", "right/Asia/Tokyo", "posixrules", "localtime"] {
                let params = MemberSet.Params(name: "Anna", zone: zone)
                let name = await refusal { try await world.call(MemberSet.self, params) }
                #expect(name == .invalidParams, "\(zone)")
            }
            try await world.process("auth-service").stop()
            try await world.start("auth-service")
            #expect(
                try await world.call(MemberList.self, Nothing()).members.first { $0.name == "Anna" }
                    == member)
            let back = MemberSet.Params(name: "member-Anna", zone: "system")
            let reset = try await world.call(MemberSet.self, back).member
            #expect(reset.zone == nil && reset.dayStartMinutes == 240)
            #expect(
                await refusal { try await world.call(MemberSet.self, .init(name: "Bob", zone: "UTC")) }
                    == .notFound)
        }
    }

    @Test func aRemovedMemberLeavesNoAuthorizationBehind() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Anna"))
            try await world.approve("org.example.a", events, member: "member-Anna")
            _ = try await world.call(MemberRemove.self, MemberRemove.Params(name: "Anna"))
            let gone = try await events.first(MemberChanged.self) { $0.removed }
            #expect(gone.member.name == "Anna")
            let last = try #require(try events.changes("org.example.a").last)
            #expect(last.revoked && last.authorization.status == .notDetermined)
            #expect(try await world.authorizations() == [])
        }
    }

    @Test func theSnapshotIsThePresentState() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Anna"))
            try await world.approve("org.example.a", events)
            let client = try world.client(.auth)
            let page = try await client.call(EventsSnapshot.self, EventsSnapshot.Params())
            #expect(page.nextPage == nil)
            let made = try page.events.map { try AnyEvent.decode($0.bytes) }
            #expect(made.map(\.head.type) == ["member.changed", "member.changed", "authorization.changed"])
            let last = try #require(made.last?.data)
            let change: AuthorizationChanged = try last.decoded()
            #expect(try await world.authorizations() == [change.authorization])
        }
    }
}
