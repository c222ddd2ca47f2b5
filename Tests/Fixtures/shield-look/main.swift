import ManagedSettingsUI

// What a build makes from the name of the principal class.
ShieldConfigurationDataSource.serve(ShieldConfigurationExtension())
