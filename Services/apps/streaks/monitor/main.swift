import DeviceActivity

DeviceActivityMonitor.serve(StreaksMonitor())
