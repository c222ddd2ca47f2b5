import NotifierCore
import ServiceKit

@main struct NotifierMain {
    static func main() { ServiceMain.run(NotifierService.self) }
}
