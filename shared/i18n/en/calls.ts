export const calls = {
  // Problems of sessions and lists
  'problem.negotiation-not-v2': 'This Provider does not advertise v2, so there is nothing to negotiate.',
  'problem.provider-unusable': 'This Provider declares no protocol version that can be used.',
  'remedy.provider-unusable': 'Look at the findings on its manifest: they name what is missing or invalid.',
  'problem.session-ended-by-provider': 'The Provider no longer accepts the session and asks for a new negotiation.',
  'remedy.session-ended-by-provider': 'Negotiate again. A Provider may forget its sessions when its process restarts.',
  'problem.host-closed': 'The app was closing.',
  'problem.no-input-schema': 'The tool has no input schema to make an example from.',
  // Warnings on a call
  'problem.catalog-unknown': 'The tool list has not been read, so the tool and its arguments cannot be checked.',
  'problem.tool-repeated':
    'The list has {count} entries named "{tool}". The first one is used for the checks; which one runs is up to the Provider.',
  'problem.wait-short': "The wait of {ms} ms is short: starting the Provider's process alone may take longer.",
  'problem.session-expires-first': 'The session expires before the deadline of this call.',
  'problem.request-id-not-uuid': 'The request_id "{requestId}" is not a UUID, as v2 4.1 requires.',
  'problem.request-id-retry':
    'This request_id was sent before with the same tool and arguments: the Provider should give the same outcome and not act twice.',
  'problem.request-id-reused':
    'This request_id was sent before with another tool or other arguments: the Provider must answer INVALID_REQUEST.',
  // Our own refusals: nothing was sent
  'problem.no-session': 'There is no negotiated session for this call.',
  'remedy.no-session':
    'Negotiate first. Forced, the call goes out with an empty session_token, to see how the Provider answers.',
  'problem.session-expired': 'The session has expired.',
  'remedy.session-expired':
    'Negotiate again. Forced, a call goes out with the old token, to see how the Provider answers.',
  'problem.session-ended': 'The session has ended.',
  'remedy.session-ended':
    'Negotiate again. Forced, a call goes out with the old token, to see how the Provider answers.',
  'problem.provider-disabled':
    'The v2 negotiation failed ({reason}), so this Provider is disabled. There is no fallback to v1 (v2 section 8).',
  'remedy.provider-disabled': 'Look at the session for the reason, then negotiate again.',
  'problem.tool-not-in-catalog': 'The tool "{tool}" is not in the list that was read.',
  'remedy.tool-not-in-catalog': 'Read the list again, or force the call to see how the Provider answers.',
  'problem.tool-malformed': 'The entry of the tool "{tool}" breaks the spec, so it is not called by default.',
  'remedy.tool-malformed': 'Its findings say what is wrong. Force the call to run it on purpose.',
  'problem.args-too-large': 'The arguments are {bytes} bytes; the negotiated max_request_bytes is {limit}.',
  'remedy.args-too-large': 'Shorten them, or force the call to see how the Provider answers.',
  'problem.prepared-unknown': 'This prepared call is no longer held.',
  'remedy.prepared-unknown': 'Prepare it again. The newest 200 are kept.',
  'problem.prepared-used': 'This prepared call was already run. Nothing was sent again.',
  'remedy.prepared-used': 'Prepare a new one; keep the request_id to retry the same execution.',
  'problem.prepared-stale': 'The session or the Provider has changed since this call was prepared. Nothing was sent.',
  'remedy.prepared-stale': 'Prepare it again and look at what will be sent.',
  'problem.needs-confirmation':
    '"{tool}" may change something (effect: {effect}) and runs only when confirmed. Nothing was sent.',
  'remedy.needs-confirmation': 'Confirm the call in the app, or pass --yes in the terminal.',
  'problem.deadline-passed': 'The deadline of this call had passed before its turn came. Nothing was sent.',
  'remedy.deadline-passed': 'Prepare it again with a new deadline.',
  // Ends of a call
  'problem.call-timeout': 'No answer came within {ms} ms.',
  'remedy.call-timeout': 'The Provider may still be working. Ask again only with the same request_id.',
  'problem.device-gone': 'The device {serial} went away.',
  'remedy.device-gone':
    'Plug it in again. A request that had left may still take effect: query only with the same request_id.',
  'problem.provider-removed': 'The app of the Provider {provider} was removed.',
  'problem.provider-replaced': 'The app of the Provider {provider} was replaced.',
  'remedy.provider-replaced': 'Read the list again; a new version may answer otherwise.',
  // Files of results
  'problem.result-file-limit':
    'The file is longer than the local limit of {limit} bytes. The bytes up to it are kept; the rest was not read.',
  'remedy.result-file-limit': 'Ask for less.',
  'problem.result-file-overrun':
    'The file goes on beyond the {declared} bytes that it declares. It was read to {bytes} bytes, and no further.',
  'problem.result-file-cancelled':
    'Reading the file was cancelled after {bytes} bytes. The Provider has finished the call all the same.',
  'problem.result-file-disk': 'The file could not be written here ({code}). Nothing of it is kept.',
  'remedy.result-file-disk': 'Check the free space and the rights of the data folder.',
  'finding.file-not-whole':
    'Reading the file stopped after {bytes} bytes ({code}), so neither size nor digest could be verified.',
  'finding.file-overrun':
    'The file declares {declared} bytes; {bytes} were read and it had not ended. Its digest was not checked.',
  'finding.file-bytes-differ': 'The file declares {declared} bytes and has {actual}.',
  'finding.file-digest-differs': 'The file declares the SHA-256 {declared}; the bytes that came have {actual}.',
  'finding.file-not-json': 'The file declares JSON and is not: {reason}',
  'notChecked.file-not-whole': 'Not checked: the file did not come whole.',
  'notChecked.file-not-json-type': 'Not checked: the file is not declared as application/json.',
  'notChecked.file-too-large': 'Not checked: the file is larger than 64 MiB.',
  'notChecked.file-not-json': 'Not checked: the file is not JSON.',
  // Checks that did not run
  'notChecked.no-catalog': 'The tool list has not been read, or the tool is not in it.',
  'notChecked.file-not-read': 'The result is a file, which was not read.',
  // What was noticed about an exchange
  'finding.effect-unknown':
    'The request had left. "{tool}" may still take effect, or have done so. Query or retry only with the same request_id {requestId}; a new one could act twice.',
  'finding.outcome-unknown':
    'The request had left, and the Provider may still be working on it (request_id {requestId}).',
  'finding.not-recorded': 'This end could not be written to the journal: {reason}',
  'finding.late-answer': 'An answer came after the wait had ended. It is in the journal.',
  'finding.bridge-note': 'The bridge could not read a part of the answer exactly ({code}). The raw text is kept.',
} as const;
