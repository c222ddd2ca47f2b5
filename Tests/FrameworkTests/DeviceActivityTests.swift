import Contract
import Rules
import Foundation
import Testing

@testable import DeviceActivity

/// Values of DeviceActivity, without any process.
@Suite struct DeviceActivityTests {
    private static let utc: TimeZone = .gmt

    private static func time(_ hour: Int, _ minute: Int = 0) -> Foundation.DateComponents {
        Foundation.DateComponents(timeZone: utc, hour: hour, minute: minute)
    }

    @Test func theNextIntervalIsTheRunningOneElseTheNext() throws {
        let day = DeviceActivitySchedule(
            intervalStart: Self.time(0), intervalEnd: Self.time(0), repeats: true)
        let running = try #require(day.nextInterval)
        #expect(running.contains(Date()) && running.duration == 86_400)
        let past = DeviceActivitySchedule(
            intervalStart: Foundation.DateComponents(year: 2001, month: 1, day: 1, hour: 8),
            intervalEnd: Foundation.DateComponents(year: 2001, month: 1, day: 1, hour: 9), repeats: false)
        #expect(past.nextInterval == nil)
        let wrong = DeviceActivitySchedule(
            intervalStart: Foundation.DateComponents(hour: 25),
            intervalEnd: Foundation.DateComponents(hour: 26), repeats: true)
        #expect(wrong.nextInterval == nil)
    }

    @Test func insideOfACallbackItIsThatCallbacksInterval() throws {
        let schedule = DeviceActivitySchedule(
            intervalStart: Self.time(8), intervalEnd: Self.time(9), repeats: true)
        // 2026-03-02T08:00 UTC, long over or far away.
        let own = try #require(TimeRange(start: 1_772_438_400_000, end: 1_772_442_000_000))
        let before = schedule.nextInterval
        RunningCallback.begin(
            RunningCallback(name: .intervalDidEnd, activity: "a", occurrence: own))
        #expect(schedule.nextInterval == DateInterval(own))
        let other = DeviceActivitySchedule(
            intervalStart: Self.time(8), intervalEnd: Self.time(10), repeats: true)
        #expect(other.nextInterval != DateInterval(own), "not an interval of that schedule")
        RunningCallback.end()
        #expect(schedule.nextInterval == before)
    }

    @Test func schedulesAndEventsTravelWhole() {
        let schedule = DeviceActivitySchedule(
            intervalStart: Foundation.DateComponents(hour: 1, minute: 2, second: 3, weekday: 4),
            intervalEnd: Foundation.DateComponents(hour: 5), repeats: false,
            warningTime: Foundation.DateComponents(minute: 6))
        #expect(DeviceActivitySchedule(Schedule(schedule)) == schedule)
        let event = DeviceActivityEvent(
            applications: [Token(data: Data([1]))], categories: [Token(data: Data([2]))],
            webDomains: [Token(data: Data([3]))], threshold: Foundation.DateComponents(minute: 7),
            includesPastActivity: true)
        #expect(DeviceActivityEvent(EventDefinition(event, name: .init("e"))) == event)
        #expect(!event.includesAllActivity)
        let all = DeviceActivityEvent(threshold: Foundation.DateComponents(minute: 7))
        #expect(all.includesAllActivity && !all.includesPastActivity)
    }

    @Test func errorsOfTheServiceAreApples() {
        let names: [(ErrorName, DeviceActivityCenter.MonitoringError)] = [
            (.excessiveActivities, .excessiveActivities), (.intervalTooLong, .intervalTooLong),
            (.intervalTooShort, .intervalTooShort), (.invalidDateComponents, .invalidDateComponents),
            (.unauthorized, .unauthorized),
        ]
        for (name, error) in names {
            #expect(DeviceActivityCenter.MonitoringError(ServiceError(name, "", remedy: "")) == error)
            #expect(error.errorDescription != nil && error.recoverySuggestion != nil)
        }
        #expect(DeviceActivityCenter.MonitoringError(ServiceError(.unavailable, "", remedy: "")) == nil)
    }

    @Test func aFilterAsksForWhatItSays() {
        let during = DateInterval(start: Date(timeIntervalSince1970: 60), duration: 3600)
        let filter = DeviceActivityFilter(
            segment: .weekly(during: during), users: .children, devices: .init([.mac]),
            applications: [Token(data: Data([1]))])
        let query = filter.query
        #expect(query.segment == .weekly && query.users == .children && query.models == ["mac"])
        #expect(query.during == Interval(start: 60_000, end: 3_660_000))
        #expect(query.applications == ["token:AQ=="] && query.categories == nil && query.member == nil)
        #expect(DeviceActivityFilter().query.models == nil)
        #expect(DeviceActivityFilter(devices: .all).query.models == nil)
        guard case .hourly(let today) = DeviceActivityFilter().segmentInterval else {
            Issue.record("hourly is the default")
            return
        }
        #expect(today.start == Calendar.current.startOfDay(for: today.end))
        #expect(DeviceActivityData.Device.Model(contract: "android") == .iPhone)
        #expect(DeviceActivityData.Device.Model(contract: "linux") == .mac)
    }
}
