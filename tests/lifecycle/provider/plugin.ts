// The lifecycle provider as the executable of a plugin. The environment says where it works.
import { serve } from '@terrane/plugin/server';
import { ADDRESS, lifecycleProvider } from './provider.ts';
import { slowness } from './slowness.ts';

const {
  LIFECYCLE_DIRECTORY,
  LIFECYCLE_LOG,
  LIFECYCLE_APPLYING,
  LIFECYCLE_SLOWNESS,
  LIFECYCLE_HELD,
} = process.env;
const directory = LIFECYCLE_DIRECTORY ?? process.cwd();

void serve(
  () =>
    lifecycleProvider({
      directory,
      log: LIFECYCLE_LOG ?? `${directory}/calls.log`,
      place: String(process.pid),
      applying: LIFECYCLE_APPLYING === 'true',
      wait: slowness(Number(LIFECYCLE_SLOWNESS ?? 0), LIFECYCLE_HELD),
    }),
  { address: ADDRESS },
);
