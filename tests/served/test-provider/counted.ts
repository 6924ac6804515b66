import { privateData, string, unknown } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { ofClient } from './client.ts';
import type { Client } from './client.ts';
import { drop, idOf, keep, look } from './kept-object.ts';

const TYPE = 'probe_counted';

/** Keeps in private data how often it was planned (p), applied (a) and, last, read (r). */
export const counted: Resource<Client> = ofClient.resource({
  attributes: {
    name: string({ required: true, requiresReplace: true }),
    id: string({ computed: true, useStateForUnknown: true }),
    note: string({ optional: true }),
    applied: string({ computed: true, useStateForUnknown: true }),
  },
  private: privateData<{ seen: string }>(),
  modifyPlan: ({ isNew, changed, private: { seen = '' }, setPrivate }) => {
    if (!isNew && !changed('name') && !changed('note')) return undefined;
    setPrivate({ seen: `${seen}p` });
    return { applied: unknown() };
  },
  create: (context) => {
    const applied = `${context.private.seen ?? ''}a`;
    context.setPrivate({ seen: applied });
    const { plan } = context;
    return keep(TYPE, { ...plan, id: idOf(TYPE, plan.name), applied }, context, true);
  },
  update: (context) => {
    const applied = `${context.private.seen ?? ''}a`;
    context.setPrivate({ seen: applied });
    const { plan } = context;
    return keep(TYPE, { ...plan, id: idOf(TYPE, plan.name), applied }, context, false);
  },
  read: (context) => {
    const { seen } = context.private;
    if (seen !== undefined) context.setPrivate({ seen: `${seen.replaceAll('r', '')}r` });
    return look(TYPE, context.state, context);
  },
  delete: (context) => drop(TYPE, context.state, context),
  // All but the name is read.
  import: ({ id: name = '' }) => ({ name, id: idOf(TYPE, name), applied: '' }),
});
