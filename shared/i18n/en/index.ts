import { bridge } from './bridge.ts';
import { calls } from './calls.ts';
import { catalog } from './catalog.ts';
import { cli } from './cli.ts';
import { clock } from './clock.ts';
import { collections } from './collections.ts';
import { common } from './common.ts';
import { companion } from './companion.ts';
import { confirmations } from './confirmations.ts';
import { deliberate } from './deliberate.ts';
import { demo } from './demo.ts';
import { devices } from './devices.ts';
import { doctor } from './doctor.ts';
import { history } from './history.ts';
import { operations } from './operations.ts';
import { providers } from './providers.ts';
import { results } from './results.ts';
import { retries } from './retries.ts';
import { sessions } from './sessions.ts';
import { shell } from './shell.ts';
import { uiActivity } from './ui-activity.ts';
import { uiCatalog } from './ui-catalog.ts';
import { uiComposer } from './ui-composer.ts';
import { uiConfirmations } from './ui-confirmations.ts';
import { uiDevices } from './ui-devices.ts';
import { uiForm } from './ui-form.ts';
import { uiHistory } from './ui-history.ts';
import { uiOperations } from './ui-operations.ts';
import { uiProviders } from './ui-providers.ts';
import { uiRetries } from './ui-retries.ts';
import { uiSaved } from './ui-saved.ts';

/** Every text of this language; one file an area. */
export const en = {
  ...bridge,
  ...calls,
  ...catalog,
  ...cli,
  ...collections,
  ...clock,
  ...common,
  ...companion,
  ...confirmations,
  ...demo,
  ...deliberate,
  ...devices,
  ...doctor,
  ...history,
  ...operations,
  ...providers,
  ...results,
  ...retries,
  ...sessions,
  ...shell,
  ...uiActivity,
  ...uiCatalog,
  ...uiComposer,
  ...uiConfirmations,
  ...uiDevices,
  ...uiForm,
  ...uiHistory,
  ...uiOperations,
  ...uiProviders,
  ...uiSaved,
  ...uiRetries,
};
