/// Names of Apple's modules, to distinguish what the frameworks lack from what a project declares itself. The
/// list is incomplete: other names count as the project's own.
enum AppleNames {
    static let modules = words(
        """
        FamilyControls DeviceActivity ManagedSettings ManagedSettingsUI SwiftUI SwiftUICore Charts UIKit
        Combine UserNotifications UserNotificationsUI os OSLog Foundation Observation Dispatch Darwin
        ObjectiveC CoreFoundation CoreGraphics CoreImage CoreText CoreData SwiftData CloudKit WidgetKit
        ActivityKit AppIntents Intents IntentsUI ExtensionKit ExtensionFoundation AVFoundation AVKit
        AudioToolbox MediaPlayer Photos PhotosUI Vision CoreML NaturalLanguage CryptoKit Security
        LocalAuthentication AuthenticationServices DeviceCheck StoreKit StoreKitTest TipKit HealthKit
        HealthKitUI CoreMotion CoreLocation CoreBluetooth CoreNFC CoreHaptics CoreTelephony CoreSpotlight
        MapKit WeatherKit EventKit EventKitUI Contacts ContactsUI MessageUI Messages MultipeerConnectivity
        Network NetworkExtension SystemConfiguration BackgroundTasks BackgroundAssets QuartzCore Metal
        MetalKit SceneKit SpriteKit RealityKit ARKit GameKit GameplayKit PencilKit PDFKit QuickLook
        QuickLookUI LinkPresentation WebKit SafariServices JavaScriptCore UniformTypeIdentifiers Accelerate
        simd XCTest Testing MetricKit AppTrackingTransparency AdSupport AdServices CallKit PushKit
        WatchConnectivity WatchKit ClockKit CarPlay HomeKit AlarmKit FoundationModels Translation
        SensitiveContentAnalysis ScreenTime AppKit Cocoa IOKit ServiceManagement Speech SoundAnalysis
        ImageIO CoreServices CoreMedia CoreVideo RegexBuilder Synchronization
        """)

    /// Whether Apple declares a type, function, macro or attribute of this name.
    static func isType(_ name: String) -> Bool {
        types.contains(name) || prefixes.contains { isPrefixed(name, by: $0) }
    }

