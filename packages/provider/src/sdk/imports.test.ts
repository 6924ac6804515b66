import { nullOf, object as objectOf, str, STRING } from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import { enforceContract } from '../enforce/enforce-contract.ts';
import {
  defineProvider,
  imported,
  int64,
  privateData,
  resource,
  string,
  toBeRead,
} from './index.ts';

const rule = resource({
  attributes: {
    group: string({ required: true }),
    port: int64({ required: true }),
    note: string({ optional: true }),
  },
  identity: {
    attributes: { group: string({ required: true }) },
    of: ({ group }) => ({ group }),
  },
  create: ({ plan }) => plan,
});

const group = resource({
  attributes: { name: string({ required: true }), size: int64({ optional: true }) },
  private: privateData<{ from: string }>(),
  create: ({ plan }) => plan,
  import: ({ id = '', setPrivate }) => {
    if (id === 'none') return [];
    setPrivate({ from: id });
    return [
      { name: id },
      { name: `${id}-again`, size: 2 },
      imported(rule, { group: id, port: 80 }, { private: { by: 'group' } }),
      imported(rule, { group: id, port: 443, note: 'tls' }),
    ];
  },
});

const request = { type: 'x_group', id: 'web', several: true };

describe('an import', () => {
  it('returns several objects, also of other types', async () => {
    const provider = enforceContract(
      defineProvider({ resources: { x_group: group, x_rule: rule } }),
      'example.com/x/x',
    );
    await provider.schema();
    const { imported: objects, diagnostics } = await provider.importResourceState(request);
    expect(diagnostics).toEqual([]);
    expect(objects.map(({ type }) => type)).toEqual(['x_group', 'x_group', 'x_rule', 'x_rule']);
    expect(
      objects.map(({ state }) =>
        state.attr(state.type === objects[0]?.state.type ? 'name' : 'group').asString(),
      ),
    ).toEqual(['web', 'web-again', 'web', 'web']);
    expect(objects[2]?.identity?.attr('group').asString()).toBe('web');
    expect(objects[2]?.state.attr('note').rawEquals(nullOf(STRING))).toBe(true);
    expect(objects.map((each) => Buffer.from(each.private ?? []).toString())).toEqual([
      '{"from":"IndlYiI="}',
      '{"from":"IndlYiI="}',
      '{"by":"Imdyb3VwIg=="}',
      '',
    ]);
    const none = await provider.importResourceState({ ...request, id: 'none' });
    expect(none.imported).toEqual([]);
  });

  it('that only finds objects leaves the rest to be read', async () => {
    const server = resource({
      attributes: {
        id: string({ computed: true }),
        name: string({ required: true }),
        size: int64({ optional: true }),
      },
      identity: {
        attributes: { id: string({ required: true }) },
        of: ({ id }) => ({ id }),
      },
      create: ({ plan: { name, size } }) => ({ id: '1', name, size }),
      read: ({ state }) => ({ ...state, name: `name of ${state.id}`, size: null }),
      import: ({ id, identity }) => toBeRead({ id: id ?? identity.id }),
    });
    const provider = enforceContract(
      defineProvider({ resources: { x_server: server } }),
      'example.com/x/x',
    );
    await provider.schema();
    const type = 'x_server';
    const byId = await provider.importResourceState({ type, id: '7' });
    expect(byId).toMatchObject({ diagnostics: [], imported: [{ type }] });
    const [imported] = byId.imported;
    expect(imported?.state.attr('id').asString()).toBe('7');
    expect(imported?.state.attr('name').isNull).toBe(true);
    expect(imported?.identity).toBeUndefined();
    const identity = objectOf({ id: str('8') });
    const byIdentity = await provider.importResourceState({ type, identity });
    expect(byIdentity.imported[0]?.identity?.rawEquals(identity)).toBe(true);
    resource({
      attributes: { name: string({ required: true }) },
      create: ({ plan }) => plan,
      read: ({ state }) => state,
      // @ts-expect-error: there is no such attribute
      import: () => toBeRead({ nam: 'a' }),
    });
  });

  it('of a type that the provider does not have, or has twice, is an error of the provider', async () => {
    for (const resources of [{ x_group: group }, { x_group: group, x_rule: rule, y_rule: rule }]) {
      const provider = enforceContract(defineProvider({ resources }), 'example.com/x/x');
      await provider.schema();
      const { imported: objects, diagnostics } = await provider.importResourceState(request);
      expect(objects).toEqual([]);
      expect(diagnostics?.[0]?.detail).toContain('under one name, and one only');
    }
  });

  it('with misspelt attributes does not compile', () => {
    resource({
      attributes: { name: string({ required: true }) },
      create: ({ plan }) => plan,
      import: () => [
        { name: 'a' },
        // @ts-expect-error: rules have no such attribute
        imported(rule, { group: 'a', port: 1, prot: 1 }),
        // @ts-expect-error: the port is missing
        imported(rule, { group: 'a' }),
      ],
    });
    resource({
      attributes: { name: string({ required: true }) },
      create: ({ plan }) => plan,
      // @ts-expect-error: there is no such attribute
      import: () => [{ name: 'a', nam: 'b' }, imported(rule, { group: 'a', port: 1 })],
    });
    resource({
      attributes: { name: string({ required: true }) },
      create: ({ plan }) => plan,
      // @ts-expect-error: the name is missing
      import: () => [{}],
    });
    expect(rule.kind).toBe('resource');
  });
});
