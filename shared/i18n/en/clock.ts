export const clock = {
  'doctorCheck.clock': 'Clock of the device',
  'doctor.clock.running': 'Measuring the device’s clock.',
  'doctor.clock.agrees': 'It differs from this computer’s by {offset} ms (± {uncertainty} ms).',
  'doctor.clock.skewed':
    'It differs from this computer’s by {offset} ms (± {uncertainty} ms). Deadlines and expiry are instants, and a Provider compares them with its own clock.',
  'doctor.clock.unknown': 'The companion did not tell the device’s clock.',
  'doctor.clock.failed': 'The device’s clock could not be measured.',
  'remedy.doctor-set-clock':
    'Let both set their time by the network. This inspector allows for the difference; other Consumers may not.',
  'problem.clock-skew':
    'The device’s clock is {offsetMs} ms off this computer’s (± {uncertaintyMs} ms). The deadline is sent in the device’s time; a Consumer that does not know the difference would lose it to a wait of {timeoutMs} ms.',
  'problem.clock-skew-as-typed':
    'The device’s clock is {offsetMs} ms off this computer’s (± {uncertaintyMs} ms), and the Provider compares the deadline with its own. It is sent as typed.',
  'problem.deadline-in-past': 'The deadline that was typed has passed by the device’s clock.',
  'remedy.deadline-in-past':
    'Type a later one, or force the call: the Provider must answer DEADLINE_EXCEEDED and not act (v2 4.1).',
  'uiClock.title': 'Clock',
  'uiClock.ahead': '{offset} ahead of this computer',
  'uiClock.behind': '{offset} behind this computer',
  'uiClock.equal': 'as this computer’s, as far as can be measured',
  'uiClock.within': '± {uncertainty}, measured {time}',
  'uiClock.unknown': 'not measured: the companion tells it while connected',
  'uiClock.skew':
    'Deadlines and expiry are sent and read in the device’s time. A Consumer that does not allow for this may fail.',
  'uiClock.deadlineIn': 'device time, {offset} from this computer’s',
  'uiClock.deadlineOwn': 'this computer’s time; the device’s clock was not measured',
} as const;
