/// All methods and events of the contract. The documents are generated from it, and services answer nothing
/// else.
package enum Registry {
    /// The contract's version. It changes when the meaning of a message changes and when a request gets a new
    /// parameter, also an optional one, because services refuse unknown parameters. New optional fields of
    /// events and results do not change it: readers ignore unknown fields.
    package static let version = "1.14.0"

    /// Methods that every service implements.
    package static let commonMethods: [any Method.Type] = [
        HealthCheck.self, EventsRead.self, EventsSnapshot.self, EventsRuns.self, TraceRead.self,
        ClockStatus.self, ClockTick.self, ClockEnter.self, PrivacyForget.self,
        BackupHold.self, BackupCopy.self, StoreCheck.self,
        CopyRebuild.self,
    ]

    /// Methods that one service implements, grouped by service.
    package static let methods: [any Method.Type] = [
        MemberList.self, MemberAdd.self, MemberSet.self, MemberRemove.self,
        AuthorizationRequest.self, AuthorizationList.self, AuthorizationDecide.self,
        AuthorizationRevoke.self, AuthorizationSwitch.self,
        TokenMake.self, TokenResolve.self, TokenRefresh.self,
        SelectionSet.self, SelectionRead.self, SelectionList.self, SelectionRemove.self,
        RequestCreate.self, RequestList.self, RequestDecide.self, RequestWithdraw.self, AuditRead.self,
        UsageObserve.self, UsageRead.self, UsageExport.self, TimeStatus.self, TimeConfirm.self,
        MonitoringStart.self, MonitoringStop.self, MonitoringList.self, MonitoringPending.self,
        MonitoringRecount.self,
        CatalogObserve.self, CatalogList.self, CatalogResolve.self, CatalogSet.self, CatalogImport.self,
        CatalogLists.self, CatalogRead.self, CatalogRemove.self,
        ExtensionInstall.self, ExtensionList.self, ExtensionRemove.self, ExtensionRun.self,
        ExtensionNote.self, DeliveryList.self, DeliverySkip.self,
        SettingsWrite.self, SettingsRead.self, SettingsList.self, SettingsDelete.self, SettingsEffective.self,
        ShieldList.self, ShieldExplain.self, ShieldPredict.self, ShieldFreeze.self, ShieldFrozen.self,
        ShieldScreenRead.self, ShieldPress.self, ShieldJudge.self,
        ExceptionList.self, ExceptionEnd.self, ExceptionHistory.self,
        EnforcementRecord.self, EnforcementList.self,
        ReportQuery.self, ReportRender.self,
        NotificationPost.self, NotificationWithdraw.self, NotificationList.self,
        DarwinPost.self,
        NotificationClear.self, NotificationAnswer.self, NotificationSetBadge.self,
        NotificationSetCategories.self, NotificationCategories.self,
        ChannelSet.self, ChannelList.self,
    ]

    /// Methods of agents. ``HealthCheck`` and ``TraceRead`` are answered by every agent.
    package static let agentMethods: [any AgentMethod.Type] = [
        CoverPrepare.self, CoverShow.self, CoverHide.self, CoverList.self, CoverPresses.self,
        WarningShow.self, WarningHide.self, WarningList.self, BannerIsShown.self, PageOpen.self,
        EnforcementCheck.self,
        ConsoleOpen.self,
    ]

    /// All of these methods.
    package static let calls: [any Call.Type] = commonMethods + methods + agentMethods

    /// Types of events, grouped by the service that publishes them.
    package static let events: [any EventData.Type] = [
        MemberChanged.self, AuthorizationChanged.self, SelectionChanged.self,
        RequestCreated.self, RequestDecided.self,
        UsageRecorded.self, UsageForgotten.self, CatalogChanged.self, TimeHeld.self,
        IntervalDidStart.self, IntervalDidEnd.self, EventDidReachThreshold.self,
        IntervalWillStartWarning.self, IntervalWillEndWarning.self, EventWillReachThresholdWarning.self,
        ExtensionInstalled.self, ExtensionRemoved.self, ExtensionOverBudget.self,
        CallbackDelivered.self, CallbackFailed.self,
        SettingsChanged.self, SettingsRejected.self,
        ShieldApplied.self, ShieldLifted.self, ShieldFrozeProcesses.self, ShieldCoverageChanged.self,
        ShieldConfigured.self, ShieldActionTaken.self, ExceptionBegan.self, ExceptionEnded.self,
        EnforcementChanged.self,
        ReportChanged.self, ReportRendered.self,
        NotificationDelivered.self, NotificationAnswered.self, NotificationFailed.self,
        DarwinPosted.self,
    ]

    /// The types of events that `service` publishes, sorted.
    package static func eventTypes(of service: ServiceName) -> [String] {
        events.filter { $0.owner == service }.map { $0.type }.sorted()
    }
}
