/** Background operations (v2 4.4) and the sessions that carry them. */
export const operations = {
  'finding.cancel-state-unexpected':
    'A request to cancel is acknowledged with cancellation_requested; the answer says: {actual}.',
  'problem.operation-picked-up': 'Picked up from the journal; it is asked again once its device is there.',
  'remedy.operation-picked-up': 'Connect the device, or ask now.',
  'problem.operation-not-followed': 'Nobody asks for it any more.',
  'remedy.operation-not-followed': 'Continue asks again, with the request_id of the execution.',
  'problem.operation-followed-elsewhere': 'Another inspector on this computer asks for it (process {process}).',
  'remedy.operation-followed-elsewhere':
    'Two would ask faster than the Provider wants. Continue takes it over from the other one.',
  'problem.operation-query-cut-off': 'No end was recorded: the app ended while it was asked.',
  'problem.operation-reading-not-kept': 'The answer stands in the journal; its reading was not kept.',
  'problem.operation-ended': 'The operation has ended ({state}); no request to cancel was sent.',
  'problem.operations-not-negotiated': 'The session did not negotiate async_operations, so its state cannot be asked.',
  'remedy.operations-not-negotiated': 'Negotiate again; the Provider must offer the capability.',
  'problem.session-renegotiated': 'A new negotiation replaced it.',
  'problem.session-end-not-recorded':
    'How it ended was not recorded: the app ended first, or another inspector has it.',
  'problem.session-reading-not-kept': 'The answer stands in the journal; its reading was not kept.',
  'finding.capabilities-changed':
    'The same offer was answered with other capabilities than before: {before}, and now {now}.',
  'problem.session-dropped': 'It was ended by hand; nothing was sent.',
  'remedy.session-dropped': 'Negotiate again to go on; nothing does it by itself.',
  'cli.acceptedHint':
    'It goes on in the background: --wait follows it to its end, "cetp operation get ID" asks for it.',
  'cli.operationState': 'operation: {state}',
  'cli.operationCancelled': 'The Provider reports that the operation was cancelled.',
  'cli.operationGoesOn': 'The operation has no reported end. Ask again: cetp operation get {id}',
  'cli.noOperations': 'No operation runs, and no earlier one is without an end.',
  'cli.operationOperand': 'cetp operation get|cancel ID',
  'cli.severalOperations': 'Several operations have that name; use one of: {list}',
  'cli.sessionOperand': 'cetp session show|negotiate|drop PROVIDER',
  'cli.noSession': 'There is no session.',
  'cli.sessionDropped': 'The session was dropped; nothing was sent.',
  'cli.cause': 'cause',
} as const;
