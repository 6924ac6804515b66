import {
  bool,
  ifKnown,
  isUnknown,
  list,
  listNested,
  number,
  object,
  sameIgnoringCase,
  string,
  toBeRead,
  unknown,
} from '@terrane/provider/sdk';
import type { Resource, Unknown } from '@terrane/provider/sdk';
import { ofClient } from './client.ts';
import type { Client } from './client.ts';
import { drop, idOf, keep, look } from './kept-object.ts';
import { refusal, says } from './says.ts';

const TYPE = 'probe_planned';
const stays = { computed: true, useStateForUnknown: true } as const;
const optional = { optional: true } as const;

/** Each kind of change that a provider makes to a plan. */
export const planned: Resource<Client> = ofClient.resource({
  attributes: {
    name: string({ required: true, requiresReplace: true }),
    id: string(stays),
    // A default, and a default in a nested object.
    colour: string({ default: 'red' }),
    settings: listNested(
      { key: string({ required: true }), value: number({ default: 7 }) },
      optional,
    ),
    // Replaces the object always, when it grows smaller, or in an element of a list.
    kind: string({ optional: true, requiresReplace: true }),
    size: number({
      optional: true,
      requiresReplace: ({ planned: is, prior: was }) =>
        typeof is === 'number' && typeof was === 'number' && is < was,
    }),
    disks: list(object({ kind: string, size: number }), optional),
    // Stays, is new with each update, or is known in part only.
    serial: string(stays),
    revision: number({ computed: true }),
    url: string(stays),
    total: number({ computed: true, nullable: true }),
    // Equal text in another spelling keeps the old one.
    label: string({ optional: true, semanticEquals: sameIgnoringCase }),
    protected: bool(optional),
    warn: string(optional),
    refuse: string(optional),
    fail: string(optional),
  },
  validate: ({ config, warn, error }) => {
    if (config.warn === 'validate') warn(...says('validate of warn'), 'warn');
    if (config.refuse === 'validate') error(...says('validate of refuse'), 'refuse');
  },
  modifyPlan: ({ plan, state, config, isNew, warn, error, requireReplace }) => {
    if (config.warn === 'plan') warn(...says('plan of warn'), 'warn');
    if (config.refuse === 'plan') error(...says('plan of refuse'), 'refuse');
    for (const i of smallerDisks(state?.disks ?? [], plan.disks)) {
      requireReplace(['disks', i, 'size']);
    }
    if (!isUnknown(plan.revision)) return undefined;
    return {
      total: totalOf(plan.disks),
      ...(isNew && { url: unknown({ notNull: true, prefix: 'https://' }) }),
    };
  },
  create: (context) => {
    refuseToChange(context.plan);
    const { plan } = context;
    const url = `https://example.com/${plan.name}`;
    const state = { ...plan, ...madeOf(plan), revision: 1, url, serial: 'made.serial' };
    sayAfter(context);
    return keep(TYPE, state, context, true);
  },
  update: (context) => {
    refuseToChange(context.plan);
    const { plan, state: was } = context;
    const { revision, url, serial } = was;
    const state = { ...plan, ...madeOf(plan), revision: revision + 1, url, serial };
    sayAfter(context);
    return keep(TYPE, state, context, false);
  },
  read: (context) => look(TYPE, context.state, context),
  delete: (context) => drop(TYPE, context.state, context),
  planDelete: ({ state, error }) => {
    if (state.protected === true) error(...says('this one is protected'));
  },
  import: ({ id = '' }) =>
    id === 'several'
      ? [toBeRead({ name: 'first' }), toBeRead({ name: 'second' })]
      : toBeRead({ name: id }),
});

type Disk = { readonly kind: string | Unknown; readonly size: number | Unknown };
type Disks = readonly (Disk | Unknown)[] | Unknown | null;

function madeOf({ name, disks }: { readonly name: string; readonly disks: Disks }) {
  return { id: idOf(TYPE, name), total: ifKnown(totalOf(disks), null) };
}

function refuseToChange({ fail }: { readonly fail: string | null }): void {
  if (fail === 'before') throw refusal('nothing was done');
  if (fail === 'throw') throw new Error('the service is gone');
}

function sayAfter(context: {
  readonly plan: { readonly fail: string | null; readonly warn: string | null };
  readonly error: (summary: string, detail: string, at: 'fail') => void;
  readonly warn: (summary: string, detail: string, at: 'warn') => void;
}): void {
  const { plan, error, warn } = context;
  if (plan.fail === 'after') error(...says('it was done in part'), 'fail');
  else if (plan.warn === 'apply') warn(...says('apply of warn'), 'warn');
}

function smallerDisks(before: readonly Disk[], after: Disks): readonly number[] {
  return (ifKnown(after) ?? []).flatMap((disk, i) => {
    const [was, is] = [before[i]?.size, ifKnown(disk)?.size];
    return typeof was === 'number' && typeof is === 'number' && is < was ? [i] : [];
  });
}

function totalOf(disks: Disks): number | Unknown | null {
  if (disks === null || isUnknown(disks)) return disks;
  let total = 0;
  for (const disk of disks) {
    if (isUnknown(disk) || isUnknown(disk.size) || isUnknown(disk.kind)) return unknown();
    total += disk.size;
  }
  return total;
}
