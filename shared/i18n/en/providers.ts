export const providers = {
  'finding.manifest-service-not-exported':
    'The Service is not exported. Consumers of other apps do not see it, and from Android 11 on the whole app stays invisible to them.',
  'finding.manifest-service-disabled': 'The Service is disabled, so discovery does not find it.',
  'finding.manifest-service-permission':
    'The Service asks for the permission {permission}. Discovery never binds the Service, so this protects nothing and may confuse.',
  'finding.manifest-not-visible': 'A Consumer that declares <queries> for the discovery action would not see this app.',
  'finding.manifest-only-shell-sees':
    'Only the shell lists this Provider; the companion, an ordinary Consumer, does not.',
  'finding.manifest-shared-uid':
    'The app shares its UID ({sharedUserId}) with other apps. Grants bound to a UID then cover all of them.',
  'finding.manifest-permission-declared-here':
    'The app declares the permission {permission} itself. A Provider of another developer that does the same cannot be installed beside it (INSTALL_FAILED_DUPLICATE_PERMISSION), and a Consumer installed earlier does not get the grant until it is updated.',
  'finding.manifest-permission-declared-by-several':
    'Several developers declare the permission {permission}: also {others}. Android installs only one of them.',
  'finding.manifest-authority-missing':
    'The Service has no meta-data {key}, so a Consumer cannot know which ContentProvider to call.',
  'finding.manifest-authority-not-string':
    'The authority is compiled as {type} ({text}) and not as a string; getString() returns null.',
  'finding.manifest-authority-invalid':
    '"{text}" cannot be an authority: it is too long, or holds spaces, ";", "/" or invisible characters.',
  'finding.manifest-authority-repeated':
    'The authority {authority} is also declared by {others}. Calls cannot be told apart.',
  'finding.manifest-provider-missing': 'No installed ContentProvider has the authority {authority}.',
  'finding.manifest-authority-not-of-provider':
    'The authority {authority} is not among those of the ContentProvider ({authorities}).',
  'finding.manifest-provider-other-package':
    'The authority belongs to {owner} and not to {package}. Consumers must refuse this Provider.',
  'finding.manifest-provider-not-exported':
    'The ContentProvider is not exported; every call from another app is refused.',
  'finding.manifest-provider-disabled': 'The ContentProvider is disabled; calls find nothing behind the authority.',
  'finding.manifest-provider-open':
    'The ContentProvider asks for no permission; any app can call it. The spec protects it with {permission}.',
  'finding.manifest-provider-other-permission':
    'The ContentProvider asks for {permission}. A Consumer holds {expected}, so its calls are refused.',
  'finding.manifest-provider-half-open':
    'Only one of read and write asks for a permission ({permission}). Android accepts either for call(), so the Provider is open to every app.',
  'finding.manifest-permission-undefined':
    'No installed app defines {permission}. Nobody can hold it, so only the app itself, root and the system reach this Provider.',
  'finding.manifest-init-order-missing':
    'android:initOrder is not set. Some vendor systems start the Provider reliably only with initOrder="100".',
  'finding.manifest-grant-uri-permissions':
    'android:grantUriPermissions is on: a URI grant can open the Provider to an app without the permission.',
  'finding.manifest-nothing-declared': 'The Service declares no protocol version (no meta-data {key}).',
  'finding.manifest-versions-invalid':
    '"{text}" ({type}) is not a set of major versions such as "1,2". It is not read as any other version.',
  'finding.manifest-versions-not-positive': '"{text}" holds zero or a negative number, which is no major version.',
  'finding.manifest-versions-resource-id':
    'The value {text} is the id of a resource: the manifest uses android:resource where it must use android:value.',
  'finding.manifest-versions-not-text':
    'The value is compiled as {type} ({text}), as aapt does with a lone number; getString() returns null. A reference to a string resource keeps it text.',
  'finding.manifest-versions-duplicates': '"{text}" names {duplicates} more than once; the repetition is ignored.',
  'finding.manifest-versions-spaces':
    '"{text}" has spaces around its numbers; they are ignored here, but other Consumers may not do so.',
  'finding.manifest-unknown-majors':
    'Major versions that this inspector does not know: {majors}. They are kept and not used.',
  'finding.manifest-version-invalid': 'The version "{text}" ({type}) is not one positive whole number.',
  'finding.manifest-version-not-int':
    'The version is compiled as {type} ({text}) and not as an int; a Consumer that calls getInt() reads its default value.',
  'finding.manifest-version-missing':
    'versions is declared without version={expected}; legacy Consumers do not understand the Provider.',
  'finding.manifest-dual-stack-version':
    'A Provider with versions="{versions}" must keep version=1 for v1 Consumers, but declares {version}.',
  'finding.manifest-v2-only-version':
    'A v2-only Provider (versions="{versions}") uses version=2, but declares {version}.',
  'finding.manifest-version-contradicts': 'version={version} is not among versions="{versions}". versions rules.',
  'finding.manifest-v2-without-versions': 'version=2 stands alone; a v2 Provider also declares versions="2".',
  'finding.manifest-repeated-key': 'Meta-data that stands there more than once: {keys}. The last one counts.',
  'protocolReason.v1-only-declared': 'The manifest declares v1 and not v2.',
  'protocolReason.v2-only-declared': 'The manifest declares v2.',
  'protocolReason.v2-and-v1-declared': 'The manifest declares v1 and v2. v2 is used, and never v1 in its place.',
  'protocolReason.nothing-declared': 'The manifest declares no protocol version.',
  'protocolReason.declaration-invalid': 'The declared versions are not valid, so no protocol can be chosen.',
  'protocolReason.no-known-major': 'None of the declared major versions is known here.',
  'protocolReason.authority-unusable': 'There is no usable authority to call.',
  'protocolReason.provider-missing': 'No ContentProvider stands behind the authority.',
  'protocolReason.provider-owner-unknown':
    'Which package owns the authority could not be read. The specification demands that it is the same package (v2 2.1), so the Provider is not used.',
  'protocolReason.provider-other-package':
    'Service and ContentProvider belong to different packages; a Consumer must refuse that (v2 2.1).',
  'problem.bridge-no-protocol': 'This Provider cannot be called: no protocol can be used with it.',
  'remedy.bridge-no-protocol': 'Correct the manifest as the findings say, then install the app again.',
  'problem.bridge-provider-disabled': 'The ContentProvider {name} is disabled on this device.',
  'remedy.bridge-provider-disabled': 'Enable the app or the component in the system settings or in the manifest.',
  'problem.bridge-provider-not-exported': 'The ContentProvider {name} is not exported, so no other app may call it.',
  'remedy.bridge-provider-not-exported': 'Set android:exported="true" on the provider in the manifest.',
  'problem.bridge-companion-cannot-see': 'The companion does not see {package}, as no ordinary Consumer would.',
  'remedy.bridge-companion-cannot-see': 'Export the Service that carries the discovery action, then look again.',
  'problem.bridge-other-permission': 'The Provider asks for {permission}, which a Consumer does not hold.',
  'remedy.bridge-other-permission': 'Protect the provider with com.clawseed.permission.ACCESS_TOOLS instead.',
  'problem.bridge-permission-denied':
    'The companion does not hold {permission}: it was installed before the app that defines it.',
  'remedy.bridge-permission-denied': 'Install the companion again; Android then grants the permission.',
  'problem.bridge-permission-undefined': 'No installed app defines {permission}, so nobody can hold it.',
  'remedy.bridge-permission-undefined': 'Install an app that defines the permission, then install the companion again.',
  'problem.bridge-permission-needs-companion': 'The Provider asks for {permission}, which the adb shell does not hold.',
  'remedy.bridge-permission-needs-companion': 'Install the companion on this device; it calls as an ordinary Consumer.',
  'problem.bridge-v2-needs-companion':
    "A v2 Provider cannot be called through the adb shell: negotiate needs an int array, and the shell's content command has no arrays.",
  'remedy.bridge-v2-needs-companion': 'Install the companion on this device.',
  'problem.bridge-v2-needs-companion-old':
    'A v2 Provider cannot be called through the adb shell: negotiate needs an int array, and below Android 11 (this device has API level {sdk}) the content command has no int values either.',
  'remedy.bridge-v2-needs-companion-old': 'Install the companion on this device.',
  'problem.bridge-shell-limited':
    'Calls go through the adb shell. The Provider sees UID {uid} and not an app, and answers show no value types.',
  'remedy.bridge-shell-limited': 'Install the companion to call as an ordinary Consumer.',
  'problem.discovery-shell-only':
    'Without the companion, Providers are read from the package manager and the APKs. What only an app can see is marked as unknown.',
  'remedy.discovery-shell-only': 'Install the companion for the full picture.',
  'problem.discovery-companion-failed': 'The companion could not list the Providers; this list comes from the shell.',
  'remedy.discovery-companion-failed': 'Look again. If it stays, install the companion again.',
  'problem.discovery-shell-failed': 'The shell could not list the Providers; this list comes from the companion alone.',
  'remedy.discovery-shell-failed': 'Look again. Providers that are invisible to Consumers may be missing.',
  'problem.query-services-failed': 'The device did not list its Services.',
  'remedy.query-services-failed':
    "See the device's words below. A user or work profile that is locked or not running cannot be queried.",
  'problem.query-services-incomplete': 'The device announced {announced} Services, but only {read} could be read.',
  'remedy.query-services-incomplete': 'Look again. If it stays, report the text below.',
  'problem.dumpsys-timeout': 'The device gave up printing its package facts.',
  'remedy.dumpsys-timeout': 'The device is busy. Look again in a moment.',
  'problem.dumpsys-no-package': 'The device prints no facts on {package}.',
  'remedy.dumpsys-no-package': 'The package may have just been removed. Look again.',
  'problem.dumpsys-unreadable': "The device's facts on {what} could not be read.",
  'remedy.dumpsys-unreadable': "See the device's words below.",
  'problem.current-user-unknown': 'The device did not say which user is in the foreground.',
  'remedy.current-user-unknown': 'Choose a user by hand.',
  'problem.apk-path-unknown': 'The device did not say where the APK of {package} is.',
  'remedy.apk-path-unknown': "See the device's words below.",
  'problem.apk-other-package': 'The APK {file} says that it is {found} and not {package}.',
  'remedy.apk-other-package': "The package may be being replaced, or the device's answer is not honest. Look again.",
  'problem.apk-unreadable': 'The APK {file} could not be read ({fault}).',
  'remedy.apk-unreadable': 'Install the companion: it asks Android itself. Or check how the APK was packed.',
  'problem.service-not-in-apk': 'The Service {service} is in none of the APKs that were read ({file} and its splits).',
  'remedy.service-not-in-apk': 'Look again. If it stays, install the companion.',
  'problem.candidate-invalid': "The companion's facts on a Provider are not in their agreed form ({where}).",
  'remedy.candidate-invalid': 'Install the companion that came with this inspector.',
  'apkFault.not-a-zip': 'not an APK, or a broken one',
  'apkFault.zip64': 'a zip64 archive, which Android does not install',
  'apkFault.no-manifest': 'no manifest in it',
  'apkFault.duplicate-entry': 'an entry stands in it twice',
  'apkFault.entry-encrypted': 'an entry is encrypted',
  'apkFault.entry-method': 'an entry is packed in an unknown way',
  'apkFault.entry-corrupt': 'an entry is damaged',
  'apkFault.entry-too-large': 'an entry is larger than is read here',
  'apkFault.manifest-invalid': 'the manifest is damaged',
  'apkFault.manifest-too-large': 'the manifest is larger than is read here',
  'apkFault.resources-invalid': 'the resource table is damaged',
  'apkFault.signing-block-invalid': 'the signing block is damaged',
  'apkFault.truncated': 'the file is shorter than it says',
  'apkFault.too-much-read': 'more would have to be read than is allowed',
  'unknownFact.provider': 'the ContentProvider behind the authority',
  'unknownFact.componentState': 'components enabled or disabled at run time',
  'unknownFact.signingCertSha256': 'signing certificate',
  'unknownFact.pastSigningCertSha256': 'earlier signing certificates',
  'unknownFact.label': 'label',
  'unknownFact.label.locale': "label in the device's own language",
} as const;
