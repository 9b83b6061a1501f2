/** What the bridges report, and what to do about it. */
export const bridge = {
  'problem.call-cancelled': 'The call was cancelled.',
  'remedy.call-cancelled':
    'If it had already been sent, the Provider may still carry it out. Check before you send it again; for a v2 call use the same request_id.',
  'problem.bundle-too-deep': 'The Bundles nest deeper than {limit} levels.',
  'remedy.bundle-too-deep': 'Send a flatter value.',
  'problem.bundle-repeated-key': 'The key “{key}” occurs twice in one Bundle.',
  'remedy.bundle-repeated-key': 'Keep one of the two.',
  'problem.bundle-device-only': 'The value of “{key}” has the type {type}, which only a device can make.',
  'remedy.bundle-device-only': 'Use a type that can be sent, such as a string or a number.',
  'problem.bundle-bad-value': 'The value of “{key}” is not a valid {type}.',
  'remedy.bundle-bad-value': 'Check its range and its form.',
  'problem.shell-cannot-carry':
    'The shell cannot send “{key}”: the type {type} does not pass through “content call” on API {api}.',
  'remedy.shell-cannot-carry': 'Install the companion: it sends every type.',
  'problem.shell-cannot-carry-key': 'The shell cannot send the key “{key}” exactly as it is.',
  'remedy.shell-cannot-carry-key':
    'Install the companion, or use a key without a colon, a backslash or leading dashes.',
  'problem.shell-cannot-carry-value':
    'The shell cannot send the value of “{key}” exactly as it is: it holds a character that this command line cannot carry.',
  'remedy.shell-cannot-carry-value': 'Install the companion: it sends every text.',
  'problem.shell-cannot-carry-arg':
    'The shell cannot send “{name}” as it is: “content call” takes no empty text and none that begins with “--” there.',
  'remedy.shell-cannot-carry-arg': 'Install the companion, or change the text.',
  'problem.shell-command-too-long': 'The command has {bytes} bytes; adb carries at most {limit}.',
  'remedy.shell-command-too-long': 'Install the companion, which sends up to 4 MiB, or shorten the arguments.',
  'problem.shell-call-timeout': '“content call” gave no answer within {ms} ms.',
  'remedy.shell-call-timeout':
    'The Provider may still act. Check before you send it again. A Provider that hangs or cannot start looks like this; see logcat.',
  'problem.shell-answer-unsplit':
    'The answer could not be taken apart without guessing, so it is kept whole under “{key}”.',
  'remedy.shell-answer-unsplit':
    'Android prints Bundles without types and without escaping. Install the companion to get the exact Bundle.',
  'problem.shell-bad-arguments': "The device's “content” command refused its arguments. Nothing reached the Provider.",
  'remedy.shell-bad-arguments':
    'Its own words are shown below. Please report this: the command should not have been built.',
  'problem.shell-no-content-command': 'This device has no “content” command.',
  'remedy.shell-no-content-command': 'Install the companion, which does not need it.',
  'problem.shell-no-output': '“content call” ended without a word, so it is not known whether the Provider was called.',
  'remedy.shell-no-output': 'Check the connection and logcat, then try again.',
  'problem.shell-unreadable-output': '“content call” printed something that is neither an answer nor a known failure.',
  'remedy.shell-unreadable-output': 'Its output is shown below, unchanged.',
  'problem.shell-permission-denied':
    'Android refused the shell: the Provider asks for the permission {permission}, which the shell can never hold.',
  'remedy.shell-permission-denied':
    'This is normal for a protected Provider. Install the companion: it is a real Consumer and can hold the permission.',
  'problem.shell-provider-not-exported': 'Android refused the shell: the Provider is not exported.',
  'remedy.shell-provider-not-exported': 'No other app can call it either. Its manifest needs android:exported="true".',
  'problem.shell-provider-not-found': 'Android found no Provider for this authority, or could not start it.',
  'remedy.shell-provider-not-found':
    "The app may be uninstalled, disabled, stopped by a vendor's autostart manager, or crash while it starts. logcat tells which.",
  'problem.shell-provider-exception': 'The call ended with {class}: {message}',
  'remedy.shell-provider-exception':
    'The exception comes from the Provider or from Android on its way; its text is shown below.',
  'problem.companion.apk-missing': 'This build of the inspector has no companion APK.',
  'remedy.companion.apk-missing': 'Use a release that carries it, or work in the limited shell mode.',
  'problem.companion.not-installed': 'The companion is not installed for this user of the device.',
  'remedy.companion.not-installed':
    'Install it: it lets the inspector call Providers as a real Consumer. Until then only unprotected Providers can be reached.',
  'problem.companion.look-failed': 'The device could not tell whether the companion is installed.',
  'remedy.companion.look-failed': 'Its own words are shown below.',
  'problem.companion.start-failed': 'Android did not start the companion.',
  'remedy.companion.start-failed':
    'Its own words are shown below. Unlock the device and try again; if this repeats, reinstall the companion.',
  'problem.companion.start-timeout': 'The companion did not answer within {ms} ms of its start.',
  'remedy.companion.start-timeout':
    "Unlock the device and try again. A vendor's battery or autostart manager may hold it back.",
  'problem.companion.crashed': "The companion's process ended: {message}",
  'remedy.companion.crashed':
    'It is started again when it is next needed. If this repeats, reinstall it and look into logcat.',
  'problem.companion.not-responding': 'Android ended the companion because it did not respond.',
  'remedy.companion.not-responding': 'The device is under heavy load, or asleep. Unlock it and try again.',
  'problem.companion.system-restarted': "Android's system process restarted.",
  'remedy.companion.system-restarted': 'Wait until the device is up again, then try again.',
  'problem.companion.unsupported-protocol': 'The installed companion speaks another protocol version ({supported}).',
  'remedy.companion.unsupported-protocol': 'Install the companion that belongs to this inspector.',
  'problem.companion.bad-start': 'The companion reported a socket or a token that cannot be right.',
  'remedy.companion.bad-start': 'Reinstall the companion.',
  'problem.companion.taken-over': 'Another inspector took the companion of this device over.',
  'remedy.companion.taken-over':
    'Close the other inspector, or take the companion back here; then the other one loses it.',
  'problem.companion.closed': 'The inspector closed its connection to the companion.',
  'remedy.companion.closed': 'Select the device again.',
  'problem.companion.permission-not-granted':
    'The companion does not hold com.clawseed.permission.ACCESS_TOOLS, so protected Providers refuse it.',
  'remedy.companion.permission-not-granted':
    'Reinstall the companion. Android grants the permission only at installation, and only if the app that defines it was there first. Every real Consumer is in the same position.',
  'problem.companion.user-unavailable': 'This user or profile of the device is not open to adb.',
  'remedy.companion.user-unavailable': 'Choose another user. Secure folders and some work profiles refuse adb.',
  'problem.companion.connection-lost': 'The connection to the companion was lost.',
  'remedy.companion.connection-lost': 'Check the cable or the network; the inspector connects again when it is needed.',
  'problem.companion.lost-before-send':
    'The connection to the companion was lost before the call was sent. Nothing reached the Provider.',
  'remedy.companion.lost-before-send': 'It is safe to send it again.',
  'problem.companion.lost-after-send':
    'The connection to the companion was lost after the call was sent. What the Provider did is not known.',
  'remedy.companion.lost-after-send':
    'Check the effect before you send it again; for a v2 call use the same request_id.',
  'problem.companion.no-reply':
    'The companion did not answer “{op}” within {ms} ms, not even with a time-out of its own.',
  'remedy.companion.no-reply':
    'The connection was closed. What the Provider did is not known; check before you send it again.',
  'problem.companion.bad-reply': 'The companion sent something that breaks its protocol ({reason}).',
  'remedy.companion.bad-reply': 'The connection was closed. Reinstall the companion that belongs to this inspector.',
  'problem.companion.bad-frame': 'The companion could not read what the inspector sent ({code}).',
  'remedy.companion.bad-frame': 'The connection was closed. Please report this with the text below.',
  'problem.companion.bad-bundle': "The answer's Bundle could not be read at “{path}”: {reason}.",
  'remedy.companion.bad-bundle':
    'The raw text is shown below, unchanged. Reinstall the companion that belongs to this inspector.',
  'problem.companion.line-too-long':
    'The request has {bytes} bytes; the companion takes at most {limit}. Nothing was sent.',
  'remedy.companion.line-too-long': 'Shorten the arguments.',
  'problem.companion.events-missed': 'More than {limit} package changes arrived before they could be handled.',
  'remedy.companion.events-missed': 'The list is read again.',
  'problem.companion.handle-gone':
    'The file can no longer be read: the connection that received it is gone, or the bridge carries no files.',
  'remedy.companion.handle-gone':
    'Connect the companion and ask again with the same request_id; a file can be read once.',
  'problem.companion.read-cut': 'The file ended after {bytes} bytes without its end mark, so it is not whole.',
  'remedy.companion.read-cut': 'Call the tool again; a file can be read once.',
  'problem.companion.unknown-authority':
    'Android knows no such Provider: the app is not installed, disabled, or not visible to Consumers.',
  'remedy.companion.unknown-authority':
    'Check the app, and that its Service is exported and declares the action com.clawseed.action.TOOL_PROVIDER.',
  'problem.companion.provider-did-not-start': 'Android knows the Provider but did not start it.',
  'remedy.companion.provider-did-not-start':
    "Vendors' autostart managers do this (MIUI, ColorOS, OxygenOS, EMUI, One UI): allow autostart for the app or open it once. An app that crashes while it starts looks the same; see logcat.",
  'problem.companion.security': 'Android refused the companion access to the Provider.',
  'remedy.companion.security':
    'The words below name the permission. If the companion lacks com.clawseed.permission.ACCESS_TOOLS, reinstall it.',
  'problem.companion.dead-provider':
    "Binder reported a dead object: the Provider's process died, or its answer was too big for one transaction (about 1 MB).",
  'remedy.companion.dead-provider': 'Call again while the app is running to learn which; a crash shows in logcat.',
  'problem.companion.provider-crashed': "The Provider's process died during the call ({process}).",
  'remedy.companion.provider-crashed':
    'logcat holds the crash. What it did before is not known; check before you send it again.',
  'problem.companion.reply-too-big-for-binder':
    "The answer was most likely too big for one Binder transaction (about 1 MB): the Provider's process {process} lived on.",
  'remedy.companion.reply-too-big-for-binder':
    'The call may have taken effect. A Provider must send large results as a file (v2 4.5) or refuse with RESULT_TOO_LARGE.',
  'problem.companion.request-too-large': 'The request was too big for one Binder transaction (about 1 MB).',
  'remedy.companion.request-too-large': 'Shorten the arguments.',
  'problem.companion.reply-too-large': "The answer was too big for the companion's connection (4 MiB).",
  'remedy.companion.reply-too-large':
    'The call may have taken effect. A Provider must send large results as a file (v2 4.5).',
  'problem.companion.provider-exception': 'The Provider threw {class}.',
  'remedy.companion.provider-exception':
    'Its message is shown below, unchanged. An exception is no CETP answer; logcat holds the trace.',
  'problem.companion.unreadable-reply':
    "The answer holds an object of the Provider's own class, so this Android version cannot read any of it.",
  'remedy.companion.unreadable-reply': 'A Provider must use only types that every app knows.',
  'problem.companion.timeout': 'The Provider gave no answer in time.',
  'remedy.companion.timeout':
    'It may still act. Check before you send it again; for a v2 call use the same request_id.',
  'problem.companion.cancelled': 'The companion abandoned the call.',
  'remedy.companion.cancelled': 'The Provider may still act. Check before you send it again.',
  'problem.companion.stale-handle': 'This object of an earlier answer is gone.',
  'remedy.companion.stale-handle': 'Call the tool again to get a new one.',
  'problem.companion.too-many-handles':
    'The answer would have exceeded the number of open files and intents that the companion keeps; it closed them.',
  'remedy.companion.too-many-handles': 'The call may have taken effect. Close results that you no longer need.',
  'problem.companion.not-activity': 'The PendingIntent does not open an Activity, so nobody can answer it.',
  'remedy.companion.not-activity': "A resolution must open the Provider's own screen (v2 4.3).",
  'problem.companion.intent-canceled': 'The PendingIntent was cancelled by the Provider.',
  'remedy.companion.intent-canceled': 'Call the tool again to get a new one.',
  'problem.companion.activity-not-found': 'There is no Activity for this Intent.',
  'remedy.companion.activity-not-found': 'The app may have been updated or removed.',
  'problem.companion.launch-blocked':
    "The companion's screen did not come to the front, so the Provider's was not opened.",
  'remedy.companion.launch-blocked':
    'Unlock the device. On MIUI and HyperOS allow “Display pop-up windows while running in the background” for the companion.',
  'problem.companion.busy': 'The companion is busy: too many calls hang in it.',
  'remedy.companion.busy': "Wait for them to end, or restart the Provider's app that does not answer.",
  'problem.companion.bad-params': "The companion refused the request's form. Nothing reached the Provider.",
  'remedy.companion.bad-params': 'Its own words are shown below.',
  'problem.companion.unknown-op': 'The installed companion does not know this operation.',
  'remedy.companion.unknown-op': 'Install the companion that belongs to this inspector.',
  'problem.companion.unauthenticated': "The companion did not accept the inspector's token.",
  'remedy.companion.unauthenticated': 'It was started anew meanwhile; try again.',
  'problem.companion.internal': 'The companion failed inside itself.',
  'remedy.companion.internal': 'Its own words are shown below. What the Provider did is not known.',
  'problem.companion.unknown-error': 'The companion reported an error that this inspector does not know: {code}.',
  'remedy.companion.unknown-error': 'Its own words are shown below.',
  'problem.install-update-incompatible': 'A companion signed with another key is installed.',
  'remedy.install-update-incompatible':
    'Uninstall com.clawseed.inspector.companion on the device, for all users, then install again.',
  'problem.install-version-downgrade': 'A newer companion is installed.',
  'remedy.install-version-downgrade': 'Uninstall it on the device, or use a newer inspector.',
  'problem.install-test-only': 'The device refused a test build.',
  'remedy.install-test-only': 'Please report this: the inspector installs with the option that allows it.',
  'problem.install-older-sdk': 'This Android is too old for the companion, which needs Android 8.0.',
  'remedy.install-older-sdk': 'Use the limited shell mode.',
  'problem.install-no-space': 'The device has no room for the companion.',
  'remedy.install-no-space': 'Free some storage, then install again.',
  'problem.install-conflicting-provider': 'Another app on the device owns a name that the companion needs.',
  'remedy.install-conflicting-provider': 'The words below name it.',
  'problem.install-duplicate-permission': 'Another app has defined a permission that this package defines too.',
  'remedy.install-duplicate-permission': "The words below name both. The inspector's own companion defines none.",
  'problem.install-user-restricted':
    'The device did not allow the installation: the prompt was declined or ran out, or a rule forbids it.',
  'remedy.install-user-restricted':
    "Look at the device's screen and agree. Xiaomi, Redmi, POCO: turn on “Install via USB” in the developer options; a declined prompt may be remembered without a word. Managed devices may forbid it for good.",
  'problem.install-aborted': 'The installation was declined on the device.',
  'remedy.install-aborted':
    'Try again and agree in the dialog on the device. vivo, OPPO, realme and Meizu show one of their own.',
  'problem.install-verification-failure': 'A verifier on the device refused the companion.',
  'remedy.install-verification-failure':
    'Play Protect: choose “Install anyway”, or turn off “Verify apps over USB” in the developer options. Xiaomi, Redmi, POCO: turn on “Install via USB”. OPPO and realme: agree in their dialog. Samsung: turn off Auto Blocker.',
  'problem.install-verification-timeout': 'The verifier on the device did not answer in time.',
  'remedy.install-verification-timeout':
    "Check the device's network, or turn off “Verify apps over USB” in the developer options, then install again.",
  'problem.install-deprecated-sdk': 'This Android refuses apps made for older versions.',
  'remedy.install-deprecated-sdk': 'Use a newer inspector with a newer companion.',
  'problem.install-missing-split': 'The device says that the APK is only a part of an app.',
  'remedy.install-missing-split': "The file is not the inspector's companion, or is damaged. Reinstall the inspector.",
  'problem.install-no-matching-abis': 'The device says that the APK does not fit its processor.',
  'remedy.install-no-matching-abis':
    "The companion has no native code, so the file is not the inspector's. Reinstall the inspector.",
  'problem.install-internal-error': "The device's installer failed inside itself.",
  'remedy.install-internal-error': 'Its own words are shown below. Restart the device and try again.',
  'problem.install-no-certificates': 'The device found no signature in the APK.',
  'remedy.install-no-certificates': 'The file is damaged. Reinstall the inspector.',
  'problem.install-inconsistent-certificates': 'The device found contradictory signatures in the APK.',
  'remedy.install-inconsistent-certificates':
    'The file is damaged, or another version of the companion is in the way. Uninstall it and reinstall the inspector.',
  'problem.install-invalid-apk': 'The device cannot read the APK ({code}).',
  'remedy.install-invalid-apk': 'The file is damaged. Reinstall the inspector.',
  'problem.install-already-exists': 'The companion is installed, and the device did not replace it.',
  'remedy.install-already-exists': 'Uninstall it on the device, then install again.',
  'problem.install-blocked-by-vendor': "A rule of the device's vendor blocked the installation.",
  'remedy.install-blocked-by-vendor':
    'Its own words are shown below. Samsung: Auto Blocker in the security settings blocks installations over USB.',
  'problem.install-refused': 'The device refused the installation ({code}).',
  'remedy.install-refused': 'Its own words are shown below.',
  'problem.install-no-answer': 'The installation did not end within {seconds} seconds.',
  'remedy.install-no-answer':
    "Look at the device's screen: it may wait for your consent. It may still end well; check before you try again.",
} as const;
