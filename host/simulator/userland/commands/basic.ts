import type { Command } from '../process.ts';

export const trueCommand: Command = () => Promise.resolve(0);
export const falseCommand: Command = () => Promise.resolve(1);

/** `echo [-n] TEXT…`; backslashes are left alone. */
export const echo: Command = async ({ argv, stdout }) => {
  const bare = argv[1] === '-n';
  await stdout.write(argv.slice(bare ? 2 : 1).join(' ') + (bare ? '' : '\n'));
  return 0;
};

/** `id [-u]`. */
export const id: Command = async ({ argv, stdout }) => {
  const groups =
    'uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),3003(inet)';
  await stdout.write(argv[1] === '-u' ? '2000\n' : `${groups} context=u:r:shell:s0\n`);
  return 0;
};

/** `date [+FORMAT]` in UTC, with `%s %Y %m %d %H %M %S %N %F %T`. */
export const date: Command = async ({ argv, device, stdout }) => {
  const ms = device.now();
  const iso = new Date(ms).toISOString();
  const fields: Readonly<Record<string, string>> = {
    s: String(Math.floor(ms / 1000)),
    N: `${String(ms % 1000).padStart(3, '0')}000000`,
    Y: iso.slice(0, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    F: iso.slice(0, 10),
    T: iso.slice(11, 19),
    '%': '%',
  };
  const format = argv.find((arg) => arg.startsWith('+'))?.slice(1) ?? '%F %T UTC';
  await stdout.write(`${format.replace(/%(.)/g, (whole, letter: string) => fields[letter] ?? whole)}\n`);
  return 0;
};

/** `sleep SECONDS`; ends early when its stream is closed. */
export const sleep: Command = async ({ argv, signal, stderr }) => {
  const seconds = Number(argv[1]);
  if (!(seconds >= 0 && seconds <= 86_400)) {
    await stderr.write(`sleep: bad number '${argv[1] ?? ''}'\n`);
    return 1;
  }
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return signal.aborted ? 129 : 0;
};

/** `getprop [KEY [DEFAULT]]`. */
export const getprop: Command = async ({ argv, device, stdout }) => {
  const { properties } = device.android;
  const key = argv[1];
  if (key !== undefined) {
    await stdout.write(`${Object.hasOwn(properties, key) ? properties[key] : (argv[2] ?? '')}\n`);
    return 0;
  }
  const lines = Object.keys(properties)
    .sort()
    .map((name) => `[${name}]: [${properties[name]}]\n`);
  await stdout.write(lines.join(''));
  return 0;
};

/** `pidof NAME…`: exit code 1 when none runs. */
export const pidof: Command = async ({ argv, device, stdout }) => {
  const pids = argv.slice(1).flatMap((name) => device.android.pidOf(name) ?? []);
  if (pids.length === 0) return 1;
  await stdout.write(`${pids.join(' ')}\n`);
  return 0;
};
