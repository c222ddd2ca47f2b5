import DeviceActivity

DeviceActivityMonitor.serve(EncouragementMonitor())
