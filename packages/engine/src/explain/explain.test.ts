import { describe, expect, it } from 'vitest';
import { explainPlan } from './explain.ts';
import { outline, SampleProject, SETTINGS } from './fixtures/sample-explainer.ts';

const MAIN = `
resource "test_thing" "a" {
  count = 2
  name  = "new"
}
resource "test_thing" "same" {
  name = "same"
}
output "o" {
  value = test_thing.same.name
}
module "m" {
  source = "./m"
}
`;

async function explainer() {
  const project = new SampleProject({
    'main.tf': MAIN,
    'm/main.tf': 'resource "test_thing" "inner" {\n  name = "inner"\n}\n',
  }).store({
    'test_thing.a[0]': { id: '0', name: 'old', size: 1 },
    'test_thing.a[1]': { id: '1', name: 'old', size: 1 },
    'test_thing.same': { id: 's', name: 'same', size: 1 },
  });
  return await explainPlan(await project.plan(), SETTINGS);
}

describe('an address', () => {
  it.each([
    ['test_thing.a[0]', ['test_thing.a[0]']],
    ['test_thing.a', ['test_thing.a[0]', 'test_thing.a[1]']],
    ['module.m', ['module.m.test_thing.inner']],
    ['output.o', ['output.o']],
  ])('%s stands for %j', async (address, expected) => {
    const { explanations, diagnostics } = await (await explainer()).explain(address);
    expect(diagnostics).toEqual([]);
    expect(explanations.map((each) => each.address)).toEqual(expected);
  });

  it('may select an attribute, which is explained if it stays too', async () => {
    const open = await explainer();
    const causes = async (address: string) =>
      (await open.explain(address)).explanations.map((each) => outline(each.causes));
    expect(await causes('test_thing.a[0].name')).toEqual([
      'attribute test_thing.a[0].name < source "new"',
    ]);
    expect(await causes('test_thing.a[0].kind')).toEqual(['equal test_thing.a[0].kind']);
  });

  it.each([['test_thing.b'], ['output.absent'], ['action.test_act.x'], ['test_thing.']])(
    'is reported if nothing is there: %s',
    async (address) => {
      const { explanations, diagnostics } = await (await explainer()).explain(address);
      expect(explanations).toEqual([]);
      expect(diagnostics.map(({ severity }) => severity)).toEqual(['error']);
    },
  );

  it('is compared with those that exist', async () => {
    const { diagnostics } = await (await explainer()).explain('test_thing.sane');
    expect(diagnostics[0]?.detail).toContain('test_thing.same');
  });
});

describe('everything that a plan does', () => {
  it('omits unchanged objects, unless requested', async () => {
    const open = await explainer();
    const addresses = async (unchanged: boolean) =>
      (await open.all(unchanged)).map(({ address }) => address);
    expect(await addresses(false)).not.toContain('test_thing.same');
    expect(await addresses(true)).toContain('test_thing.same');
  });

  it('has the unknown attributes of changes', async () => {
    const created = (await (await explainer()).all()).find(({ action }) => action === 'create');
    expect(created?.unknown.map(({ causes }) => outline(causes))).toEqual([
      'computed module.m.test_thing.inner.id',
      'computed module.m.test_thing.inner.size',
    ]);
  });
});
