import { dynamic, moveFrom, privateData, ProviderError, string } from '@terrane/provider/sdk';
import type { MoveContext, Resource } from '@terrane/provider/sdk';
import { ofClient } from './client.ts';
import type { Client } from './client.ts';
import { drop, idOf, keep, look } from './kept-object.ts';

const TYPE = 'probe_moved';
const optional = { optional: true } as const;

interface Moved {
  readonly name: string;
  readonly id: string;
  readonly from: string;
}

function moved(type: string, name: string | null, context: MoveContext): Moved {
  const { provider, version, private: kept, setPrivate } = context;
  if (name === null) throw new ProviderError(`a ${type} is something else`);
  setPrivate({ moved: true });
  const from = `${provider} ${type} ${version} ${Buffer.from(kept ?? []).toString()}`;
  return { name, id: idOf(TYPE, name), from: from.trim() };
}

/** Takes over objects of `probe_counted` and of `terraform_data`. */
export const movedResource: Resource<Client> = ofClient.resource({
  attributes: {
    name: string({ required: true, requiresReplace: true }),
    id: string({ computed: true, useStateForUnknown: true }),
    from: string({ computed: true, useStateForUnknown: true }),
  },
  moves: [
    moveFrom(
      {
        type: 'probe_counted',
        attributes: {
          name: string(optional),
          id: string(optional),
          note: string(optional),
          applied: string(optional),
        },
      },
      ({ name }, context) => moved('probe_counted', name, context),
    ),
    moveFrom(
      {
        type: 'terraform_data',
        provider: 'builtin/terraform',
        attributes: {
          id: string(optional),
          input: dynamic(optional),
          output: dynamic(optional),
          triggers_replace: dynamic(optional),
        },
      },
      ({ input }, context) => moved('terraform_data', input?.asString() ?? null, context),
    ),
  ],
  create: (context) => {
    const { name } = context.plan;
    return keep(TYPE, { name, id: idOf(TYPE, name), from: 'made.from' }, context, true);
  },
  update: (context) => {
    const { name } = context.plan;
    return keep(TYPE, { name, id: idOf(TYPE, name), from: 'made.from' }, context, false);
  },
  private: privateData<{ moved: true }>(),
  // A moved object is not stored here before it is changed.
  read: (context) =>
    context.private.moved === true ? context.state : look(TYPE, context.state, context),
  delete: (context) => drop(TYPE, context.state, context),
  import: ({ id: name = '' }) => ({ name, id: idOf(TYPE, name), from: '' }),
});
