// A provider with one of everything, for comparing what Terraform and Terrane make of it. It is written with the SDK;
// against the contract are what breaks its rules and what is as of the legacy SDK.
import type { Provider } from '@terrane/provider';
import { defineProvider, ifKnown, isUnknown, string } from '@terrane/provider/sdk';
import type { Client } from './client.ts';
import { ofKind } from './contract-kind.ts';
import { counted } from './counted.ts';
import { everything } from './everything.ts';
import { functions } from './functions.ts';
import { identified } from './identified.ts';
import { lease } from './lease.ts';
import { lookup } from './lookup.ts';
import { movedResource } from './moved.ts';
import { broken, legacy } from './others.ts';
import { nested } from './nested.ts';
import { planned } from './planned.ts';
import { says } from './says.ts';
import { secret } from './secret.ts';
import { Store } from './store.ts';
import { versioned } from './versioned.ts';

export const ADDRESS = 'example.com/terrane/probe';
export const VERSION = '1.0.0';

/** Creates the provider. */
export function testProvider(): Provider {
  return defineProvider({
    config: {
      attributes: {
        directory: string({ optional: true }),
        region: string({ optional: true }),
        token: string({ optional: true, sensitive: true }),
      },
      validate: ({ config, error }) => {
        if (config.region === 'moon') error(...says('there is nothing on the moon'));
      },
    },
    providerMeta: { attributes: { module: string({ optional: true }) } },
    configure: ({ config, warn }): Client => {
      const store = new Store(ifKnown(config.directory) ?? 'store');
      const token = ifKnown(config.token);
      if (typeof token === 'string') {
        store.note(`configured with a token of ${token.length} letters`);
      }
      if (config.region === 'warned') warn(...says('an odd region'));
      const region = isUnknown(config.region) ? 'not known yet' : (config.region ?? 'nowhere');
      return { store, region };
    },
    resources: {
      probe_everything: everything,
      probe_planned: planned,
      probe_nested: nested,
      probe_secret: secret,
      probe_versioned: versioned,
      probe_counted: counted,
      probe_identified: identified,
      probe_moved: movedResource,
      probe_legacy: ofKind(legacy),
      probe_broken: ofKind(broken),
    },
    dataSources: { probe_lookup: lookup },
    ephemeralResources: { probe_lease: lease },
    functions,
  });
}
