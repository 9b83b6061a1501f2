export const uiRetries = {
  'uiRetries.attempts': 'Attempts of this request_id',
  'uiRetries.attempt': 'Attempt {attempt}',
  'uiRetries.kind.retryable': 'The Provider lets this be asked again with the same request_id.',
  'uiRetries.kind.no-answer':
    'How this ended is not known. The same request_id asks without acting twice (v2 4.1, 6); a new one could act again.',
  'uiRetries.kind.not-sent': 'Nothing was sent. The same request_id can still be used.',
  'uiRetries.again': 'Ask again',
  'uiRetries.againHelp':
    'Sends the same arguments with the same request_id and a new deadline, in a new session where none is open',
  'uiRetries.againIn': 'Ask again in {left}',
  'uiRetries.early': 'Send now anyway…',
  'uiRetries.safeUntil': 'The Provider must know this request_id until {time} (idempotency window).',
  'uiRetries.windowOver':
    'The idempotency window ended {time}: the Provider may have forgotten this request_id and act again.',
  'uiRetries.next': 'Attempt {attempt} follows by itself in {left} ({count} left)',
  'uiRetries.stop': 'Stop retrying',
  'uiRetries.noneFollows': 'No attempt follows by itself',
  'uiRetries.confirmEffect':
    'This may change something. The Provider must not act twice for one request_id; whether it obeys is what you see.',
  'uiRetries.confirmEarly': 'This goes against what the Provider asked for, on purpose.',
  'uiRetries.confirmWindow': 'The Provider may have forgotten this request_id. It may act a second time.',
  'uiRetries.send': 'Send again',
  'uiRetries.failed': 'It was not sent again',
  'uiRetries.auto': 'Retries',
  'uiRetries.autoHelp':
    'Asks again by itself with the same request_id, where the Provider’s error allows it and after the wait it names (v2 5)',
  'uiRetries.autoOff': 'off',
  'uiRetries.autoUpTo': 'up to {count}',
  'uiRetries.deadline': 'Deadline',
  'uiRetries.deadlineHelp': 'Sent as deadline_at_ms. A typed time is sent as it is, whatever the device’s clock says',
  'uiRetries.deadlineFromWait': 'now + wait',
  'uiRetries.deadlineAt': 'at a time',
  'uiRetries.deadlineTime': 'Time of the deadline',
  'uiRetries.deadlineInvalid': 'Type the date and the time of the deadline.',
  'uiRetries.queue': '{running} running, {unknown} unknown, {waiting} waiting; {limit} at once',
  'uiRetries.queueHelp':
    'Requests to this Provider against max_concurrent_requests. Unknown: nobody waits for the answer any more, but the Provider may still be at work, so the place is kept until the deadline and 5 s.',
  'uiRetries.notSent': 'not sent',
  'uiRetries.place': 'queue {place}/{count}',
} as const;
