// A provider with one of everything, for comparing what Terraform and Terrane make of it. It is written against the
// contract itself, so that what crosses the border of the process is what is written here.
import { createHash } from 'node:crypto';
import { NUMBER, nullOf, number, str, STRING, valueFromJson } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { emptyValue, impliedType } from '@terrane/provider';
import type {
  Answer,
  Provider,
  ProviderDiagnostic,
  ProviderSchema,
  Schema,
} from '@terrane/provider';
import { computed, optional, required, schema } from './attributes.ts';
import { known, unknownComputed, withAttributes, withoutWriteOnly } from './computed-values.ts';
import { everything } from './everything.ts';
import { functions } from './functions.ts';
import { problem } from './kind.ts';
import type { Kind } from './kind.ts';
import { broken, counted, identified, legacy, moved } from './others.ts';
import { planned } from './planned.ts';
import { secret } from './secret.ts';
import { Store } from './store.ts';
import { versioned } from './versioned.ts';

export const ADDRESS = 'example.com/terrane/probe';
export const VERSION = '1.0.0';

const KINDS: Readonly<Record<string, Kind>> = {
  probe_everything: everything,
  probe_planned: planned,
  probe_secret: secret,
  probe_versioned: versioned,
  probe_counted: counted,
  probe_identified: identified,
  probe_moved: moved,
  probe_legacy: legacy,
  probe_broken: broken,
};

const LOOKUP = schema({
  name: required(STRING),
  found: computed(STRING),
  module: computed(STRING),
  region: computed(STRING),
});
const LEASE = schema({
  name: required(STRING),
  renew_after_ms: optional(NUMBER),
  fail: optional(STRING),
  token: { type: STRING, computed: true, sensitive: true },
  version: computed(NUMBER),
});

const SCHEMA: ProviderSchema = {
  provider: schema({
    directory: optional(STRING),
    region: optional(STRING),
    token: { type: STRING, optional: true, sensitive: true },
  }),
  providerMeta: schema({ module: optional(STRING) }),
  resources: mapped(KINDS, (kind) => kind.schema),
  dataSources: { probe_lookup: LOOKUP },
  ephemeralResources: { probe_lease: LEASE },
  functions,
  identities: mapped(KINDS, (kind) => kind.identity),
  capabilities: { planDestroy: true, moveResourceState: true, getProviderSchemaOptional: true },
};

function mapped(
  kinds: Readonly<Record<string, Kind>>,
  of: (kind: Kind) => Schema | undefined,
): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const each = of(kind);
    if (each !== undefined) found[name] = each;
  }
  return found;
}

