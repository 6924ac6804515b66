import { nullOf, objectOf, str, STRING, type Value } from '@terrane/cty';
import { type BlockSchema, impliedType, type Provider } from '@terrane/provider';
import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

const IDENTITY: BlockSchema = {
  attributes: { id: { type: STRING, required: true }, region: { type: STRING, optional: true } },
  blocks: {},
};

function identityOf(id: Value): Value {
  return objectOf(impliedType(IDENTITY), [id, str('eu')]);
}

/** An object with some attributes null. */
function without(value: Value, ...names: readonly string[]): Value {
  const { type } = value;
  if (type.kind !== 'object') throw new Error('not an object');
  return objectOf(
    type,
    type.names.map((name) =>
      names.includes(name) ? nullOf(value.attr(name).type) : value.attr(name),
    ),
  );
}

/** Knows objects by identity, takes those of other types over and writes configurations. */
class Adopter {
  readonly project: TestProject = new TestProject();
  readonly #plain: Provider = this.project.world.provider();

  constructor() {
    this.project.world.adapt = (plain) => this.#adapted(plain);
  }

  /** The provider calls for adoption, in order. */
  get asked(): readonly string[] {
    return this.project.world.calls.filter((call) => /^(import|write|move)/.test(call));
  }

  /** Creates an object that no state contains. */
  async addStray(id: string, attributes: Readonly<Record<string, string | number>>): Promise<void> {
    this.project.world.objects.set(id, await this.#thing({ id, ...attributes }));
  }

  async #thing(attributes: Readonly<Record<string, string | number>>): Promise<Value> {
    const json = JSON.stringify(attributes);
    return (await this.#plain.upgradeResourceState({ type: 'test_thing', version: 0, json })).state;
  }

  #adapted(plain: Provider): Provider {
    const { calls } = this.project.world;
    return {
      ...plain,
      schema: async () => {
        const known = await plain.schema();
        const { test_thing: thing = { version: 0, block: IDENTITY } } = known.resources;
        const identity = { version: 0, block: IDENTITY };
        return {
          ...known,
          resources: { test_thing: thing, test_other: thing },
          identities: { test_thing: identity, test_other: identity },
          capabilities: { generateResourceConfig: true, moveResourceState: true },
        };
      },
      readResource: async (request) => identified(await plain.readResource(request)),
      applyResourceChange: async (request) => identified(await plain.applyResourceChange(request)),
      importResourceState: async ({ type, id, identity }) => {
        calls.push(id === undefined ? 'import by identity' : 'import by id');
        const key = id ?? identity?.attr('id').asString() ?? '';
        return {
          imported: [
            { type, state: await this.#thing({ id: key }), identity: identityOf(str(key)) },
          ],
        };
      },
      generateResourceConfig: ({ type, state }) => {
        calls.push(`write ${type}`);
        return { config: without(state, 'id', 'size') };
      },
      moveResourceState: async ({ sourceType, sourceJson, sourceIdentity }) => {
        calls.push(`move ${sourceType} known by ${sourceIdentity?.json ?? 'nothing'}`);
        const asked = { type: 'test_thing', version: 0, json: sourceJson };
        const { state } = await plain.upgradeResourceState(asked);
        return { state, identity: identityOf(state.attr('id')) };
      },
    };
  }
}

/** An answer with the identity of its object, if there is one. */
function identified<T extends { readonly state: Value }>(answer: T): T {
  return answer.state.isNull
    ? answer
    : { ...answer, identity: identityOf(answer.state.attr('id')) };
}

/** The identities in the state, by address. */
function identities({ state }: TestProject): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...state.managedInstances()].map((addr) => [
      addr.text,
      JSON.parse(state.instance(addr)?.current?.identityJson ?? 'null'),
    ]),
  );
}

