internal import FoundationExtras
internal import SwiftUI

/// Round numbers for axes.
enum NumberTicks {
    /// 1, 2, 2.5 or 5 times a power of ten, so that there are about `count` steps.
    static func step(_ length: Double, count: Int) -> Double {
        guard length > 0, length.isFinite else { return 1 }
        let rough = length / Double(max(count, 1))
        let power = pow(10, log10(rough).rounded(.down))
        guard power > 0, power.isFinite else { return 1 }
        let part = rough / power
        return power * (part < 1.2 ? 1 : part < 2.2 ? 2 : part < 3.2 ? 2.5 : part < 7 ? 5 : 10)
    }

    static func values(_ scale: ChartScale, step: Double) -> [Double] {
        guard step > 0, step.isFinite else { return [] }
        let first = (scale.lower / step - 1e-9).rounded(.up)
        let last = (scale.upper / step + 1e-9).rounded(.down)
        guard last >= first, last - first < Double(ChartLimits.ticksMax) else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step }
    }

    static func logarithmic(_ scale: ChartScale) -> [Double] {
        let (first, last) = (log10(max(scale.lower, 1e-9)).rounded(.up), log10(max(scale.upper, 1e-9)))
        guard last >= first else { return [] }
        return (0...min(Int(last - first), 20)).map { pow(10, first + Double($0)) }
    }
}

/// Starts of hours, days and months for axes.
enum TimeTicks {
    typealias Stride = (component: Calendar.Component, count: Int, seconds: Double)

    static let strides: [Stride] = [
        (.second, 1, 1), (.second, 5, 5), (.second, 15, 15), (.second, 30, 30),
        (.minute, 1, 60), (.minute, 5, 300), (.minute, 15, 900), (.minute, 30, 1_800),
        (.hour, 1, 3_600), (.hour, 3, 10_800), (.hour, 6, 21_600), (.hour, 12, 43_200),
        (.day, 1, 86_400), (.day, 2, 172_800), (.weekOfYear, 1, 604_800), (.weekOfYear, 2, 1_209_600),
        (.month, 1, 2_629_800), (.month, 3, 7_889_400), (.month, 6, 15_778_800), (.year, 1, 31_557_600),
        (.year, 5, 157_788_000), (.year, 10, 315_576_000), (.year, 50, 1_577_880_000),
        (.year, 100, 3_155_760_000),
    ]

    /// The shortest stride with at most `count` positions.
    static func stride(_ length: Double, count: Int) -> Stride {
        strides.first { length / $0.seconds <= Double(max(count, 1)) } ?? (.year, 500, 15_778_800_000)
    }

    /// Every `count`th start of `component`. Hours and minutes count from midnight, others from the first one
    /// in the scale.
    static func values(
        _ scale: ChartScale, _ component: Calendar.Component, _ count: Int, _ calendar: Calendar
    ) -> [Double] {
        let end = scale.upper
        guard abs(scale.lower) < 1e11, abs(end) < 1e11,
            var date = calendar.dateInterval(of: component, for: Date(timeIntervalSince1970: scale.lower))?
                .start
        else { return [] }
        var result: [Double] = []
        var (passed, tries) = (0, 0)
        while date.timeIntervalSince1970 <= end + 1e-6, result.count < ChartLimits.ticksMax, tries < 5_000 {
            tries += 1
            let seconds = date.timeIntervalSince1970
            if seconds >= scale.lower - 1e-6 {
                if isAligned(date, component, count, calendar) ?? (passed % count == 0) {
                    result.append(seconds)
                }
                passed += 1
            }
            guard let next = calendar.dateInterval(of: component, for: date)?.end, next > date else {
                break
            }
            date = next
        }
        return result
    }

    /// Whether the position is a `count`th one. Nil if it must be counted.
    private static func isAligned(
        _ date: Date, _ component: Calendar.Component, _ count: Int, _ calendar: Calendar
    ) -> Bool? {
        guard count > 1 else { return true }
        switch component {
        case .second, .minute, .hour, .year: return calendar.component(component, from: date) % count == 0
        case .month: return (calendar.component(.month, from: date) - 1) % count == 0
        default: return nil
        }
    }

    /// The label for a position, with the precision of the stride.
    static func words(_ seconds: Double, _ stride: Double, _ environment: EnvironmentValues) -> String {
        let date = Date(timeIntervalSince1970: seconds)
        var style = Date.FormatStyle(
            locale: environment.locale, calendar: environment.calendar,
            timeZone: environment.calendar.timeZone)
        if stride < 60 {
            style = style.hour().minute().second()
        } else if stride < 3_600 {
            style = style.hour().minute()
        } else if stride < 86_000 {
            style = style.hour()
        } else if stride < 2_600_000 {
            style = style.month(.abbreviated).day()
        } else if stride < 31_000_000 {
            style = style.month(.abbreviated)
        } else {
            style = style.year()
        }
        return date.formatted(style)
    }
}
