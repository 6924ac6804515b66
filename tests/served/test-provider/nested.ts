import {
  listNested,
  mapNested,
  setBlock,
  setNested,
  singleNested,
  string,
} from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { ofClient } from './client.ts';
import type { Client } from './client.ts';
import { drop, idOf, keep, look } from './kept-object.ts';

const TYPE = 'probe_nested';
const required = { required: true } as const;
const element = { text: string(required) };

/** Required nested attributes of every nesting, and no attribute whose type alone rules out the legacy SDK. */
export const nested: Resource<Client> = ofClient.resource({
  attributes: {
    name: string({ required: true, requiresReplace: true }),
    id: string({ computed: true, useStateForUnknown: true }),
    one: singleNested(element, required),
    listed: listNested(element, required),
    unordered: setNested(element, required),
    keyed: mapNested(element, required),
  },
  blocks: { around: setBlock({ inner: setNested(element, required) }) },
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
});
