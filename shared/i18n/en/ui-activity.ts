export const uiActivity = {
  'uiActivity.title': 'Waiting',
  'uiActivity.heading': 'What waits for whom',
  'uiActivity.person': 'Waiting for a person',
  'uiActivity.personHelp':
    'Calls that the Provider does not carry out before someone decides on the device: authorization and confirmation.',
} as const;
