import { calls } from './calls.ts';
import { catalog } from './catalog.ts';
import { cli } from './cli.ts';
import { common } from './common.ts';
import { devices } from './devices.ts';
import { doctor } from './doctor.ts';
import { history } from './history.ts';
import { providers } from './providers.ts';
import { sessions } from './sessions.ts';
import { shell } from './shell.ts';

/** Every text of this language; one file an area. */
export const zhCN = {
  ...calls,
  ...catalog,
  ...cli,
  ...common,
  ...devices,
  ...doctor,
  ...history,
  ...providers,
  ...sessions,
  ...shell,
};
