import { list, nullable, number, string } from '@terrane/provider/sdk';
import type { Json, Resource, UpgradeContext } from '@terrane/provider/sdk';
import { ofClient } from './client.ts';
import type { Client } from './client.ts';
import { drop, idOf, keep, look } from './kept-object.ts';
import { refusal, says } from './says.ts';

const TYPE = 'probe_versioned';

type Stored = Readonly<Record<string, Json | undefined>>;

interface Versioned {
  readonly name: string;
  readonly id: string;
  readonly tags: readonly (string | null)[] | null;
  readonly level: number | null;
}

/** An object whose schema was another in versions 0 (one tag), 1 (tags in one text) and 2 (a level as text). */
export const versioned: Resource<Client> = ofClient.resource({
  version: 3,
  attributes: {
    name: string({ required: true, requiresReplace: true }),
    id: string({ computed: true, useStateForUnknown: true }),
    tags: list(nullable(string), { optional: true }),
    level: number({ optional: true }),
  },
  upgraders: {
    0: (stored, { warn }) => fromOneTag(stored, warn),
    1: (stored) => made(stored, textOf(stored['tags'])?.split(',') ?? [], stored['level']),
    2: (stored) => made(stored, textsOf(stored['tags']), textOf(stored['level'])),
  },
  // Only version 0 was ever stored in that form.
  upgradeFlat: (stored, { warn }) => fromOneTag(stored, warn),
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

function fromOneTag(stored: Stored, warn: UpgradeContext['warn']): Versioned {
  warn(...says('that was very old'));
  return made(stored, [textOf(stored['tag']) ?? null], stored['level']);
}

function made(
  stored: Stored,
  tags: readonly (string | null)[],
  level: Json | undefined,
): Versioned {
  const name = textOf(stored['name']) ?? '';
  if (name === 'refused') throw refusal('too old');
  const number = Number(level ?? Number.NaN);
  return {
    name,
    id: idOf(TYPE, name),
    tags: tags.length === 0 ? null : tags,
    level: Number.isNaN(number) ? null : number,
  };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function textsOf(value: Json | undefined): (string | null)[] {
  return Array.isArray(value)
    ? value.map((each: unknown) => (typeof each === 'string' ? each : null))
    : [];
}
