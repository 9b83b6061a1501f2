import { randomUUID } from 'node:crypto';

const living = new Set<string>();

/** The name of one host among the processes that use a journal. It lives until it is given up, or its process ends. */
export interface Owner {
  readonly name: string;
  giveUp(): void;
}

export function newOwner(): Owner {
  const name = `${process.pid}:${randomUUID()}`;
  living.add(name);
  return { name, giveUp: () => living.delete(name) };
}

/** Whether the host of that name may still be at work. A process of the same number as ours is an earlier one. */
export function isAlive(owner: string): boolean {
  if (living.has(owner)) return true;
  const pid = processOf(owner);
  if (pid === null || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The process number in an owner's name, or null. */
export function processOf(owner: string): number | null {
  const pid = Number(/^(\d+):/.exec(owner)?.[1]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}
