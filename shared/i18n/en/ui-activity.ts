export const uiActivity = {
  'uiActivity.title': 'Waiting',
  'uiActivity.heading': 'Waiting',
  'uiActivity.person': 'Waiting for a person',
  'uiActivity.personHelp':
    'Calls that the Provider does not carry out before someone decides on the device: authorization and confirmation.',
  'uiActivity.stale': 'The list may be old',
  'uiActivity.personNone': 'No call waits for a person.',
  'uiActivity.personEnded': 'Ended in this run: {count}',
  'uiActivity.waitsFor': 'waits for {time}',
} as const;
