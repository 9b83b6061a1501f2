export const doctor = {
  'doctorCheck.adb-binary': 'adb program',
  'doctorCheck.adb-server': 'adb server',
  'doctorCheck.device': 'Device',
  'doctorCheck.authorization': 'Authorization',
  'doctorCheck.user': 'User',
  'doctorCheck.companion': 'Companion app',
  'doctorCheck.permission': 'Permission to call Providers',
  'doctorCheck.discovery': 'Discovery of Providers',

  'doctorStatus.running': 'Checking',
  'doctorStatus.ok': 'In order',
  'doctorStatus.warning': 'Works with limits',
  'doctorStatus.failed': 'Failed',
  'doctorStatus.skipped': 'Not checked',
  'doctor.running': 'Being checked.',
  'doctor.skipped': 'Not checked, because an earlier check did not pass: {after}.',

  'doctor.adb-binary.running': 'Looking for adb.',
  'doctor.adb-binary.found': '{path}, version {version}, found through {source}.',
  'doctor.adb-binary.not-needed-demo': 'The demo device needs no adb.',
  'doctor.adb-binary.not-needed-remote': 'The device is on the server {server}; no adb is needed on this computer.',
  'doctor.adb-binary.missing-but-running':
    'No usable adb on this computer, but a server runs. Should it end, it cannot be started from here.',
  'doctor.adb-binary.failed': 'No usable adb.',

  'doctor.adb-server.running': 'Asking the adb server.',
  'doctor.adb-server.up': 'Answers at {host}:{port}, protocol version {version}.',
  'doctor.adb-server.demo': 'The demo’s own server answers at {host}:{port}.',
  'doctor.adb-server.old': 'Answers at {host}:{port} with protocol version {version}, which is older than 39.',
  'doctor.adb-server.mismatch':
    'Answers at {host}:{port} with protocol version {version}, but the adb program expects {binary}. The inspector works with it; running adb in a terminal would end this server.',
  'doctor.adb-server.none': 'No adb server is watched.',
  'doctor.adb-server.not-answering': 'No answer yet from {host}:{port}.',
  'doctor.adb-server.failed': 'The adb server cannot be used.',

  'doctor.device.running': 'Looking for a device.',
  'doctor.device.found': '{model}, Android {release}, serial {serial}.',
  'doctor.device.listed': 'The adb server lists {serial}.',
  'doctor.device.several': '{count} devices are ready; {model} ({serial}) is examined.',
  'doctor.device.none': 'No device.',
  'doctor.device.gone': 'There is no device {device}.',
  'doctor.device.failed': 'The devices could not be read.',

  'doctor.authorization.running': 'Checking the device’s state.',
  'doctor.authorization.authorized': '{serial} has authorized this computer and is ready.',
  'doctor.authorization.not-ready': '{serial} is not ready; its state is {state}.',
  'doctor.authorization.failed': 'The device’s state could not be read.',

  'doctor.user.running': 'Reading the users.',
  'doctor.user.current': 'User {id}, {name}.',
  'doctor.user.several':
    'User {id}, {name}, of {count}. Providers of another user or of a work profile are seen only when that user is chosen.',
  'doctor.user.unreadable': 'The users could not be read; the current user is meant.',
  'doctor.user.failed': 'The users could not be read.',

  'doctor.companion.running': 'Asking the companion.',
  'doctor.companion.connected': 'Version {version}, connected.',
  'doctor.companion.installed': 'Version {version} is installed; it is started when it is needed.',
  'doctor.companion.not-installed': 'Not installed. Only the limited mode through the shell is possible.',
  'doctor.companion.unknown': 'Its state is not known.',
  'doctor.companion.failed': 'The companion could not be reached.',

  'doctor.permission.running': 'Checking the grant.',
  'doctor.permission.granted': 'The companion holds com.clawseed.permission.ACCESS_TOOLS.',
  'doctor.permission.denied': 'The companion does not hold com.clawseed.permission.ACCESS_TOOLS.',
  'doctor.permission.undefined': 'No installed app defines com.clawseed.permission.ACCESS_TOOLS.',
  'doctor.permission.unknown': 'Whether the companion holds the permission is not known.',
  'doctor.permission.failed': 'The grant could not be checked.',

  'doctor.discovery.running': 'Looking for Providers.',
  'doctor.discovery.found': '{count} found, through {origin}.',
  'doctor.discovery.none': 'The look worked, through {origin}, and no app declares a Provider.',
  'doctor.discovery.partly': '{count} found, through {origin}; {unreadable} could not be read.',
  'doctor.discovery.not-ended': 'The look did not end.',
  'doctor.discovery.failed': 'The look failed.',

  'problem.doctor-timeout': 'The check “{what}” did not end within {ms} ms.',
  'remedy.doctor-timeout': 'The device may be busy or asleep. Unlock it and run the doctor again.',
  'remedy.doctor-no-server': 'Add an adb server, or start without options that leave out the local one.',
  'remedy.doctor-old-server':
    'Update the Android Platform Tools. Everything is tried with the old server, but states and features may be missing.',
  'remedy.doctor-mismatch':
    'Use one set of Platform Tools everywhere: put the newer one first in PATH, or set ADB to it.',
  'remedy.doctor-no-device':
    'Plug in a phone with USB debugging on (Settings, About phone, tap “Build number” seven times, then Developer options), connect to one over the network, or start the demo device.',
  'remedy.doctor-choose-device': 'Choose the device in the list, or in the terminal with -s SERIAL.',
  'remedy.doctor-install-companion':
    'Install the companion from the device’s page. It calls Providers as a real Consumer would.',
  'remedy.doctor-reinstall-companion':
    'Install the companion again from the device’s page. Android grants the permission only to apps that are installed after the app that defines it.',
  'remedy.doctor-permission-undefined':
    'The Provider’s app should declare the permission. Install a Provider’s app, then install the companion again.',
  'remedy.doctor-permission-unknown': 'Run the doctor again when the companion is connected.',
  'remedy.doctor-no-provider':
    'Install an app with a Provider, for the user that is shown. Its Service must declare the action com.clawseed.action.TOOL_PROVIDER.',
  'remedy.doctor-unreadable': 'Below is why each of them could not be read. All others are complete.',
  'remedy.doctor-try-again': 'Run the doctor again.',
} as const;
