import { expect, it } from 'vitest';
import { Deferred } from './deferred.ts';
import { explainerOf, outline, SampleProject } from './fixtures/sample-explainer.ts';

const A = 'resource "test_thing" "a" {\n  name = "a"\n}\n';

/** Explains the deferred changes of a plan, by the addresses of their resources. */
async function deferrals(files: string | Readonly<Record<string, string>>) {
  const project = new SampleProject(files);
  const { facts, worlds, tracer } = await explainerOf(project, { allowDeferral: true });
  const deferred = new Deferred(facts, worlds, tracer());
  return facts.plan.deferred.map((each) => outline(deferred.why(each)));
}

it('unknown instances lead to the value that repeats the resource', async () => {
  const text = `${A}resource "test_thing" "b" {\n  count = test_thing.a.size\n  name = "b"\n}\n`;
  expect(await deferrals(text)).toEqual([
    'deferred instance_count_unknown test_thing.b[*] < resource test_thing.a.size < computed test_thing.a.size',
  ]);
});

it('unknown instances of a module lead to the value that repeats the call', async () => {
  const files = {
    'main.tf': `${A}module "m" {\n  source = "./m"\n  count = test_thing.a.size\n}\n`,
    'm/main.tf': 'resource "test_thing" "c" {\n  name = "c"\n}\n',
  };
  expect(await deferrals(files)).toEqual([
    'deferred instance_count_unknown module.m[*].test_thing.c[*] < resource test_thing.a.size < computed test_thing.a.size',
  ]);
});

it('a deferred dependency is a cause with its own reason', async () => {
  const text = `${A}resource "test_thing" "b" {
  count = test_thing.a.size
  name = "b"
}
resource "test_thing" "c" {
  name = join("", test_thing.b[*].name)
}
`;
  expect(await deferrals(text)).toContain(
    'deferred deferred_prereq test_thing.c < dependency instance_count_unknown test_thing.b[*] < deferred instance_count_unknown test_thing.b[*] (told)',
  );
});

it('a deferral of the provider has its reason and the block', async () => {
  const project = new SampleProject(A);
  project.overrides = {
    planResourceChange: ({ proposed }) => ({
      planned: proposed,
      requiresReplace: [],
      deferred: { reason: 'resource_config_unknown' },
    }),
  };
  const { facts, worlds, tracer } = await explainerOf(project, { allowDeferral: true });
  const [change] = facts.plan.deferred;
  if (change === undefined) throw new Error('nothing is deferred');
  const causes = new Deferred(facts, worlds, tracer()).why(change);
  expect(outline(causes)).toBe('deferred resource_config_unknown test_thing.a');
  expect(causes[0]?.range?.text()).toBe('resource "test_thing" "a"');
});
