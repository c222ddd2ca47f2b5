import ManagedSettingsUI

ShieldConfigurationDataSource.serve(DowntimeShield())
