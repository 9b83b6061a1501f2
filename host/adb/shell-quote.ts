import { ProblemError, problem } from '../../shared/model/problem.ts';

const SAFE = /^[A-Za-z0-9_/.:=@%+,-]+$/;

/**
 * One word for `sh`, whatever it holds. Single quotes stop every expansion; a
 * single quote itself is closed, escaped, opened again. A NUL cannot be in an
 * argument at all: `shell-argument-nul`.
 */
export function quoteShellWord(word: string): string {
  if (word.includes('\0')) throw new ProblemError(problem('shell-argument-nul', { argument: word.slice(0, 100) }));
  return SAFE.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command line in which each argument stays one word. */
export function quoteShellCommand(args: readonly string[]): string {
  const [command, ...rest] = args;
  if (command === undefined) throw new Error('A command needs at least its name.');
  const assignment = /^[A-Za-z_]\w*=/.test(command);
  return [assignment ? `'${command}'` : quoteShellWord(command), ...rest.map(quoteShellWord)].join(' ');
}
