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
} as const;
