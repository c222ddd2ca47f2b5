import ManagedSettings

ShieldActionDelegate.serve(DowntimeAction())
