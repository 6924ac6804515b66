import type { InstanceAddr } from '@terrane/addresses';
import { integer, nullOf, str, type Value, withoutSecrets } from '@terrane/cty';
import { type Body, type Diagnostic, hasErrors, overrideBody } from '@terrane/hcl';
import { type Awaitable, type BlockSchema, impliedType } from '@terrane/provider';
import { CONNECTION_SCHEMA, PROVISIONER_SCHEMAS } from '../config/check/provisioner-schemas.ts';
import type { Module, Provisioner } from '../config/model.ts';
import { evaluateBody } from '../evaluate/body.ts';
import { ModuleCells } from '../evaluate/module-cells.ts';
import { NO_REPETITION, type Repetition, repetitionOf } from '../evaluate/repetition.ts';
import type { ModuleScope } from '../evaluate/scope.ts';
import { removedBlocksOf } from '../objects/forgetting.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { passLockGate } from './lock-gate.ts';
import type { ApplyRun } from './request.ts';
import type { Target } from './target.ts';

/** Provisioners to run for an object, with their connection and scope. */
interface Work {
  readonly provisioners: readonly Provisioner[];
  readonly connection: Body | undefined;
  readonly scope: ModuleScope;
}

/** Returns whether a resource has creation-time provisioners. */
export function isProvisioned({ resource }: Target): boolean {
  return resource.provisioners.some(({ when }) => when === 'create');
}

/** Runs the creation-time provisioners of an object. */
export async function provisionCreated(
  run: ApplyRun,
  target: Target,
  self: Value,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { addr, cells, cell, resource } = target;
  const work: Work = {
    provisioners: resource.provisioners.filter(({ when }) => when === 'create'),
    connection: resource.connection,
    scope: run.evaluation.scope(cells, repetitionOf(cell.expansion, addr.key), self),
  };
  await doWork(run, addr, work, diagnostics);
}

/** Runs the destroy-time provisioners of an object. Returns whether it has any, immediately if not. */
export function provisionLeaving(
  run: ApplyRun,
  addr: InstanceAddr,
  self: Value,
  diagnostics: Diagnostic[],
): Awaitable<boolean> {
  const node = run.dependencies.node(addr.config.text);
  const { modules, root } = run.program.configuration;
  const [removed] = node === undefined ? removedBlocksOf(modules.values(), addr) : [];
  const declared = node?.resource ?? removed;
  const module = node?.module ?? root;
  if (declared === undefined || declared.provisioners.length === 0) return false;
  const provisioners = declared.provisioners.filter(({ when }) => when === 'destroy');
  if (provisioners.length === 0) return false;
  const scope = leavingScope(run, addr, module, self);
  const work = { provisioners, connection: declared.connection, scope };
  return doWork(run, addr, work, diagnostics).then(() => true);
}

/** Returns the scope of destroy-time provisioners, which may refer to the object and its key only. */
function leavingScope(run: ApplyRun, addr: InstanceAddr, module: Module, self: Value): ModuleScope {
  const { evaluation } = run;
  const cells =
    evaluation.find(addr.resource.module) ??
    new ModuleCells(module, addr.resource.module, evaluation.root, NO_REPETITION);
  return evaluation.scope(cells, repetitionOfKey(addr), self);
}

function repetitionOfKey({ key }: InstanceAddr): Repetition {
  if (typeof key === 'number') return { countIndex: integer(key) };
  return key === undefined ? NO_REPETITION : { eachKey: str(key) };
}

async function doWork(
  run: ApplyRun,
  addr: InstanceAddr,
  { provisioners, connection, scope }: Work,
  diagnostics: Diagnostic[],
): Promise<void> {
  for (const provisioner of provisioners) {
    const before = diagnostics.length;
    await provisionOne(run, addr, provisioner, connection, scope, diagnostics);
    if (hasErrors(diagnostics, before)) return;
  }
}

async function provisionOne(
  run: ApplyRun,
  addr: InstanceAddr,
  provisioner: Provisioner,
  connection: Body | undefined,
  scope: ModuleScope,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { type, body, onFailure } = provisioner;
  const before = diagnostics.length;
  const schema: BlockSchema = PROVISIONER_SCHEMAS.get(type) ?? { attributes: {}, blocks: {} };
  const how = connectionBody(connection, provisioner.connection);
  const { config, connected } = await run.evaluation.evaluate(diagnostics, (pass) => ({
    config: evaluateBody(body, schema, scope, addr.text, pass.diagnostics),
    connected:
      how === undefined
        ? nullOf(impliedType(CONNECTION_SCHEMA))
        : evaluateBody(how, CONNECTION_SCHEMA, scope, addr.text, pass.diagnostics),
  }));
  if (hasErrors(diagnostics, before)) return;
  await passLockGate(run);
  const { emit, signal, provisioners } = run.request;
  const about = { addr, provisioner: type };
  emit({ kind: 'provision-start', ...about });
  const { value: plain, marks } = config.unmarkDeep();
  const suppression = suppressionNotice(marks);
  const problemsOfRun = await provisioners.provision({
    type,
    config: plain,
    connection: connected.unmarkDeep().value,
    output: (line) => emit({ kind: 'provision-progress', ...about, output: suppression ?? line }),
    // Unlike a provider, a provisioner ends at the first interrupt; its object is then tainted.
    ...(signal === undefined ? {} : { signal }),
  });
  // Provisioners quote commands and their output, hosts and users.
  const reported = diagnosticsOf(problemsOfRun, { body, address: addr.text }).map((each) => ({
    ...each,
    summary: withoutSecrets(each.summary, [config, connected]),
    detail: withoutSecrets(each.detail, [config, connected]),
  }));
  const failed = hasErrors(reported);
  emit({ kind: failed ? 'provision-errored' : 'provision-complete', ...about });
  if (!failed || onFailure === 'fail') diagnostics.push(...reported);
}

/** Returns the connection of the resource, overridden by that of the provisioner. */
function connectionBody(base: Body | undefined, override: Body | undefined): Body | undefined {
  return base === undefined || override === undefined
    ? (override ?? base)
    : overrideBody(base, override);
}

/** Returns the text to show instead of output that may contain sensitive values; undefined if it cannot. */
function suppressionNotice(marks: Value['marks']): string | undefined {
  const kinds = ['sensitive', 'ephemeral'].filter((kind) =>
    kind === 'sensitive' ? marks.has('sensitive') : marks.has('ephemeral'),
  );
  return kinds.length === 0
    ? undefined
    : `(output suppressed due to ${kinds.join(', ')} value in config)`;
}
