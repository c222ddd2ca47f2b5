import DeviceActivity

DeviceActivityMonitor.serve(WorklogMonitor())
