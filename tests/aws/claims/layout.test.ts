// The locations of waits and of awaited states in the AWS provider.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';

const SOURCES = resolve(import.meta.dirname, '../../../providers/aws/src');

/** Packages of the SDK by folder, where their names differ. */
const CLIENTS: Readonly<Record<string, string>> = {
  appautoscaling: 'application-auto-scaling',
  logs: 'cloudwatch-logs',
  route53: 'route-53',
  secretsmanager: 'secrets-manager',
};

/** States that we give objects ourselves, as their services have none for it. */
const OWN = new Set([
  'arn',
  'exists',
  'labelled',
  'no',
  'none',
  'number',
  'ready',
  'STABLE',
  'true',
  'false',
  'yes',
]);

/** Folders of services: those with a list of their resource types. */
const SERVICES = readdirSync(SOURCES).filter((name) => existsSync(join(SOURCES, name, 'index.ts')));

/** Source files in a folder, without tests. */
function filesIn(folder: string): readonly { readonly name: string; readonly source: string }[] {
  return readdirSync(join(SOURCES, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => ({
      name: join(folder, name),
      source: readFileSync(join(SOURCES, folder, name), 'utf8'),
    }));
}

const WAIT = /\.(waitFor|waitForValue|waitForDeletion)[(<]/;

it('the waits of a service are in its folder', () => {
  const waiting = filesIn('.')
    .filter(({ source }) => WAIT.test(source))
    .map(({ name }) => name.split('/')[0] ?? '');
  const shared = new Set(waiting.filter((folder) => !SERVICES.includes(folder)));
  // Code that all resource types share, and waiters of the SDK.
  expect([...shared].toSorted()).toEqual(['request', 'resource']);
  expect(waiting.length).toBeGreaterThan(shared.size);
});

it('services wait with the primitives of the library alone', () => {
  const offenders = SERVICES.flatMap(filesIn).filter(({ source }) =>
    /setTimeout|setInterval|\.sleep\(|waitForState\(|waitUntil\w+\(/.test(source),
  );
  expect(offenders.map(({ name }) => name)).toEqual([]);
});

it('only steady states of services can be left out', () => {
  const optional = SERVICES.flatMap(filesIn).flatMap(({ source, name }) =>
    [...source.matchAll(/^ *(wait_\w+): (?!boolean)/gm)].map(
      ([, argument]) => `${name}: ${argument}`,
    ),
  );
  expect(optional).toEqual(['ecs/service.ts: wait_for_steady_state']);
});

it.each(SERVICES)('states of %s are values of its SDK, or in its consts.ts', async (service) => {
  const named = new Set(literalsIn(join(SOURCES, service, 'consts.ts')));
  const known = await enumerationsOf(service);
  const unknown = filesIn(service).flatMap(({ source, name }) =>
    statesIn(source)
      .filter((state) => !known.has(state) && !OWN.has(state) && !named.has(state))
      .map((state) => `${name}: ${state}`),
  );
  expect(unknown).toEqual([]);
});

/** Literals in `pending: […]` and `target: […]`. */
function statesIn(source: string): readonly string[] {
  const states: string[] = [];
  new Visitor({
    Property({ key, value }) {
      if (key.type !== 'Identifier' || !['pending', 'target'].includes(key.name)) return;
      collect(value, states);
    },
  }).visit(parseSync('it.ts', source).program);
  return states;
}

function collect(node: Node, into: string[]): void {
  if (node.type === 'Literal' && typeof node.value === 'string') into.push(node.value);
  else if (node.type === 'ArrayExpression') {
    for (const element of node.elements) if (element !== null) collect(element, into);
  } else if (node.type === 'ConditionalExpression') {
    collect(node.consequent, into);
    collect(node.alternate, into);
  }
}

/** Texts in a file; none where there is no such file. */
function literalsIn(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const literals: string[] = [];
  new Visitor({
    Literal({ value }) {
      if (typeof value === 'string') literals.push(value);
    },
  }).visit(parseSync('it.ts', readFileSync(file, 'utf8')).program);
  return literals;
}

/** Values of all enumerations of a client of the SDK. */
async function enumerationsOf(service: string): Promise<ReadonlySet<string>> {
  const path = `@aws-sdk/client-${CLIENTS[service] ?? service}`;
  const client: object = await import(/* @vite-ignore */ path).catch(() => ({}));
  const values = Object.values(client).flatMap((each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each) ? Object.values(each) : [],
  );
  return new Set(values.filter((value) => typeof value === 'string'));
}
