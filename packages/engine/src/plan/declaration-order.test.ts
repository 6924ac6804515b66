import { DYNAMIC, STRING } from '@terrane/cty';
import type { ProviderSchema, Schema } from '@terrane/provider';
import { memoryHost } from '@terrane/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkStatic } from '../config/check/check-static.ts';
import { loadConfiguration } from '../config/load.ts';
import { buildProgram } from '../evaluate/program.ts';

const THING: Schema = {
  version: 0,
  block: { attributes: { value: { type: DYNAMIC, optional: true } }, blocks: {} },
};
const PROVIDER: ProviderSchema = {
  provider: {
    version: 0,
    block: { attributes: { at: { type: STRING, optional: true } }, blocks: {} },
  },
  resources: { test_thing: THING },
  dataSources: { test_thing: THING },
  ephemeralResources: { test_thing: THING },
  functions: {},
  capabilities: {},
};
const SCHEMAS = { provider: () => PROVIDER, resource: () => THING };

const NAMES = ['a', 'b'];
const reference = fc
  .tuple(
    fc.constantFrom(
      'var.',
      'local.',
      'test_thing.',
      'data.test_thing.',
      'ephemeral.test_thing.',
      'module.',
    ),
    fc.constantFrom(...NAMES),
  )
  .map((parts) => parts.join(''));
const list = fc.array(reference, { maxLength: 2 }).map((all) => `[${all.join(', ')}]`);
const name = fc.constantFrom(...NAMES);

/** A declaration that nearly all configurations have. */
const plain = fc.oneof(
  fc.tuple(name, list).map(([n, refs]) => [`local.${n}`, `locals {\n ${n} = ${refs}\n}`]),
  fc.tuple(name, list).map(([n, refs]) => [`output.${n}`, `output "${n}" {\n value = ${refs}\n}`]),
  name.map((n) => [`var.${n}`, `variable "${n}" {}`]),
  fc
    .tuple(fc.constantFrom('resource', 'data', 'ephemeral'), name, list, fc.option(list))
    .map(([kind, n, refs, count]) => [
      `${kind}.${n}`,
      `${kind} "test_thing" "${n}" {\n value = ${refs}\n${count === null ? '' : ` count = length(${count})\n`}}`,
    ]),
  fc
    .tuple(name, list)
    .map(([n, refs]) => [
      `resource.${n}`,
      `resource "test_thing" "${n}" {\n lifecycle {\n precondition {\n condition = ${refs} == []\n error_message = "no"\n }\n }\n}`,
    ]),
  fc
    .tuple(name, reference)
    .map(([n, ref]) => [
      `resource.${n}`,
      `resource "test_thing" "${n}" {\n depends_on = [${ref}]\n}`,
    ]),
  fc
    .tuple(fc.option(name), list)
    .map(([alias, refs]) => [
      `provider.${alias}`,
      `provider "test" {\n${alias === null ? '' : ` alias = "${alias}"\n`} at = join("", ${refs})\n}`,
    ]),
  fc
    .tuple(name, name)
    .map(([n, alias]) => [
      `resource.${n}`,
      `resource "test_thing" "${n}" {\n provider = test.${alias}\n}`,
    ]),
  fc
    .tuple(name, list)
    .map(([n, refs]) => [
      `check.${n}`,
      `check "${n}" {\n data "test_thing" "${n}" {\n value = ${refs}\n }\n assert {\n condition = ${refs} == []\n error_message = "no"\n }\n}`,
    ]),
);

/** A declaration whose dependencies are not all among those of the validation. */
const unusual = fc.oneof(
  fc
    .tuple(name, reference)
    .map(([n, ref]) => [
      `var.${n}`,
      `variable "${n}" {\n validation {\n condition = var.${n} != ${ref}\n error_message = "no"\n }\n}`,
    ]),
  fc
    .tuple(name, reference)
    .map(([n, ref]) => [`import.${n}`, `import {\n to = test_thing.${n}\n id = "\${${ref}}"\n}`]),
  fc
    .tuple(name, reference)
    .map(([n, ref]) => [
      `resource.${n}`,
      `resource "test_thing" "${n}" {\n provisioner "local-exec" {\n command = "\${${ref}}"\n }\n}`,
    ]),
);

test('an order of the declarations is one of the program', async () => {
  const seen = { ordered: 0, cycles: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 15, arbitrary: plain }, { weight: 1, arbitrary: unusual }), {
        minLength: 3,
        maxLength: 14,
      }),
      async (declarations) => {
        const host = memoryHost();
        await host.files.makeDirectory('/project');
        const text = [...new Map(declarations.map(([key, part]) => [key, part])).values()];
        await host.files.writeFile('/project/main.tf', text.join('\n'));
        const { configuration } = loadConfiguration(host.files, '.');
        if (configuration === undefined) return;
        await checkStatic(configuration, {
          schemas: SCHEMAS,
          functions: new Map(),
          cwd: '/project',
          workspace: 'default',
          visitor: {
            begin: (isOrdered) => {
              const { diagnostics } = buildProgram(configuration, SCHEMAS);
              if (isOrdered) expect(diagnostics).toEqual([]);
              if (isOrdered) seen.ordered++;
              else if (diagnostics.length > 0) seen.cycles++;
              return diagnostics;
            },
          },
        });
      },
    ),
    { numRuns: 300 },
  );
  expect(seen.ordered).toBeGreaterThan(50);
  expect(seen.cycles).toBeGreaterThan(5);
});
