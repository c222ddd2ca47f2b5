import AppLinkCore

@main struct AppLinkMain {
    static func main() { AppLink.run(Array(CommandLine.arguments.dropFirst())) }
}
