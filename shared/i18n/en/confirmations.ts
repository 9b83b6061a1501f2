export const confirmations = {
  // A PendingIntent of a Provider on its way to the device's screen
  'problem.launch-handle-gone':
    'The PendingIntent can no longer be launched: the connection to the companion that received it is gone.',
  'remedy.launch-handle-gone':
    'Run the call again with the same request_id: the Provider then asks anew, and nothing happens twice.',
  'problem.launch-busy': 'Another screen that this inspector opened is still in front on the device.',
  'remedy.launch-busy': 'Answer that one on the device, or stop waiting for it, then launch again.',
  'problem.launch-timeout': 'Nobody answered on the device within {ms} ms.',
  'remedy.launch-timeout':
    "The Provider's screen may still be open there; its result no longer comes here. Launch again, or resume if the person has decided.",
  'problem.launch-stopped': 'Waiting for the result was stopped here.',
  'remedy.launch-stopped':
    "The Provider's screen may still be open on the device. Resume if the person has decided, or launch again.",
  'problem.launch-needs-confirmation':
    'Opening a screen of the Provider for “{tool}” is a deliberate act; nothing was opened.',
  'problem.resolution-missing': 'The Provider sent no PendingIntent, so there is no screen to open.',
  'remedy.resolution-missing':
    'v2 4.3 asks for one. If the person can decide in the app itself, resume afterwards, or run the call again with the same request_id.',
  'problem.confirmation-unknown': 'This call asked for nobody in this run of the app.',
  'problem.confirmation-crowded-out': 'More than {limit} calls waited for a person; the oldest was let go.',
  'remedy.confirmation-crowded-out': 'Run the call again with the same request_id.',
  // Resuming
  'problem.resume-no-token': 'The Provider sent no resume_token, so there is nothing to resume with.',
  'remedy.resume-no-token': 'Run the call again with the same request_id.',
  'problem.resume-before-result':
    'The Provider’s screen has not given its result yet; a call is resumed after it (v2 4.3).',
  'remedy.resume-before-result': 'Open the screen and decide on the device. Resuming before is a deliberate act.',
  'problem.resume-used': 'The resume_token was sent before, and is good for one use (v2 4.3). Nothing was sent.',
  'remedy.resume-used':
    'To learn how the execution ended, run it again with the same request_id and without the token.',
  'problem.resume-not-taken':
    'The Provider answered {code}, retryable, before it looked at the resume_token; it can be sent again.',
  'remedy.resume-not-taken': 'Do what the code asks for (negotiate, wait), then resume again.',
  'finding.carried-out-after-cancel':
    'The Provider’s screen closed with RESULT_CANCELED ({resultCode}): denied, or left without a decision. The Provider carried the call out all the same ({outcome}). A denial must be answered with USER_CANCELLED.',
} as const;