describe('objects that are adopted', () => {
  it('by identity, in modules with several instances, keep the identity', async () => {
    const adopter = new Adopter();
    const { project } = adopter;
    await adopter.addStray('stray-a', { name: 'a', size: 1 });
    await adopter.addStray('stray-b', { name: 'b', size: 1 });
    project.write({
      'main.tf': `
module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
  name     = each.key
}
import {
  for_each = toset(["a", "b"])
  to       = module.m[each.key].test_thing.it
  identity = { id = "stray-\${each.key}", region = "eu" }
}
`,
      'm/main.tf': `
variable "name" {}
resource "test_thing" "it" {
  name = var.name
  size = 1
}
`,
    });
    const { plan } = await project.plan();
    expect(
      plan?.changes.map(({ addr, action, importing }) => [addr.text, action, importing]),
    ).toEqual(
      ['a', 'b'].map((key) => [
        `module.m["${key}"].test_thing.it`,
        'no-op',
        { identity: identityOf(str(`stray-${key}`)) },
      ]),
    );
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(identities(project)).toEqual({
      'module.m["a"].test_thing.it': { id: 'stray-a', region: 'eu' },
      'module.m["b"].test_thing.it': { id: 'stray-b', region: 'eu' },
    });
    expect((await project.plan()).lines).toEqual([]);
  });

  it('by a block of the module itself', async () => {
    const adopter = new Adopter();
    const { project } = adopter;
    await adopter.addStray('stray-a', { name: 'a', size: 1 });
    project.write({
      'main.tf': 'module "m" {\n  source = "./m"\n}\n',
      'm/main.tf': `
resource "test_thing" "it" {
  name = "a"
  size = 2
}
import {
  to       = test_thing.it
  identity = { id = "stray-a" }
}
`,
    });
    const { plan, lines } = await project.plan();
    expect(lines).toEqual(['update module.m.test_thing.it']);
    expect(plan?.changes[0]?.importing).toBeDefined();
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(identities(project)).toEqual({
      'module.m.test_thing.it': { id: 'stray-a', region: 'eu' },
    });
  });

  it('get the configuration that their provider writes', async () => {
    const adopter = new Adopter();
    const { project } = adopter;
    await adopter.addStray('stray-a', { name: 'a', size: 7, kind: 'round' });
    project.write('import {\n  to = test_thing.it\n  id = "stray-a"\n}\n');
    const { plan, lines, diagnostics } = await project.plan({ generateConfigOut: 'out.tf' });
    expect(errorsOf(diagnostics)).toEqual([]);
    expect(lines).toEqual([]);
    const [change] = plan?.changes ?? [];
    expect(change?.generatedConfig).toBe(
      'resource "test_thing" "it" {\n  fail   = null\n  kind   = "round"\n  name   = "a"\n  secret = null # sensitive\n}',
    );
    expect(adopter.asked).toEqual(['import by id', 'write test_thing']);
    project.write(
      `import {\n  to = test_thing.it\n  id = "stray-a"\n}\n${change?.generatedConfig}\n`,
    );
    expect(errorsOf(await project.apply())).toEqual([]);
    project.write(`${change?.generatedConfig}\n`);
    expect((await project.plan()).lines).toEqual([]);
  });
});

describe('objects that move', () => {
  const thing = (type: string, name: string, more = ''): string =>
    `resource "${type}" "${name}" {\n  name = "a"\n  size = 1\n}\n${more}`;

  it('keep their identity under another address', async () => {
    const { project } = new Adopter();
    project.write(thing('test_thing', 'a'));
    await project.apply();
    project.write(
      thing('test_thing', 'b', 'moved {\n  from = test_thing.a\n  to = test_thing.b\n}\n'),
    );
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(identities(project)).toEqual({ 'test_thing.b': { id: 'id-1', region: 'eu' } });
  });

  it('give it to the provider that takes them over as another type', async () => {
    const adopter = new Adopter();
    const { project } = adopter;
    project.write(thing('test_thing', 'a'));
    await project.apply();
    project.write(
      thing('test_other', 'b', 'moved {\n  from = test_thing.a\n  to = test_other.b\n}\n'),
    );
    const { plan, lines } = await project.plan();
    expect(lines).toEqual([]);
    expect(plan?.changes[0]?.previousAddr.text).toBe('test_thing.a');
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(adopter.asked).toContain('move test_thing known by {"id":"id-1","region":"eu"}');
    expect(identities(project)).toEqual({ 'test_other.b': { id: 'id-1', region: 'eu' } });
    expect(project.world.changes.map(({ action }) => action)).toEqual(['create']);
  });

  it('keep their sensitive values as another type', async () => {
    const { project } = new Adopter();
    const variable = 'variable "hidden" {\n  default = "HIDDEN"\n  sensitive = true\n}\n';
    const kind = (type: string, name: string, text: string): string =>
      `${variable}resource "${type}" "${name}" {\n  name = "a"\n  kind = ${text}\n}\n`;
    project.write(kind('test_thing', 'a', 'var.hidden'));
    await project.apply();
    const moved = 'moved {\n  from = test_thing.a\n  to = test_other.b\n}\n';
    project.write(kind('test_other', 'b', 'var.hidden') + moved);
    const { plan: same } = await project.plan();
    expect(same?.changes.map(({ action }) => action)).toEqual(['no-op']);
    project.write(kind('test_other', 'b', '"plain"') + moved);
    const { plan: changed } = await project.plan();
    const before = changed?.changes[0]?.before;
    expect(before?.attr('kind').hasMark('sensitive')).toBe(true);
  });
});
