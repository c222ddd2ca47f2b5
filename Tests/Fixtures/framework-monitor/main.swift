import DeviceActivity

DeviceActivityMonitor.serve(FrameworkMonitor())
