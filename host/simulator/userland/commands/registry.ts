import type { Command } from '../process.ts';
import { am } from './am.ts';
import { date, echo, falseCommand, getprop, id, pidof, sleep, trueCommand } from './basic.ts';
import { cmd } from './cmd.ts';
import { content } from './content.ts';
import { dd } from './dd.ts';
import { dumpsys } from './dumpsys.ts';
import { cat, head, ls, mkdir, rm, stat, tail } from './file-commands.ts';
import { logcat } from './logcat.ts';
import { pm } from './pm.ts';

/** Every program of the virtual device, by name. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  [':', trueCommand],
  ['am', am],
  ['cat', cat],
  ['cmd', cmd],
  ['content', content],
  ['date', date],
  ['dd', dd],
  ['dumpsys', dumpsys],
  ['echo', echo],
  ['false', falseCommand],
  ['getprop', getprop],
  ['head', head],
  ['id', id],
  ['logcat', logcat],
  ['ls', ls],
  ['mkdir', mkdir],
  ['pidof', pidof],
  ['pm', pm],
  ['rm', rm],
  ['sleep', sleep],
  ['stat', stat],
  ['tail', tail],
  ['true', trueCommand],
]);
