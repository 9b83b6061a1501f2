export const cli = {
  'cli.help': `cetp: shows what an Android app offers to agents, and calls it.

  cetp devices                          devices of every watched adb server
  cetp providers                        Providers on a device
  cetp tools PROVIDER                   tools of a Provider
  cetp call PROVIDER TOOL [--args A]    calls a tool and prints its value as JSON
  cetp operations [PROVIDER]            background operations without an end, and those of this run
  cetp operation get|cancel ID          asks for the state once, or requests a cancel
  cetp session show|negotiate|drop PROVIDER
                                        negotiations and why they ended; a new one; forgets it
  cetp history [--search TEXT]          what was exchanged, from the journal
  cetp history --follow                 each event as one line of JSON, until Ctrl+C
  cetp doctor                           checks the whole chain, step by step
  cetp companion install|status|uninstall
                                        installs, shows or removes the companion app
  cetp run FOLDER|FILE…                 runs saved calls and checks what they expect
  cetp serve [--port N] [--open]        serves the app to a browser on 127.0.0.1

PROVIDER is a provider_id or an authority.

  --demo             adds the built-in demo devices (no adb, no Android needed)
  --demo-answer A    what the person in front of the demo phone does when it
                     asks: approve, deny or close; nobody is there without it
  -s, --serial S     the device
  --user N           the Android user; the current one without it
  --adb HOST:PORT    the adb server; else the environment's
  --args A           the arguments: JSON, or as they are in @FILE or - (standard input); {} without
  --out FILE         writes the value, or the file that came, to FILE (--force: also over one that is there)
  --yes              runs a tool that may change something
  --force            sends what our own validation refuses
  --timeout MS       how long to wait for an answer (30000)
  --request-id UUID  the request_id to send
  --wait             follows an accepted operation to its end, its progress on stderr
  --detach           prints the acceptance and leaves (as without --wait)
  --versions LIST    what a negotiation offers, such as 2 or 2,1
  --capabilities LIST
                     the same; an empty LIST offers none
  --deadline TIME    the v2 deadline, sent as it is: an instant with its zone
                     (2026-09-02T12:00:00Z) or epoch ms; else now plus --timeout,
                     by the device's clock
  --retry N          asks again with the same request_id, up to 5 times, where
                     the Provider's error allows it and after the wait it names
  --env NAME         run: the environment of the folder
  --var NAME=VALUE   run: a variable, before the environment's; may be repeated
  --junit FILE       run: writes the results as JUnit XML
  --bail             run: ends at the first call that does not pass
  --resume           opens the Provider's screen on the device where it asks for
                     a person, waits, and resumes the call (v2 4.3)
  --break NAME       breaks a rule on purpose, marked so in the history; again
                     for more: expired-deadline, no-token, wrong-token,
                     stale-session, no-protocol-version, unknown-method,
                     wrong-types, oversized, unnegotiated-capability; with
                     --resume: changed-args-on-resume, resume-token-twice
  --times N          the same bytes N times at once, up to 50; the exit code is
                     the first one's
  --limit N          lines of history (50)
  --json             one JSON document on stdout, and nothing else there
  --journal FILE     the journal; else the app's own
  --connect URL      uses a running "cetp serve" or app
  --version, --help

Exit codes: 0 done, 1 usage, 2 refused by our own validation, 3 authorization or
confirmation needed or denied, 4 device or Provider unreachable, 5 the Provider
answered an error, 6 time-out or deadline, 7 cancelled, 8 conformance failures
(also a file that is not as its Provider declared it).`,
  'cli.waitsForPerson': 'The Provider asks for a person; its screen is opened on the device.',
  'cli.personAnswered': 'The screen closed with result {code}; the call is resumed.',
  'cli.resumeHint':
    'Where a screen came with the answer, --resume opens it on the device, waits for the person, and resumes the call.',
  'cli.outNotYet': 'Nothing was written to {file}: there is no result yet. --wait follows the operation to its end.',
  'cli.unknownCommand': 'There is no command "{command}".',
  'cli.needsProvider': 'Which Provider? cetp tools PROVIDER',
  'cli.needsProviderAndTool': 'Which tool? cetp call PROVIDER TOOL --args JSON',
  'cli.severalDevices': 'Several devices are ready; choose one with -s: {list}',
  'cli.severalProviders': 'Several Providers match "{name}"; name one by its authority or key: {list}',
  'cli.noDevices': 'No device. Plug one in with USB debugging on, or add --demo.',
  'cli.noProviders': 'No app on this device declares the action com.clawseed.action.TOOL_PROVIDER.',
  'cli.unreadable': 'Could not read {package}:',
  'cli.noHistory': 'The journal is empty.',
  'cli.noHistoryMatch': 'Nothing in the journal matches.',
  'cli.moreHistory': '{shown} of {total}; --limit shows more.',
  'cli.v1NoAnnotations': 'CETP v1: tools carry no annotations; by definition they only read.',
  'cli.argsInvalid': 'The arguments do not match the input schema:',
  'cli.needsYes':
    'Not sent: "{tool}" is not declared a plain read (effect=read and not destructive), so it may change something. Add --yes to run it.',
  'cli.forceHint': 'Not sent. Add --force to send it all the same.',
  'cli.outputInvalid': 'The value does not match the output schema:',
  'cli.valueCut': 'The value is {length} characters long; only its head follows.',
  'cli.accepted': 'The Provider accepted the call as an operation.',
  'cli.providerError': 'The Provider answered {code}: {message}',
  'cli.notBuilt': 'The renderer is not built. Run "npm run build" first.',
  'cli.serving': 'Open the address above in a browser on this machine. Ctrl+C stops it.',
  'cli.serial': 'serial',
  'cli.state': 'state',
  'cli.model': 'model',
  'cli.server': 'server',
  'cli.authority': 'authority',
  'cli.label': 'label',
  'cli.protocol': 'protocol',
  'cli.bridge': 'bridge',
  'cli.findings': 'findings',
  'cli.tool': 'tool',
  'cli.effect': 'effect',
  'cli.risk': 'risk',
  'cli.confirmation': 'confirmation',
  'cli.description': 'description',
  'cli.time': 'time',
  'cli.provider': 'Provider',
  'cli.method': 'method',
  'cli.end': 'end',
  'problem.no-device': 'No device is ready. Seen: {seen}',
  'remedy.no-device': 'Plug one in with USB debugging on, run "cetp doctor", or add --demo.',
  'problem.no-such-device': 'There is no device "{serial}".',
  'remedy.no-such-device': '"cetp devices" lists them.',
  'problem.no-such-provider': 'No Provider on this device has the provider_id or authority "{name}".',
  'remedy.no-such-provider': '"cetp providers" lists them.',
  'problem.discovery-timeout': 'Looking for Providers took too long.',
  'remedy.discovery-timeout': 'Run "cetp doctor", then try again.',
  'problem.host-unreachable': 'Nothing answers at {address}, or it refused the token.',
  'remedy.host-unreachable': 'Copy the whole address that "cetp serve" printed, with its token.',
  'cli.noCommand': 'Which command?',
  'cli.outputLost': 'The answer could not be written: {reason}',
  'cli.notUtf8': 'not UTF-8; nothing was sent',
  'cli.replacedBytes':
    'The arguments hold U+FFFD. If the command line held other bytes, use --args @FILE or -, which refuse them.',
  'problem.usage': 'Wrong command line: {detail}',
  'remedy.usage': '"cetp --help" lists everything.',
  'problem.port-unusable': 'Port {port} of 127.0.0.1 cannot be used.',
  'remedy.port-unusable': 'Choose another with --port, or leave it out.',
  'problem.host-lost': 'The host at {address} ended before it answered.',
  'remedy.host-lost': 'A call that had left may still have acted; the history of that host tells what was sent.',
  'problem.server-silent': 'The adb server at {address} took the connection and does not answer.',
  'remedy.server-silent': 'Check that an adb server listens there, or restart it.',
} as const;
