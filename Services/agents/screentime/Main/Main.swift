import CommandCore

@main struct ScreentimeMain {
    static func main() { Screentime.run(Array(CommandLine.arguments.dropFirst())) }
}
