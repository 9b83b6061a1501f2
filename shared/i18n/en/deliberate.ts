export const deliberate = {
  'problem.deliberate-conflict':
    '“{one}” and “{other}” change the same part of the call, so only one of them can be sent.',
  'problem.deliberate-needs-v2': '“{name}” breaks a rule of version 2; this Provider is called by version 1.',
  'problem.deliberate-needs-resume': '“{name}” is for a call that is resumed after a confirmation.',
  'problem.deliberate-no-stale-session': 'There is no earlier session in this run whose token could be sent.',
  'remedy.deliberate-no-stale-session': 'Negotiate again: the session in force is then the stale one.',
  'problem.deliberate-all-negotiated':
    'Every optional capability is negotiated in this session, so none can be used without.',
  'remedy.deliberate-all-negotiated': 'Negotiate without one of them, or use a Provider that does not offer it.',
  'deviation.expired-deadline': 'Expired deadline',
  'deviationHelp.expired-deadline':
    'deadline_at_ms lies one minute in the past. A Provider must not start an effect (v2 4.1): DEADLINE_EXCEEDED.',
  'deviation.no-token': 'No session token',
  'deviationHelp.no-token': 'session_token is left out. NEGOTIATION_REQUIRED is due (v2 2.2).',
  'deviation.wrong-token': 'Made-up session token',
  'deviationHelp.wrong-token':
    'A session_token that no Provider gave out, made here. NEGOTIATION_REQUIRED is due (v2 2.2).',
  'deviation.stale-session': 'Token of the session before',
  'deviationHelp.stale-session': 'session_token of the session before this one.',
  'deviation.no-protocol-version': 'v1 form',
  'deviationHelp.no-protocol-version':
    'Only tool_name and args, as version 1 calls. A dual-stack Provider takes it for v1 (v2 4) and must show no tool with effects there (2.1). The answer is read as v1.',
  'deviation.unknown-method': 'Unknown method',
  'deviationHelp.unknown-method': 'The method cetp_inspector_unknown. METHOD_NOT_FOUND is due (v2 4).',
  'deviation.wrong-types': 'Wrong Bundle types',
  'deviationHelp.wrong-types':
    'protocol_version as a string, deadline_at_ms as an int of seconds. INVALID_REQUEST is due (v2 4.1, 5).',
  'deviation.oversized': 'Oversized arguments',
  'deviationHelp.oversized': 'Spaces after the arguments bring them one byte above max_request_bytes (v2 4.1).',
  'deviation.unnegotiated-capability': 'Capability that was not negotiated',
  'deviationHelp.unnegotiated-capability':
    'get_operation or cancel_operation in a session without it, instead of the tool. UNSUPPORTED_CAPABILITY is due (v2 5).',
  'deviation.changed-args-on-resume': 'Changed arguments on resume',
  'deviationHelp.changed-args-on-resume':
    'A space after the arguments: other bytes, the same meaning. The Provider must refuse it (v2 4.3).',
  'deviation.resume-token-twice': 'resume_token a second time',
  'deviationHelp.resume-token-twice': 'The token is sent although it was used. It is good for one use (v2 4.3).',
  'deviation.times': 'Several at once',
  'deviationHelp.times':
    'The same bytes leave several times at once, whatever max_concurrent_requests says; the companion takes 16 at a time. One executor is allowed (v2 6).',
  'deviation.reused-request-id': 'request_id of another call',
  'deviationHelp.reused-request-id':
    'The request_id was sent before with another tool or other arguments. INVALID_REQUEST is due (v2 6).',
  'deviation.repeated-request-id': 'request_id that was answered',
  'deviationHelp.repeated-request-id':
    'The same call was answered before. The same outcome is due, and no second effect (v2 6).',
  'uiDeliberate.title': 'Break on purpose',
  'uiDeliberate.count': '{count} on',
  'uiDeliberate.help':
    'What is chosen here is sent, seen in the preview, and marked as deliberate in the history. A real Provider is called.',
  'uiDeliberate.banner': 'Breaks the rules on purpose',
  'uiDeliberate.mark': 'deliberate',
  'uiDeliberate.times': 'Copies at once',
  'uiDeliberate.none': 'Nothing',
  'uiDeliberate.burst': 'copy {index} of {count}',
  'uiDeliberate.clear': 'Break nothing',
} as const;
