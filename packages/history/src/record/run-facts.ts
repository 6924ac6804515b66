import { createHash } from 'node:crypto';
import type { ProviderSource, ResourceAddr } from '@terrane/addresses';
import { DYNAMIC, encodeMsgpack, type Value } from '@terrane/cty';
import { type Plan, type StateEvent, TERRANE_VERSION } from '@terrane/engine';
import { configurationSources, type ObservedRun } from '@terrane/ops';
import { configurationDigest, type StoredConfiguration } from './history-store.ts';
import type { RecordedVariable, RunStart } from './model.ts';
import { type SensitivePart, sensitiveTree } from './sensitive-tree.ts';

/** The facts of a run that is about to start. */
export interface RunFacts {
  readonly start: RunStart;
  /** the configuration snapshot, if the run has a plan */
  readonly configuration?: StoredConfiguration;
}

/** Collects the facts of a run. `previousId` is the ID of the last recorded run. */
export function runFacts(run: ObservedRun, who: string, previousId: string | undefined): RunFacts {
  const { host: machine, operation, workspace, base, plan, providers = [] } = run;
  const { clock, environment } = machine;
  const { pid, hostName: host } = environment;
  const started = clock.now().toISOString();
  const writer = { host, pid, identity: environment.processIdentity(pid) ?? '' };
  const configuration = plan === undefined ? undefined : snapshotOf(plan);
  const digest = createHash('sha256')
    .update(JSON.stringify([started, writer, base.name, previousId]))
    .digest('hex');
  const versions = providers.map(({ source, origin }) => [
    source.text,
    origin.kind === 'installed'
      ? origin.version
      : origin.kind === 'bundled'
        ? origin.provider.version
        : origin.kind,
  ]);
  const start: RunStart = {
    id: `${started.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${digest.slice(0, 8)}`,
    started,
    who,
    command: operation,
    workspace,
    version: TERRANE_VERSION,
    providers: Object.fromEntries(versions) as Record<string, string>,
    writer,
    ...(base.name === undefined ? {} : { base: base.name }),
    ...(plan === undefined || configuration === undefined
      ? {}
      : planFacts(plan, configuration, run)),
  };
  return { start, ...(configuration === undefined ? {} : { configuration }) };
}

function snapshotOf(plan: Plan): StoredConfiguration {
  const files = configurationSources(plan.configuration);
  return { digest: configurationDigest(files), files };
}

function planFacts(
  plan: Plan,
  configuration: StoredConfiguration,
  { base }: ObservedRun,
): Partial<RunStart> {
  const { mode, targets, excludes, replace, applyTimeVariables, purpose } = plan;
  const variables = recordedVariables(plan);
  const forgotten = plan.changes
    .filter(({ action }) => action.includes('forget'))
    .map(({ addr }) => addr.text);
  const imported = plan.changes
    .filter(({ importing }) => importing !== undefined)
    .map(({ addr }) => addr.text);
  return {
    mode,
    ...(purpose?.reverts === undefined ? {} : { reverts: purpose.reverts }),
    plan: planDigest(plan, configuration.digest, variables, base.name?.digest),
    configuration: configuration.digest,
    variables,
    ...(applyTimeVariables.length === 0 ? {} : { ephemeralVariables: applyTimeVariables }),
    ...(targets.length === 0 ? {} : { targets }),
    ...(excludes.length === 0 ? {} : { excludes }),
    ...(replace.length === 0 ? {} : { replace }),
    ...(imported.length === 0 ? {} : { imported }),
    ...(forgotten.length === 0 ? {} : { forgotten }),
  };
}

/** Returns the variables of a plan in the form in which a later run can reuse them. */
function recordedVariables({ variables, configuration }: Plan): readonly RecordedVariable[] {
  return [...variables].map(([name, value]) => ({
    name,
    value: Buffer.from(encodeMsgpack(unmarked(value), DYNAMIC)).toString('base64'),
    sensitive:
      configuration.root.variables.get(name)?.sensitive === true || value.hasMarkDeep('sensitive'),
  }));
}

function unmarked(value: Value): Value {
  return value.containsMarked() ? value.unmarkDeep().value : value;
}

/** Length of the text that is hashed at once. */
const BATCH_LENGTH = 1 << 14;

/** Returns the digest of a plan: its actions and inputs. */
function planDigest(
  plan: Plan,
  configuration: string,
  variables: readonly RecordedVariable[],
  base: string | undefined,
): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([plan.mode, plan.timestamp, configuration, variables, base ?? null]));
  // Each call of the library costs more than the text of a change.
  let text = '';
  for (const { addr, action, deposed } of plan.changes) {
    text += `\n${action} ${deposed ?? ''} ${addr.text}`;
    if (text.length < BATCH_LENGTH) continue;
    hash.update(text);
    text = '';
  }
  return hash.update(text).digest('hex');
}

/** Returns the key of an object type in the list of sensitive parts. */
export function schemaKey(provider: string, type: string): string {
  return `${provider} ${type}`;
}

/** Returns the sensitive parts of the objects in events, by provider and type, if the plan has their schemas. */
export function schemasOf(
  events: readonly StateEvent[],
  plan: Plan | undefined,
): Readonly<Record<string, SensitivePart | null>> {
  const schemas: Record<string, SensitivePart | null> = {};
  if (plan === undefined) return schemas;
  let last: { readonly resource: ResourceAddr; readonly source: ProviderSource } | undefined;
  for (const event of events) {
    if (event.kind !== 'put') continue;
    const { resource } = event.addr.resource;
    const source = event.object.provider.provider;
    // Instances of one resource follow each other.
    if (resource === last?.resource && source === last.source) continue;
    last = { resource, source };
    const { mode, type } = resource;
    const key = schemaKey(source.text, `${mode}.${type}`);
    if (key in schemas) continue;
    const schema = plan.schemas.resource(source, mode, type);
    if (schema !== undefined) schemas[key] = sensitiveTree(schema.block) ?? null;
  }
  return schemas;
}
