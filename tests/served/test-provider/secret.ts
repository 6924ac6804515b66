import { createHash } from 'node:crypto';
import type { Value } from '@terrane/cty';
import {
  dynamic,
  isUnknown,
  listBlock,
  listNested,
  number,
  singleNested,
  string,
  unknown,
} from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { ofClient } from './client.ts';
import type { Client } from './client.ts';
import { drop, idOf, keep, look } from './kept-object.ts';

const TYPE = 'probe_secret';
const writeOnly = { optional: true, writeOnly: true } as const;

/** The write-only attribute: it is passed at creation, and only a hash is stored. */
export const secret: Resource<Client> = ofClient.resource({
  attributes: {
    name: string({ required: true, requiresReplace: true }),
    id: string({ computed: true, useStateForUnknown: true }),
    password_wo: string({ ...writeOnly, sensitive: true }),
    password_version: number({ optional: true }),
    token_wo: dynamic(writeOnly),
    hash: string({ computed: true, useStateForUnknown: true }),
    login: singleNested(
      { user: string({ required: true }), key_wo: string(writeOnly) },
      { optional: true },
    ),
    logins: listNested(
      { user: string({ required: true }), key_wo: string(writeOnly) },
      { optional: true },
    ),
  },
  blocks: { mail: listBlock({ to: string({ required: true }), text_wo: string(writeOnly) }) },
  validate: ({ config: { password_wo: password }, error }) => {
    if (password === null || isUnknown(password) || password.length >= 4) return;
    const summary = 'the password is too short';
    error(summary, `The provider says: ${summary}.`, 'password_wo');
  },
  modifyPlan: ({ isNew, changed }) =>
    !isNew && changed('password_version') ? { hash: unknown() } : undefined,
  create: (context) => {
    const { plan, config } = context;
    return keep(TYPE, { ...plan, id: idOf(TYPE, plan.name), hash: hashOf(config) }, context, true);
  },
  update: (context) => {
    const { plan, config } = context;
    const hash = isUnknown(plan.hash) ? hashOf(config) : plan.hash;
    return keep(TYPE, { ...plan, id: idOf(TYPE, plan.name), hash }, context, false);
  },
  read: (context) => look(TYPE, context.state, context),
  delete: (context) => drop(TYPE, context.state, context),
  // All but the name is read.
  import: ({ id: name = '' }) => ({ name, id: idOf(TYPE, name), hash: '', mail: [] }),
});

interface Secrets {
  readonly password_wo: string | null;
  readonly token_wo: Value | null;
  readonly login: { readonly key_wo: string | null } | null;
  readonly logins: readonly { readonly key_wo: string | null }[] | null;
  readonly mail: readonly { readonly text_wo: string | null }[];
}

function hashOf(config: Secrets): string {
  const token = config.token_wo;
  const texts = [
    config.password_wo,
    token === null
      ? null
      : token.type.kind === 'string'
        ? token.asString()
        : `${token.type.kind} ${String(token.length)}`,
    config.login?.key_wo ?? null,
    ...(config.logins?.map(({ key_wo: key }) => key) ?? [null]),
    ...config.mail.map(({ text_wo: text }) => text),
  ].map((each) => each ?? '-');
  return createHash('sha256').update(texts.join('|')).digest('hex').slice(0, 12);
}
