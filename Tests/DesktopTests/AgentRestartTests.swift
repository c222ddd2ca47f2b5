import Testing

@testable import DesktopCore

@Suite struct AgentRestartTests {
    @Test func deathsInARowAreCountedUntilAnAgentLivesLonger() {
        #expect(AgentRestart.deaths(before: nil, lived: 5) == 1)
        #expect(AgentRestart.deaths(before: "1", lived: 5) == 2)
        #expect(AgentRestart.deaths(before: "7", lived: AgentRestart.healthy - 1) == 8)
        #expect(AgentRestart.deaths(before: "7", lived: AgentRestart.healthy) == 1)
        #expect(AgentRestart.deaths(before: "many", lived: 5) == 1)
    }
}
