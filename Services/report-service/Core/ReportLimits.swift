/// Every limit of this service. Going over one is an error that names it, never silence.
enum ReportLimits {
    /// Local days one query may span, daily or weekly: ten years.
    static let daysMax = 3_660
    /// Local days one query may span, hourly.
    static let hourlyDaysMax = 366
    /// Bytes of rows one answer may have, so that it stays a legal message: 768 KiB.
    static let answerBytesMax = 768 * 1024
    /// Devices a note names.
    static let devicesNamedMax = 20
}
