import ManagedSettings

ShieldActionDelegate.serve(FrameworkAction())