    /// Members that Apple's types have.
    static let members = words(
        """
        applicationTokens categoryTokens webDomainTokens applications categories webDomains
        includeEntireCategory authorizationStatus requestAuthorization revokeAuthorization approved denied
        notDetermined approvedWithDataAccess clearAllSettings applicationCategories webDomainCategories
        blockedApplications denyAppRemoval denyAppInstallation lockAccounts lockPasscode
        requireAutomaticDateAndTime blockedByFilter effectiveMaximumRating denySiri denyExplicitContent
        startMonitoring stopMonitoring activitySegments totalActivityDuration numberOfPickups
        numberOfNotifications firstPickup longestActivity totalPickupsWithoutApplicationActivity
        localizedDisplayName bundleIdentifier nextInterval includesPastActivity includesAllActivity
        lastUpdatedDate intervalStart intervalEnd warningTime primaryButtonPressed secondaryButtonPressed
        familyActivityPicker accentColor accessibility accessibilityAction accessibilityAddTraits
        accessibilityChildren accessibilityElement accessibilityHidden accessibilityHint
        accessibilityIdentifier accessibilityLabel accessibilityValue alert alignmentGuide allowsHitTesting
        allowsTightening anchorPreference animation annotation aspectRatio background backgroundStyle badge
        baselineOffset blendMode blur bold border brightness buttonBorderShape buttonStyle
        chartAngleSelection chartBackground chartForegroundStyleScale chartLegend chartOverlay
        chartPlotStyle chartScrollableAxes chartSymbolScale chartXAxis chartXAxisLabel chartXScale
        chartXSelection chartXVisibleDomain chartYAxis chartYAxisLabel chartYScale chartYSelection clipShape
        clipped colorEffect colorInvert colorMultiply colorScheme compositingGroup confirmationDialog
        containerBackground containerRelativeFrame containerShape contentMargins contentShape
        contentTransition contextMenu controlSize coordinateSpace cornerRadius cornerRadii datePickerStyle
        defaultScrollAnchor delete disabled drawingGroup dynamicTypeSize edgesIgnoringSafeArea environment
        environmentObject equatable fixedSize focusable focused font fontDesign fontWeight fontWidth
        foregroundColor foregroundStyle frame fullScreenCover gaugeStyle gesture glassEffect gradient
        grayscale gridCellColumns gridColumnAlignment groupBoxStyle headerProminence help hidden
        highPriorityGesture hueRotation id ignoresSafeArea imageScale indexViewStyle inspector
        interactiveDismissDisabled interpolationMethod italic kerning keyboardType labelStyle labelsHidden
        layoutPriority lineLimit lineSpacing lineStyle listItemTint listRowBackground listRowInsets
        listRowSeparator listRowSeparatorTint listRowSpacing listSectionSeparator listSectionSpacing
        listStyle luminanceToAlpha mask matchedGeometryEffect menuStyle minimumScaleFactor modifier
        monospaced monospacedDigit multilineTextAlignment navigationBarHidden navigationBarItems
        navigationBarTitle navigationBarTitleDisplayMode navigationDestination navigationTitle
        navigationViewStyle numericText offset onAppear onChange onContinuousHover onDelete onDisappear
        onDrag onDrop onGeometryChange onHover onLongPressGesture onMove onOpenURL onPreferenceChange
        onReceive onScrollGeometryChange onSubmit onTapGesture opacity overlay overlayPreferenceValue
        padding persistentSystemOverlays phaseAnimator keyframeAnimator pickerStyle popover position
        preference preferredColorScheme presentationBackground presentationCornerRadius presentationDetents
        presentationDragIndicator previewDevice previewDisplayName previewLayout privacySensitive
        progressViewStyle projectionEffect redacted refreshable renderingMode resizable reverseMask
        rotation3DEffect rotationEffect safeAreaInset safeAreaPadding saturation scaleEffect scaledToFill
        scaledToFit scenePadding scrollBounceBehavior scrollClipDisabled scrollContentBackground
        scrollDisabled scrollDismissesKeyboard scrollIndicators scrollPosition scrollTargetBehavior
        scrollTargetLayout scrollTransition searchable sensoryFeedback shadow sheet simultaneousGesture
        speechSpellsOutCharacters statusBar statusBarHidden strikethrough stroke strokeBorder submitLabel
        submitScope swipeActions symbolEffect symbolRenderingMode symbolSize symbolVariant tabItem
        tabViewStyle tag task textCase textContentType textFieldStyle textInputAutocapitalization
        textSelection tint toggleStyle toolbar toolbarBackground toolbarColorScheme tracking transaction
        transformEffect transition truncationMode underline unredacted userActivity visualEffect zIndex
        systemRed systemBlue systemGreen systemOrange systemYellow systemPink systemPurple systemTeal
        systemIndigo systemMint systemCyan systemBrown systemGray systemGray2 systemGray3 systemGray4
        systemGray5 systemGray6 systemBackground secondarySystemBackground tertiarySystemBackground
        systemGroupedBackground secondarySystemGroupedBackground tertiarySystemGroupedBackground
        secondaryLabel tertiaryLabel quaternaryLabel placeholderText separator opaqueSeparator systemFill
        secondarySystemFill tertiarySystemFill quaternarySystemFill darkText lightText label systemMaterial
        systemThinMaterial systemUltraThinMaterial systemThickMaterial systemChromeMaterial
        systemMaterialDark systemMaterialLight systemThinMaterialDark systemThinMaterialLight
        systemUltraThinMaterialDark systemUltraThinMaterialLight systemThickMaterialDark
        systemThickMaterialLight systemChromeMaterialDark systemChromeMaterialLight extraLight prominent
        withAlphaComponent withTintColor withRenderingMode withConfiguration applyingSymbolConfiguration
        pngData jpegData resolvedColor getRed getHue getWhite cgColor cgImage alwaysTemplate alwaysOriginal
        userInterfaceStyle hierarchicalColor paletteColors preferringMulticolor preferredFont boldSystemFont
        systemFont sink assign store eraseToAnyPublisher receive subscribe debounce throttle
        removeDuplicates combineLatest merge zip dropFirst scan collect flatMap switchToLatest tryMap
        mapError replaceError replaceNil handleEvents autoconnect objectWillChange publisher publish share
        multicast timeout delay filter compactMap interruptionLevel relevanceScore threadIdentifier
        categoryIdentifier userInfo sound timeSensitive defaultCritical removePendingNotificationRequests
        removeAllPendingNotificationRequests removeDeliveredNotifications removeAllDeliveredNotifications
        getPendingNotificationRequests pendingNotificationRequests deliveredNotifications
        getNotificationSettings notificationSettings setNotificationCategories setBadgeCount containerURL
        formatted localizedString localizedStringWithFormat synchronize register reloadAllTimelines
        reloadTimelines mainContext fetch insert modelContainer modelContext allowedUnits unitsStyle
        zeroFormattingBehavior dateTimeStyle dateStyle timeStyle localizedName addObserver
        """)

