// The files with which the run server is deployed: compose.yaml and the Helm chart.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestProblem } from '@terrane/server';
import { parseAllDocuments, parse } from 'yaml';
import { describe, expect, it } from 'vitest';

const deploy = new URL('../deploy/', import.meta.url).pathname;
type Fields = Record<string, unknown>;

/** Renders the constructs of Helm templates that the chart uses; throws for any other, and for unknown values. */
function render(template: string, values: Fields): string {
  const valueOf = (path: string): unknown => {
    let value: unknown = path.startsWith('.Release.')
      ? { Release: { Name: 'release' } }
      : { Values: values };
    for (const name of path.split('.').slice(1)) value = (value as Fields | undefined)?.[name];
    if (value === undefined) throw new Error(`unknown value ${path}`);
    return value;
  };
  const withoutConditions = `\n${template}`.replaceAll(
    /\n\{\{- if (not )?(\S+) \}\}([\s\S]*?)\n\{\{- end \}\}/g,
    (_all, not: string | undefined, path: string, body: string) =>
      (valueOf(path) === true) === (not === undefined) ? body : '',
  );
  return withoutConditions.replaceAll(
    /\{\{ (\S+)( \| quote)? \}\}/g,
    (_all, path: string, quote?: string) =>
      quote === undefined ? String(valueOf(path)) : JSON.stringify(valueOf(path)),
  );
}

const source = (path: string): string =>
  readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Returns the flags of a command, from the source of its table. */
const flagsOf = (command: string): string[] =>
  [
    ...source(`packages/cli/src/commands/${command}/flags.ts`).matchAll(
      /^  '?([\w-]+)'?: \{ kind/gm,
    ),
  ].map(([, name = '']) => name);

/** Expects the arguments of a container to be a command with flags that it has. */
function expectCommand([name = '', ...args]: readonly string[]): void {
  const flags = flagsOf(name);
  for (const arg of args) expect(flags).toContain(/^-([\w-]+)/.exec(arg)?.[1]);
}

describe('the Helm chart', () => {
  const values = parse(readFileSync(join(deploy, 'chart/values.yaml'), 'utf8')) as Fields;
  const templates = readdirSync(join(deploy, 'chart/templates'));
  const documents = (overrides: Fields = {}): Fields[] =>
    templates.flatMap((name) => {
      const text = readFileSync(join(deploy, 'chart/templates', name), 'utf8');
      const rendered = render(text, { ...values, ...overrides });
      expect(rendered).not.toContain('{{');
      return parseAllDocuments(rendered, { uniqueKeys: true }).map((document) => {
        expect(document.errors).toEqual([]);
        return document.toJS() as Fields;
      });
    });

  it('renders objects of Kubernetes', () => {
    const kinds = documents().map(({ kind }) => kind);
    expect(kinds).toEqual(['Deployment', 'Deployment', 'Service', 'PodDisruptionBudget']);
    const ingress = { enabled: true, className: 'nginx', host: 'h', tlsSecret: 't' };
    expect(documents({ ingress }).map(({ kind }) => kind)).toContain('Ingress');
    for (const { apiVersion, kind, metadata } of documents()) {
      expect({ apiVersion, kind, metadata }).toMatchObject({
        apiVersion: expect.any(String),
        metadata: { name: expect.stringMatching(/^release-/) },
      });
    }
  });

  it('creates a Job for each run if it is told so', () => {
    const kubernetesJobs = { enabled: true, most: 7 };
    const all = documents({ kubernetesJobs });
    expect(all.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['ServiceAccount', 'Role', 'RoleBinding', 'ConfigMap']),
    );
    const names = all.map(({ metadata }) => (metadata as Fields)['name']);
    expect(names).not.toContain('release-agent');
    const dispatcher = all.find(
      ({ kind, metadata }) =>
        kind === 'Deployment' && (metadata as Fields)['name'] === 'release-dispatcher',
    );
    const text = JSON.stringify(dispatcher);
    expect(text).toContain('-concurrency=7');
    const { data } = all.find(({ kind }) => kind === 'ConfigMap') as { data: Fields };
    const manifest: unknown = JSON.parse(String(data['job.json']));
    expect(manifestProblem(manifest)).toBeUndefined();
    const { spec } = manifest as { spec: { template: { spec: { containers: Fields[] } } } };
    for (const { args } of spec.template.spec.containers) expectCommand(args as string[]);
  });

  it('runs containers without privileges, with probes that are endpoints', () => {
    const endpoints = source('docs/server-api.md');
    for (const { kind, spec } of documents()) {
      if (kind !== 'Deployment') continue;
      const { selector, template } = spec as { selector: Fields; template: Fields };
      const { metadata, spec: pod } = template as { metadata: Fields; spec: Fields };
      expect(metadata['labels']).toEqual(selector['matchLabels']);
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
      });
      for (const container of pod['containers'] as Fields[]) {
        expect(container['securityContext']).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expectCommand(container['args'] as string[]);
        for (const name of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
          const probe = container[name] as { httpGet: { path: string } } | undefined;
          if (probe !== undefined) expect(endpoints).toContain(`| \`GET ${probe.httpGet.path}\` |`);
        }
      }
    }
  });
});

describe('compose.yaml', () => {
  it('starts a database, a server and an agent with flags that exist', () => {
    const { services, secrets, volumes } = parse(
      readFileSync(join(deploy, 'compose.yaml'), 'utf8'),
    ) as { services: Record<string, Fields>; secrets: Fields; volumes: Fields };
    expect(Object.keys(services)).toEqual(['database', 'server', 'agent']);
    expect(Object.keys(volumes)).toEqual(['database', 'agent']);
    for (const service of Object.values(services)) {
      for (const secret of (service['secrets'] ?? []) as string[])
        expect(secrets).toHaveProperty([secret]);
      if (service['command'] !== undefined) expectCommand(service['command'] as string[]);
    }
  });
});
