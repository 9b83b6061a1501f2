/** The companion's installation, from every side. */
export const companion = {
  'problem.companion.older': 'The installed companion is version {installed}; this inspector brings {bundled}.',
  'remedy.companion.older':
    'It works, but may lack what this inspector expects. Updating installs the new one over it.',
  'problem.companion.started-as-service':
    'Android refused to instrument the companion, so it runs as a foreground service.',
  'remedy.companion.started-as-service':
    'Calls work. Android may keep the screens back that a confirmation opens, unless the companion is open on the device.',
  'problem.companion.service-refused': 'Android did not start the companion’s service.',
  'remedy.companion.service-refused':
    'Its own words are shown below. Open the companion on the device once and try again.',
  'problem.uninstall-device-admin': 'The device’s administrator keeps the companion installed.',
  'remedy.uninstall-device-admin': 'Only the device’s management can remove it. The words of the device are below.',
  'problem.uninstall-user-restricted': 'A policy of the device forbids this user to remove apps.',
  'remedy.uninstall-user-restricted': 'Use a device or a user without that policy.',
  'problem.uninstall-refused': 'The device did not remove the companion ({code}).',
  'remedy.uninstall-refused':
    'Its own words are shown below. It can be removed by hand in the device’s settings, under Apps.',
  'cli.companionOperand': 'cetp companion install, status or uninstall',
  'cli.companionInstalls':
    'Installing the companion on {device} for user {user}: a small app that calls Providers as a real Consumer. The device may ask you to agree.',
  'cli.companionUninstalls': 'Removing the companion from {device} for user {user}.',
  'cli.companionState': '{state} on {device} for user {user}',
  'cli.companionVersion': 'version {version}',
  'cli.companionBundled': 'this inspector brings version {version}',
  'cli.companionPermission': 'ACCESS_TOOLS: {permission}',
  'cli.companionUid': 'UID {uid}',
  'uiCompanion.user': 'Android user',
  'uiCompanion.bundled': 'this inspector brings {version}',
  'uiCompanion.startedBy': 'Started by',
  'uiCompanion.startedBy.instrumentation': 'instrumentation',
  'uiCompanion.startedBy.service': 'foreground service (fallback)',
  'uiCompanion.connected': 'Connected',
  'uiCompanion.connectedSince': 'this inspector, since {time}',
  'uiCompanion.nobody': 'nobody from here',
  'uiCompanion.update': 'Update',
  'uiCompanion.uninstall': 'Uninstall…',
  'uiCompanion.uninstallTitle': 'Uninstall the companion?',
  'uiCompanion.uninstallSure': 'Uninstall it',
  'uiCompanion.uninstalling': 'Uninstalling…',
  'uiCompanion.keep': 'Keep it',
  'uiCompanion.uninstallWhat':
    'Removes the companion for this user. Nothing else on the device changes; other users keep theirs.',
};
