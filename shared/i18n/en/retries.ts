export const retries = {
  // Our own refusals of a retry: nothing was sent
  'problem.retry-unknown-call': 'This call is not in the list of this run any more.',
  'remedy.retry-unknown-call': 'Open the tool with the arguments and the request_id of the history and run it.',
  'problem.retry-under-way': 'An attempt of this request_id is under way. Nothing was sent.',
  'remedy.retry-under-way': 'Wait for its end, or cancel it.',
  'problem.retry-no-id': 'This call carried no request_id, so there is nothing to ask again by.',
  'problem.retry-not-offered':
    'The Provider does not offer a retry of this answer (retryable is not true). Nothing was sent.',
  'remedy.retry-not-offered': 'Ask again deliberately to see how it answers.',
  'problem.retry-too-early': 'The Provider asked to wait; {ms} ms are left. Nothing was sent.',
  'remedy.retry-too-early': 'Wait, or ask again deliberately to see how it answers.',
  'problem.retry-window-over':
    'The idempotency window is over: the Provider may have forgotten this request_id, and the call could act twice. Nothing was sent.',
  'remedy.retry-window-over': 'Look at the Provider’s own state first. Ask again deliberately if it may act again.',
  // Why no attempt follows by itself
  'problem.retry-stopped': 'You stopped the automatic retries.',
  'problem.retry-by-hand': 'It was asked again by hand.',
  'problem.retry-exhausted': 'All automatic retries are used up.',
  'problem.retry-not-automatic':
    'This end is never repeated automatically: it takes a person, other arguments, or knowledge of what happened (v2 5).',
  'problem.retry-wait-too-long': 'The Provider asked to wait {ms} ms; more than {limit} ms is left to a person.',
  'finding.repeat-outcome-differs':
    'Attempt {attempt} of request_id {requestId} ended with “{before}”; this one ended with “{now}”. A repeated request_id must have the same terminal outcome.',
  // In the terminal
  'cli.retryWaits': 'Attempt {attempt} was answered {code}; again with the same request_id in {seconds} s.',
  'cli.retryStops': 'No further attempt: {reason}',
} as const;
