// The kinds that are written against the contract, and what they do alike.
import { object, nullOf, str, STRING, valueFromJson } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { emptyValue, impliedType } from '@terrane/provider';
import { contractResource } from '@terrane/provider/sdk';
import type { ContractResource } from '@terrane/provider/sdk';
import { metaText } from './client.ts';
import type { Client } from './client.ts';
import { known, unknownComputed, withAttributes } from './computed-values.ts';
import type { Kind } from './kind.ts';

/** A resource type of a kind. */
export function ofKind(kind: Kind): ContractResource<Client> {
  const { schema } = kind;
  return contractResource<Client>({
    schema,
    upgrade: (request) => {
      const type = impliedType(schema.block);
      return {
        state: request.json === undefined ? nullOf(type) : valueFromJson(request.json, type),
      };
    },
    read: (request, { client: { store } }) => {
      const { type, prior, private: kept } = request;
      const state = store.get(type, prior.attr('name').asString(), schema) ?? nullOf(prior.type);
      return { state, ...(kept === undefined ? {} : { private: kept }) };
    },
    plan: (request) => {
      const { prior, proposed, priorPrivate } = request;
      const kept = priorPrivate === undefined ? {} : { private: priorPrivate };
      if (proposed.isNull) {
        return { planned: proposed, requiresReplace: [], ...kept };
      }
      const changes = prior.isNull || !proposed.rawEquals(prior);
      const plan = changes ? unknownComputed(schema.block, proposed) : prior;
      const renamed = !prior.isNull && !prior.attr('name').rawEquals(plan.attr('name'));
      const requiresReplace = renamed ? [[{ kind: 'attr' as const, name: 'name' }]] : [];
      const answer = { planned: plan, requiresReplace, ...kept };
      return kind.plan?.(request, answer) ?? answer;
    },
    apply: async (request, { client: { store } }) => {
      const { type, prior, planned: plan, plannedPrivate, providerMeta } = request;
      const kept = plannedPrivate === undefined ? {} : { private: plannedPrivate };
      const meta = metaText(metaOf(providerMeta));
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
        store.put(type, name, answer.state, schema);
      }
      store.note(`${prior.isNull ? 'create' : 'update'} ${type} ${name}${meta}`);
      return answer;
    },
    import: (request) => {
      const { type, id = '' } = request;
      return {
        imported: [{ type, state: withAttributes(emptyValue(schema.block), { name: str(id) }) }],
      };
    },
  });
}

function metaOf(meta: Value | undefined): { readonly module: string | null } | null {
  if (meta === undefined || meta.isNull) return null;
  const moduleValue = meta.rawEquals(object({ module: nullOf(STRING) }))
    ? null
    : meta.attr('module');
  return { module: moduleValue?.asString() ?? null };
}
