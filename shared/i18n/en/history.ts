export const history = {
  // The journal's file
  'problem.journal-newer':
    'The journal {file} was written by a newer version of this app (schema {version}; this one knows {supported}). It was left as it is.',
  'remedy.journal-newer': 'Use the newer version, or choose another file with --journal.',
  'problem.journal-foreign': '{file} is a database of another program. It was left as it is.',
  'remedy.journal-foreign': 'Choose another file with --journal.',
  'problem.journal-cannot-open': 'The journal {file} cannot be opened.',
  'remedy.journal-cannot-open':
    'Check that the folder exists, is writable and has room, or choose another file with --journal.',
  'problem.journal-damaged': 'The journal {file} was damaged. It was moved to {movedTo}, and a new one was begun.',
  'remedy.journal-damaged': 'Keep the moved file if you need its history; nothing in it was changed.',
  'problem.journal-write-failed':
    'The journal {file} could not be written, so the call was not sent or its end was not recorded.',
  'remedy.journal-write-failed': 'Check that the disk has room and the file is writable.',
  'problem.journal-read-failed': 'The journal {file} could not be read.',
  'remedy.journal-read-failed': 'Check that the file is still there and readable.',
} as const;
