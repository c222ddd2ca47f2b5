import ExtensionLink

@main struct LimitsMonitorMain {
    static func main() { ExtensionMain.run(LimitsMonitor()) }
}
