import { isUnknown, number, privateData, string } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { ofClient } from './client.ts';
import type { Client } from './client.ts';
import { drop, idOf, keep, look } from './kept-object.ts';
import { refusal } from './says.ts';

const TYPE = 'probe_identified';
const required = { required: true } as const;

/** Has an identity, which is planned as far as it is known, and is imported by id (`region:name`) or by it. */
export const identified: Resource<Client> = ofClient.resource({
  attributes: {
    name: string({ required: true, requiresReplace: true }),
    region: string(required),
    id: string({ computed: true, useStateForUnknown: true }),
    size: number({ optional: true }),
  },
  identity: {
    version: 1,
    attributes: { region: string(required), name: string(required) },
    of: ({ region, name }) => ({ region, name }),
    // OpenTofu 1.12, which the case is compared with, takes none that are known in part only.
    planned: ({ region, name }) =>
      isUnknown(region) || isUnknown(name) ? undefined : { region, name },
  },
  private: privateData<{ imported: true }>(),
  create: (context) => {
    const { plan } = context;
    return keep(TYPE, { ...plan, id: idOf(TYPE, plan.name) }, context, true);
  },
  update: (context) => {
    const { plan } = context;
    return keep(TYPE, { ...plan, id: idOf(TYPE, plan.name) }, context, false);
  },
  read: (context) => look(TYPE, context.state, context),
  delete: (context) => drop(TYPE, context.state, context),
  import: ({ id, identity, setPrivate }) => {
    const [region, name] =
      identity === undefined ? id.split(':') : [identity.region, identity.name];
    if (region === undefined || name === undefined) {
      throw refusal(`${id ?? ''} is no id: write REGION:NAME`);
    }
    setPrivate({ imported: true });
    return { name, region, id: idOf(TYPE, name) };
  },
});
