import { expect, test } from 'vitest';
import { readInstallResult } from './install-companion.ts';

test('success, alone and after what older devices print', () => {
  expect(readInstallResult('Success\n', '')).toBeNull();
  expect(readInstallResult('\tpkg: /data/local/tmp/x.apk\nSuccess\n', '')).toBeNull();
});

test.each([
  ['Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: signatures do not match]', 'install-update-incompatible'],
  ['Failure [INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected]', 'install-version-downgrade'],
  ['Failure [INSTALL_FAILED_TEST_ONLY]', 'install-test-only'],
  ['Failure [INSTALL_FAILED_OLDER_SDK]', 'install-older-sdk'],
  ['Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]', 'install-no-space'],
  ['Failure [INSTALL_FAILED_CONFLICTING_PROVIDER]', 'install-conflicting-provider'],
  ['Failure [INSTALL_FAILED_DUPLICATE_PERMISSION: Package a redeclares P owned by b]', 'install-duplicate-permission'],
  ['Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]', 'install-user-restricted'],
  ['Install Failure 7#-111 [INSTALL_FAILED_USER_RESTRICTED: Invalid apk]', 'install-user-restricted'],
  ['Failure [INSTALL_FAILED_ABORTED: User rejected permissions]', 'install-aborted'],
  ['Failure [INSTALL_FAILED_VERIFICATION_FAILURE: Install not allowed]', 'install-verification-failure'],
  ['Failure [INSTALL_FAILED_VERIFICATION_TIMEOUT]', 'install-verification-timeout'],
  ['Failure [INSTALL_FAILED_DEPRECATED_SDK_VERSION: targets 22]', 'install-deprecated-sdk'],
  ['Failure [INSTALL_FAILED_MISSING_SPLIT]', 'install-missing-split'],
  ['Failure [INSTALL_FAILED_NO_MATCHING_ABIS]', 'install-no-matching-abis'],
  ['Failure [INSTALL_FAILED_INTERNAL_ERROR: Permission Denied]', 'install-internal-error'],
  ['Failure [INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install]', 'install-already-exists'],
  ['Failure [INSTALL_PARSE_FAILED_NO_CERTIFICATES: no certificates]', 'install-no-certificates'],
  ['Failure [INSTALL_PARSE_FAILED_INCONSISTENT_CERTIFICATES]', 'install-inconsistent-certificates'],
  ['Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse]', 'install-invalid-apk'],
  ['Failure [-3006: INSTALL_FAILED_BLOCKED_CROSS_DOWN]', 'install-blocked-by-vendor'],
  ['Failure [-9999: INSTALL_FAILED_OF_TOMORROW: why not]', 'install-refused'],
  [
    'Error: java.lang.SecurityException: Shell does not have permission to access user 150',
    'companion.user-unavailable',
  ],
  ['Exception occurred while executing', 'install-refused'],
  ['', 'install-refused'],
])('%s', (text, code) => {
  expect(readInstallResult(`${text}\n`, '')).toMatchObject({ code, raw: text });
  expect(readInstallResult('', `${text}\n`)).toMatchObject({ code, raw: text });
});

test('an unknown code keeps its name', () => {
  expect(readInstallResult('Failure [INSTALL_FAILED_OF_TOMORROW]\n', '')?.params).toEqual({
    code: 'INSTALL_FAILED_OF_TOMORROW',
  });
});

test('a failure after a word of success is a failure', () => {
  expect(readInstallResult('Success\nFailure [INSTALL_FAILED_ABORTED]\n', '')?.code).toBe('install-aborted');
});