/** Makes the provider. */
export function testProvider(): Provider {
  const store = new Store();
  let region = 'nowhere';
  const kindOf = (type: string): Kind => {
    const found = KINDS[type];
    if (found === undefined) throw new Error(`no ${type}`);
    return found;
  };
  return {
    schema: () => SCHEMA,
    validateProviderConfig: ({ config }) => {
      const given = config.attr('region');
      const wrong = given.isKnown && !given.isNull && given.asString() === 'moon';
      return wrong ? { diagnostics: [problem('error', 'there is nothing on the moon')] } : {};
    },
    configure: ({ config }) => {
      const text = (name: string): string | undefined => {
        const v = config.attr(name);
        return v.isKnown && !v.isNull ? v.asString() : undefined;
      };
      store.use(text('directory') ?? 'store');
      region = config.attr('region').isKnown ? (text('region') ?? 'nowhere') : 'not known yet';
      const token = text('token');
      if (token !== undefined) store.note(`configured with a token of ${token.length} letters`);
      return region === 'warned' ? { diagnostics: [problem('warning', 'an odd region')] } : {};
    },
    validateResourceConfig: (request) => ({
      diagnostics: kindOf(request.type).validate?.(request) ?? [],
    }),
    validateDataSourceConfig: () => ({}),
    validateEphemeralResourceConfig: ({ config }) => invalidIf(config, 'validate'),
    upgradeResourceState: (request) => {
      const kind = kindOf(request.type);
      if (request.version !== kind.schema.version && kind.upgrade !== undefined)
        return kind.upgrade(request);
      const type = impliedType(kind.schema.block);
      return {
        state: request.json === undefined ? nullOf(type) : valueFromJson(request.json, type),
      };
    },
    readResource: (request) => {
      const { type, prior, private: kept } = request;
      const kind = kindOf(type);
      const state =
        store.get(type, prior.attr('name').asString(), kind.schema) ?? nullOf(prior.type);
      const found = { state, ...(kept === undefined ? {} : { private: kept }) };
      return kind.read?.(request, found) ?? found;
    },
    planResourceChange: (request) => {
      const { type, prior, proposed, priorPrivate } = request;
      const kind = kindOf(type);
      const kept = priorPrivate === undefined ? {} : { private: priorPrivate };
      if (proposed.isNull) {
        return {
          planned: proposed,
          requiresReplace: [],
          diagnostics: kind.keep?.(prior) ?? [],
          ...kept,
        };
      }
      const { block } = kind.schema;
      const wanted = withoutWriteOnly(block, proposed);
      const changes = prior.isNull || !wanted.rawEquals(prior);
      const plan = changes ? unknownComputed(block, wanted) : prior;
      const renamed = !prior.isNull && !prior.attr('name').rawEquals(plan.attr('name'));
      const requiresReplace = renamed ? [[{ kind: 'attr' as const, name: 'name' }]] : [];
      const answer = { planned: plan, requiresReplace, ...kept };
      return kind.plan?.(request, answer) ?? answer;
    },
    applyResourceChange: async (request) => {
      const { type, prior, planned: plan, plannedPrivate, providerMeta } = request;
      const kind = kindOf(type);
      const kept = plannedPrivate === undefined ? {} : { private: plannedPrivate };
      const meta = metaText(providerMeta);
      if (plan.isNull) {
        store.remove(type, prior.attr('name').asString());
        store.note(`delete ${type} ${prior.attr('name').asString()}${meta}`);
        return { state: plan };
      }
      const name = plan.attr('name').asString();
      const state = withAttributes(known(plan), { id: str(`${type.slice(6)}/${name}`) });
      const answer = (await kind.apply?.(request, { state, ...kept })) ?? { state, ...kept };
      if (
        !answer.state.isNull &&
        answer.state.isWhollyKnown() &&
        answer.state.type === state.type
      ) {
        store.put(type, name, answer.state, kind.schema);
      }
      store.note(`${prior.isNull ? 'create' : 'update'} ${type} ${name}${meta}`);
      return answer;
    },
    importResourceState: (request) => {
      const kind = kindOf(request.type);
      if (kind.import !== undefined) return kind.import(request);
      const empty = emptyValue(kind.schema.block);
      if (request.id === 'several') {
        const one = (name: string) => ({
          type: request.type,
          state: withAttributes(empty, { name: str(name) }),
        });
        return { imported: [one('first'), one('second')] };
      }
      return {
        imported: [
          { type: request.type, state: withAttributes(empty, { name: str(request.id ?? '') }) },
        ],
      };
    },
    moveResourceState: (request) => {
      const move = kindOf(request.targetType).move;
      if (move !== undefined) return move(request);
      const state = nullOf(impliedType(kindOf(request.targetType).schema.block));
      return { state, diagnostics: [problem('error', `${request.targetType} takes nothing over`)] };
    },
    readDataSource: ({ config, providerMeta, capabilities }) => {
      const name = config.attr('name').asString();
      if (name === 'deferred' && capabilities.deferralAllowed) {
        return { state: config, deferred: { reason: 'absent_prereq' } };
      }
      const found = store.get('probe_planned', name, planned.schema);
      const missing: ProviderDiagnostic[] =
        found === undefined
          ? [problem('warning', `there is no ${name}`, [{ kind: 'attr', name: 'name' }])]
          : [];
      if (name === 'broken')
        return {
          state: nullOf(config.type),
          diagnostics: [problem('error', 'the service is gone')],
        };
      return {
        state: withAttributes(config, {
          found: found?.attr('id') ?? nullOf(STRING),
          module: str(metaText(providerMeta)),
          region: str(region),
        }),
        diagnostics: missing,
      };
    },
    openEphemeralResource: ({ config }) => {
      const refused = invalidIf(config, 'open');
      if (refused.diagnostics !== undefined) return { result: nullOf(config.type), ...refused };
      const name = config.attr('name').asString();
      store.note(`open ${name}`);
      const after = config.attr('renew_after_ms');
      return {
        result: withAttributes(config, { token: str(tokenOf(name)), version: number(1) }),
        private: Buffer.from(`${name}:${after.isNull ? '' : after.asInt()}:1`),
        ...renewal(after.isNull ? undefined : after.asInt()),
      };
    },
    renewEphemeralResource: ({ private: kept }) => {
      const [name = '', after = '', version = '0'] = Buffer.from(kept ?? [])
        .toString()
        .split(':');
      store.mark(`renewed-${name}`);
      return {
        private: Buffer.from(`${name}:${after}:${Number(version) + 1}`),
        ...renewal(Number(after)),
      };
    },
    closeEphemeralResource: ({ private: kept }) => {
      const [name = '', , version = ''] = Buffer.from(kept ?? [])
        .toString()
        .split(':');
      store.note(`close ${name}${Number(version) > 1 ? ' after renewals' : ''}`);
      return {};
    },
    callFunction: ({ name, args }) => {
      const found = functions[name];
      if (found === undefined) throw new Error(`no ${name}`);
      return found.call(args);
    },
    stop: () => {},
    close: () => {},
  };
}

function invalidIf(config: Value, stage: string): Answer {
  const fail = config.attr('fail');
  const hit = fail.isKnown && !fail.isNull && fail.asString() === stage;
  return hit
    ? { diagnostics: [problem('error', `${stage} of a lease`, [{ kind: 'attr', name: 'fail' }])] }
    : {};
}

function metaText(meta: Value | undefined): string {
  if (meta === undefined || meta.isNull) return '';
  const found = meta.attr('module');
  return found.isNull ? '' : ` for ${found.asString()}`;
}

export function tokenOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}

function renewal(after: number | undefined): { renewAt?: Date } {
  return after === undefined ? {} : { renewAt: new Date(Date.now() + after) };
}
