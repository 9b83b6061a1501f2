/** Files of results (v2 4.5). */
export const results = {
  'problem.result-file-gone': 'Nothing of this result is kept on this machine any more.',
  'remedy.result-file-gone':
    'Results are deleted after some days, or when they take too much space. Run the call again.',
  'problem.result-file-interrupted': 'The app ended while the file was being read, so only a part of it came.',
  'remedy.result-file-interrupted': 'Run the call again to read the whole file.',
} as const;