    private static let types = words(
        """
        FamilyActivitySelection FamilyActivityPicker FamilyActivityTitleView FamilyActivityIconView
        FamilyActivityData AuthorizationCenter AuthorizationStatus FamilyControlsMember FamilyControlsError
        DeviceActivityCenter DeviceActivityName DeviceActivityEvent DeviceActivitySchedule
        DeviceActivityMonitor DeviceActivityData DeviceActivityFilter DeviceActivityReport
        DeviceActivityReportScene DeviceActivityReportExtension DeviceActivityReportBuilder
        DeviceActivityResults DeviceActivityAuthorization ManagedSettingsStore ManagedSettings
        ManagedSettingsGroup ShieldSettings ShieldAction ShieldActionDelegate ShieldActionResponse
        ShieldConfiguration ShieldConfigurationDataSource Application ActivityCategory WebDomain
        ApplicationToken ActivityCategoryToken WebDomainToken Token AccountSettings AppStoreSettings
        ApplicationSettings CellularSettings DateAndTimeSettings GameCenterSettings MediaSettings
        PasscodeSettings SafariSettings SiriSettings WebContentSettings ActivityCategoryPolicy
        ObservableObject ObservableObjectPublisher Published AnyCancellable Cancellable Publisher Publishers
        Subscriber Subject Subscription Subscribers PassthroughSubject CurrentValueSubject AnyPublisher
        AnySubscriber Just Empty Fail Future Deferred ConnectableObservable ImmediateScheduler Scheduler
        Observable ObservationTracked ObservationIgnored ObservationRegistrar withObservationTracking View
        ViewModifier ViewBuilder AnyView EmptyView EquatableView ModifiedContent TupleView Group GroupBox
        Section Form List ForEach VStack HStack ZStack LazyVStack LazyHStack LazyVGrid LazyHGrid Grid
        GridRow GridItem ScrollView ScrollViewReader ScrollViewProxy Spacer Divider Text Label Image
        AsyncImage AsyncImagePhase Button Link Toggle Slider Stepper Picker DatePicker ColorPicker TextField
        SecureField TextEditor ProgressView Gauge Menu MenuButton EditButton ShareLink NavigationView
        NavigationStack NavigationSplitView NavigationLink NavigationPath TabView Tab DisclosureGroup
        OutlineGroup ControlGroup LabeledContent ContentUnavailableView GeometryReader GeometryProxy
        ViewThatFits AnyLayout Layout PreferenceKey EnvironmentKey EnvironmentValues EnvironmentObject
        Environment State StateObject ObservedObject Binding Bindable FocusState GestureState Namespace
        AppStorage SceneStorage FetchRequest Query ScaledMetric UIApplicationDelegateAdaptor Color
        ColorScheme Gradient LinearGradient RadialGradient AngularGradient EllipticalGradient MeshGradient
        Material ShapeStyle AnyShapeStyle HierarchicalShapeStyle Shape InsettableShape AnyShape Path Circle
        Ellipse Rectangle RoundedRectangle UnevenRoundedRectangle Capsule ContainerRelativeShape StrokeStyle
        FillStyle Angle UnitPoint EdgeInsets Edge Alignment HorizontalAlignment VerticalAlignment
        TextAlignment Axis Font FontWeight ContentMode ContentTransition Animation AnyTransition Transition
        Transaction TimelineView Canvas GraphicsContext CGAffineTransform Animatable AnimatablePair
        VectorArithmetic ButtonStyle PrimitiveButtonStyle ToggleStyle LabelStyle ProgressViewStyle
        ProgressViewStyleConfiguration GaugeStyle ListStyle PickerStyle TextFieldStyle GroupBoxStyle
        MenuStyle ButtonStyleConfiguration BorderedProminentButtonStyle PlainButtonStyle Scene WindowGroup
        App AppDelegate ScenePhase DynamicTypeSize ToolbarItem ToolbarItemGroup ToolbarItemPlacement
        LocalizedStringKey LocalizedStringResource Gesture DragGesture TapGesture LongPressGesture
        MagnificationGesture GestureMask Preview PreviewProvider PreviewModifier Visibility
        RoundedCornerStyle withAnimation withTransaction PresentationDetent SensoryFeedback
        UIViewRepresentable UIViewControllerRepresentable UIHostingController ImageRenderer Entry
        AccessibilityTraits DynamicProperty Chart ChartContent ChartContentBuilder BarMark LineMark AreaMark
        PointMark RuleMark RectangleMark SectorMark PlottableValue Plottable PlotDimension MarkDimension
        AxisMarks AxisMark AxisValue AxisGridLine AxisTick AxisValueLabel AxisContent AxisContentBuilder
        AnnotationPosition ChartProxy InterpolationMethod MarkStackingMethod ScaleType BasicChartSymbolShape
        ChartSymbolShape Chart3D Logger OSLogType OSLogStore OSSignposter OSAllocatedUnfairLock os_log
        os_signpost os_unfair_lock String Locale Calendar DateComponents DateInterval Date TimeInterval
        TimeZone DateFormatter ISO8601DateFormatter DateComponentsFormatter DateIntervalFormatter
        RelativeDateTimeFormatter NumberFormatter MeasurementFormatter ByteCountFormatter ListFormatter
        PersonNameComponents PersonNameComponentsFormatter Formatter Measurement Unit UnitDuration
        UserDefaults FileManager FileHandle FileCoordinator Bundle ProcessInfo Data URL URLComponents
        URLQueryItem URLRequest URLSession URLSessionConfiguration HTTPURLResponse URLResponse URLError
        JSONEncoder JSONDecoder JSONSerialization PropertyListEncoder PropertyListDecoder
        PropertyListSerialization Notification NotificationCenter NotificationQueue Timer RunLoop Thread
        DispatchQueue DispatchGroup DispatchSemaphore DispatchWorkItem DispatchTime DispatchSource
        OperationQueue Operation BlockOperation UUID Scanner CharacterSet IndexSet IndexPath Decimal
        AttributedString AttributeContainer KeyPathComparator SortDescriptor SortOrder Predicate Expression
        UndoManager Progress autoreleasepool CFAbsoluteTimeGetCurrent CACurrentMediaTime arc4random_uniform
        Selector DispatchWallTime HTTPCookie CocoaError POSIXError LocalizedError CustomNSError
        RecoverableError MachError Host Process Pipe SecRandomCopyBytes ModelContainer ModelContext
        ModelConfiguration Model FetchDescriptor PersistentModel Attribute Relationship Schema Transient
        WidgetCenter Widget WidgetBundle TimelineProvider TimelineEntry Timeline StaticConfiguration
        AppIntentConfiguration WidgetFamily WidgetConfiguration Activity ActivityAttributes ActivityContent
        ActivityConfiguration DynamicIsland AppIntent AppShortcutsProvider AppShortcut AppEntity AppEnum
        IntentParameter EntityQuery IntentDescription LiveActivityIntent AppExtension
        AppExtensionConfiguration AppExtensionScene ExtensionContext SHA256 SHA512 Insecure HMAC
        SymmetricKey AES ChaChaPoly Curve25519 P256 LAContext HKHealthStore CLLocationManager CMPedometer
        CMMotionManager BGTaskScheduler BGAppRefreshTask BGProcessingTask SKStoreReviewController Product
        AVAudioSession AVAudioPlayer AVPlayer AVSpeechSynthesizer AlarmManager SFSafariViewController
        WKWebView NWPathMonitor Keychain ASWebAuthenticationSession ASAuthorizationController UTType
        IOSurface MTLDevice SystemLanguageModel
        """)

    /// Prefixes of frameworks without namespaces; a capital letter must follow.
    private static let prefixes = [
        "UI", "NS", "CF", "CG", "CA", "CI", "CT", "UN", "WK", "AV", "HK", "CK", "SK", "MK", "CL", "CM",
        "CB", "BG", "AS", "LA", "EK", "CN", "PH", "OS", "PK", "SF", "MF", "VN", "NL", "NW", "NE", "Sec",
        "kCF", "kSec", "kUT",
    ]

    private static func isPrefixed(_ name: String, by prefix: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let rest = name.dropFirst(prefix.count)
        return rest.count > 2 && rest.first?.isUppercase == true
            && rest.dropFirst().first?.isLowercase == true
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }
}
