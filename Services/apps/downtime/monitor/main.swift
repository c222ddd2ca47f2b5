import DeviceActivity

DeviceActivityMonitor.serve(DowntimeMonitor())
