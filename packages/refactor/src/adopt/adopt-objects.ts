import { type Value, valueToJson } from '@terrane/cty';
import type { FoundObject, Plan, PlannedChange } from '@terrane/engine';
import {
  type Diagnostic,
  editHcl,
  errorDiagnostic,
  expression,
  hasErrors,
  warningDiagnostic,
} from '@terrane/hcl';
import { type Outcome, type Project, query, type RunPorts, SILENT } from '@terrane/ops';
import { planJson, type Secrets, secretsOf } from '@terrane/render';
import { type FileChange, keepFormatted } from '../file-change.ts';
import { emptyPlanProblem, planTrial, type RefactorOptions } from '../prove.ts';
import {
  argumentAt,
  type DraftForm,
  firstForm,
  formWithout,
  ignoreArguments,
  nextForm,
  type Obstacle,
} from './draft-form.ts';
import { type Fold, foldedText, foldObjects } from './fold-objects.ts';
import { ReferenceTable, withReferences } from './reference-table.ts';

/** An object that is adopted. */
export interface AdoptedObject {
  readonly address: string;
  readonly displayName: string;
  /** references to other objects in its configuration */
  readonly references: readonly string[];
}

/** An object that is not adopted, because its plan would change something. */
export interface RejectedObject {
  readonly type: string;
  readonly displayName: string;
  readonly reason: string;
}

/** Verified configuration for existing objects. */
export interface Adoption {
  readonly changes: readonly FileChange[];
  readonly adopted: readonly AdoptedObject[];
  readonly rejected: readonly RejectedObject[];
  /** number of found objects that the state already has */
  readonly managed: number;
}

/** Options of an adoption. */
export interface AdoptOptions extends RefactorOptions {
  /** true to write similar objects as instances of one resource with `for_each` */
  readonly forEach?: boolean;
}

/** The file with the `import` blocks. */
export const IMPORTS_FILE = 'adopted_imports.tf';

interface Candidate extends DraftForm {
  readonly type: string;
  readonly name: string;
  readonly address: string;
  /** the resource with `for_each` that the object is an instance of */
  readonly fold?: Fold<Candidate>;
  readonly object: FoundObject;
  readonly import: string;
}

/**
 * Queries existing objects and makes configuration that imports them: references in place of ids of other objects, a
 * file for each resource type, and `import` blocks. The plan with these files imports the objects and does nothing
 * else; objects for which that is not possible are left out. Writes nothing.
 */
export async function adoptObjects(
  project: Project,
  options: AdoptOptions,
  ports: RunPorts,
): Promise<Outcome<Adoption>> {
  const { variables } = options;
  const quiet = { ...ports, emit: SILENT.emit };
  const queried = await query(project, { variables, generate: true }, quiet);
  if (queried.result === undefined || hasErrors(queried.diagnostics)) {
    return { diagnostics: queried.diagnostics };
  }
  const imports = await textOf(project, IMPORTS_FILE);
  // A configuration of queries only is planned with an empty file.
  const files = new Map([[IMPORTS_FILE, imports ?? '']]);
  const baseline = await planTrial(project, options, ports, { files });
  if (baseline.result === undefined) return { diagnostics: baseline.diagnostics };
  const pending = emptyPlanProblem(
    baseline.result,
    'Pending changes',
    'The plan of the present configuration is not empty, so a plan cannot prove that the adoption only imports. Apply or revert these changes first:',
  );
  if (pending !== undefined) return { diagnostics: [pending] };
  const objects = queried.result.flatMap(({ results }) => results);
  const { candidates, managed } = candidatesOf(objects, baseline.result);
  const input = { candidates, managed, baseline: baseline.result };
  const verified = await draftVerified(project, options, ports, input);
  if (options.forEach !== true || verified.result === undefined) return verified.outcome;
  return await draftFolded(project, options, ports, { ...input, ...verified });
}

interface DraftInput {
  readonly candidates: readonly Candidate[];
  readonly managed: number;
  readonly baseline: Plan;
}

/** An adoption, and the objects that it adopts. */
interface Verified {
  readonly outcome: Outcome<Adoption>;
  /** undefined if the adoption failed */
  readonly result?: Adoption;
  readonly candidates: readonly Candidate[];
}

/** Drafts and plans the files, in other forms or without objects until the plan only imports. */
async function draftVerified(
  project: Project,
  options: RefactorOptions,
  ports: RunPorts,
  input: DraftInput,
): Promise<Verified> {
  const { managed, baseline } = input;
  const rejected: RejectedObject[] = [];
  let { candidates } = input;
  for (;;) {
    if (candidates.length === 0) {
      const result = { changes: [], adopted: [], rejected, managed };
      return { outcome: { result, diagnostics: [] }, candidates };
    }
    const draft = await draftFiles(project, candidates, baseline);
    const files = new Map(draft.changes.map(({ path, after }) => [path, after]));
    const trial = await planTrial(project, options, ports, { files });
    const obstacles = causes(
      trial.result === undefined
        ? errorObstacles(trial.diagnostics, candidates, files)
        : changeObstacles(trial.result, candidates),
      draft.adopted,
    );
    if (obstacles.size === 0) {
      const { diagnostics } = trial;
      if (trial.result === undefined) return { outcome: { diagnostics }, candidates };
      const others = otherChanges(trial.result, candidates);
      if (others !== undefined) return { outcome: { diagnostics: [others] }, candidates };
      // The plan has read the sensitive arguments, which the query omits.
      const cleaned = withoutCopies(candidates, secretsOf(planJson(trial.result)), rejected);
      if (cleaned !== undefined) {
        candidates = cleaned;
        continue;
      }
      const result = { changes: draft.changes, adopted: draft.adopted, rejected, managed };
      return { outcome: { result, diagnostics }, result, candidates };
    }
    candidates = candidates.flatMap((candidate) => {
      const obstacle = obstacles.get(candidate.address);
      if (obstacle === undefined) return [candidate];
      const next = nextForm(candidate, obstacle);
      if (next !== undefined) return [{ ...candidate, ...next }];
      const { type, object } = candidate;
      rejected.push({ type, displayName: object.displayName, reason: obstacle.reason });
      return [];
    });
  }
}

/**
 * Drafts verified objects again, with similar ones as instances of one resource. If the plan of that does anything but
 * import, the objects stay resources of their own.
 */
async function draftFolded(
  project: Project,
  options: RefactorOptions,
  ports: RunPorts,
  { candidates, baseline, outcome, result }: DraftInput & Verified,
): Promise<Outcome<Adoption>> {
  const usedNames = new Set(candidates.map(({ address }) => address));
  for (const { addr } of baseline.changes) {
    const { type, name } = addr.resource.resource;
    if (addr.resource.module.isRoot) usedNames.add(`${type}.${name}`);
  }
  const { folds, single } = foldObjects(candidates, usedNames);
  if (folds.length === 0 || result === undefined) return outcome;
  const folded = [...single, ...folds.flatMap(instancesOf)];
  const draft = await draftFiles(project, folded, baseline);
  const files = new Map(draft.changes.map(({ path, after }) => [path, after]));
  const trial = await planTrial(project, options, ports, { files });
  const isProved =
    trial.result !== undefined &&
    changeObstacles(trial.result, folded).size === 0 &&
    otherChanges(trial.result, folded) === undefined;
  if (!isProved) {
    const warning = warningDiagnostic(
      'Objects not grouped',
      'With similar objects as instances of one resource, the plan would not only import them. Each object is a resource of its own.',
    );
    return { ...outcome, diagnostics: [...outcome.diagnostics, warning] };
  }
  const { changes, adopted } = draft;
  return { result: { ...result, changes, adopted }, diagnostics: trial.diagnostics };
}

/** Returns the objects of a group at their addresses as instances. */
function instancesOf(fold: Fold<Candidate>): readonly Candidate[] {
  return fold.members.map(({ object, address }) => {
    const importEditor = editHcl(object.import);
    importEditor.block('import')?.content.set('to', expression(address.text));
    return { ...object, address: address.text, fold, import: String(importEditor) };
  });
}

/** Returns the obstacles of objects that refer to no other object with an obstacle, which may be its cause. */
function causes(
  obstacles: ReadonlyMap<string, Obstacle>,
  adopted: readonly AdoptedObject[],
): ReadonlyMap<string, Obstacle> {
  const consequences = new Set(
    adopted
      .filter(({ references }) =>
        references.some((each) => obstacles.has(each.slice(0, each.lastIndexOf('.')))),
      )
      .map(({ address }) => address),
  );
  return new Map([...obstacles].filter(([address]) => !consequences.has(address)));
}

/** Selects the objects that are not managed yet, and names them after their display names. */
function candidatesOf(
  objects: readonly FoundObject[],
  { changes }: Plan,
): { readonly candidates: readonly Candidate[]; readonly managed: number } {
  const known = new Set<string>();
  const usedNames = new Set<string>();
  for (const { addr, before, beforeIdentity } of changes) {
    const { type, name } = addr.resource.resource;
    if (addr.resource.module.isRoot) usedNames.add(`${type}.${name}`);
    if (beforeIdentity !== undefined) known.add(`${type} ${jsonOf(beforeIdentity)}`);
    const id = textAttribute(before, 'id');
    if (id !== undefined) known.add(`${type} id ${id}`);
  }
  const candidates: Candidate[] = [];
  /** objects that an earlier list block, or another instance of one, has found */
  const seen = new Set<string>();
  let managed = 0;
  for (const object of objects) {
    const { generated, identity, resource, displayName } = object;
    if (generated === undefined) continue;
    const editor = editHcl(generated.resource);
    const [block] = editor.blocks('resource');
    const type = block?.labels[0];
    if (block === undefined || type === undefined) continue;
    const id = textAttribute(resource, 'id');
    const keys = [`${type} ${jsonOf(identity)}`, ...(id === undefined ? [] : [`${type} id ${id}`])];
    if (keys.some((key) => seen.has(key))) continue;
    for (const key of keys) seen.add(key);
    if (keys.some((key) => known.has(key))) {
      managed += 1;
      continue;
    }
    const name = nameFor(type, displayName, usedNames);
    block.setLabels(type, name);
    tidyArguments(block.content);
    const importEditor = editHcl(generated.import);
    importEditor.block('import')?.content.set('to', expression(`${type}.${name}`));
    candidates.push({
      type,
      name,
      address: `${type}.${name}`,
      object,
      ...firstForm(String(editor)),
      import: String(importEditor),
    });
  }
  return { candidates, managed };
}

function nameFor(type: string, displayName: string, used: Set<string>): string {
  const slug = displayName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60);
  const base = /^[a-z_]/.test(slug) ? slug : `object_${slug}`.replace(/_$/, '');
  let name = base;
  for (let number = 2; used.has(`${type}.${name}`); number++) name = `${base}_${number}`;
  used.add(`${type}.${name}`);
  return name;
}

/**
 * Leaves out arguments and blocks with copies of sensitive values, which providers store in attributes that are not
 * sensitive. An object whose import block would contain one is rejected. Returns undefined if there are none.
 */
function withoutCopies(
  candidates: readonly Candidate[],
  secrets: Secrets,
  rejected: RejectedObject[],
): readonly Candidate[] | undefined {
  if (secrets.isEmpty) return undefined;
  let isChanged = false;
  const cleaned = candidates.flatMap((candidate) => {
    const { type, object, full } = candidate;
    if (secrets.includedIn(candidate.import)) {
      const reason = 'its import block would contain a sensitive value';
      rejected.push({ type, displayName: object.displayName, reason });
      isChanged = true;
      return [];
    }
    const content = editHcl(full).block('resource')?.content;
    const names = new Set([
      ...(content?.attributes ?? []).map(({ name }) => name),
      ...(content?.blocks() ?? []).map((block) => block.type),
    ]);
    const copies = [...names].filter((name) => isCopy(name, object.resource, secrets));
    if (copies.length === 0) return [candidate];
    isChanged = true;
    return [{ ...candidate, ...formWithout(candidate, copies) }];
  });
  return isChanged ? cleaned : undefined;
}

/** Returns true if an argument or block of an object has a copy of a sensitive value. */
function isCopy(name: string, object: Value, secrets: Secrets): boolean {
  const plain = object.unmarkDeep().value;
  if (plain.isNull || !plain.isKnown || plain.type.kind !== 'object') return false;
  const part = plain.type.names.includes(name) ? plain.attr(name) : undefined;
  return part !== undefined && secrets.marked(part).hasMarkDeep('sensitive');
}

/** Removes arguments that are null. Sensitive ones are not known, so their changes are ignored. */
function tidyArguments(content: ReturnType<typeof editHcl>): void {
  const ignored: string[] = [];
  for (const attribute of content.attributes) {
    if (attribute.source !== 'null') continue;
    if (String(attribute).includes('# sensitive')) ignored.push(attribute.name);
    attribute.remove();
  }
  removeNulls(content);
  ignoreArguments(content, ignored);
}

function removeNulls(content: ReturnType<typeof editHcl>): void {
  for (const block of content.blocks()) {
    for (const attribute of block.content.attributes) {
      const isSensitive = String(attribute).includes('# sensitive');
      if (attribute.source === 'null' && !isSensitive) attribute.remove();
    }
    removeNulls(block.content);
  }
}

async function draftFiles(
  project: Project,
  candidates: readonly Candidate[],
  { changes }: Plan,
): Promise<{
  readonly changes: readonly FileChange[];
  readonly adopted: readonly AdoptedObject[];
}> {
  const table = new ReferenceTable();
  for (const { addr, before } of changes) {
    const { mode, type } = addr.resource.resource;
    if (mode !== 'managed' || !addr.resource.module.isRoot) continue;
    table.add({ address: addr.text, resource: addr.resource.text, type }, before, []);
  }
  for (const candidate of candidates) {
    const { address, type, object } = candidate;
    const { identity } = object;
    const names =
      identity.isNull || !identity.isKnown ? [] : identity.entries().map(([key]) => key.asString());
    table.add({ address, resource: resourceOf(candidate), type }, object.resource, names);
  }
  const adopted: AdoptedObject[] = [];
  const texts = new Map<string, string[]>();
  const write = (path: string, text: string): void => {
    const written = texts.get(path);
    if (written === undefined) texts.set(path, [text]);
    else written.push(text);
  };
  const instances = new Map<Fold<Candidate>, string[]>();
  for (const candidate of candidates) {
    const { address, type, fold, object, resource, import: importText } = candidate;
    const { text, references } = withReferences(resource, resourceOf(candidate), table);
    adopted.push({ address, displayName: object.displayName, references });
    if (fold === undefined) write(`adopted_${type}.tf`, text);
    else instances.set(fold, [...(instances.get(fold) ?? []), text]);
    write(IMPORTS_FILE, importText);
  }
  for (const [fold, blocks] of instances)
    write(`adopted_${fold.type}.tf`, foldedText(fold, blocks));
  const files: FileChange[] = [];
  for (const [path, blocks] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const before = await textOf(project, path);
    const start = before === undefined || before === '' ? '' : `${before.trimEnd()}\n\n`;
    const after = `${start}${blocks.map((each) => `${each.trim()}\n`).join('\n')}`;
    files.push({ path, before, after: keepFormatted(before, after) });
  }
  return { changes: files, adopted };
}

/** Returns the address of the resource that has the object as an instance, or is the object. */
function resourceOf({ address, fold }: Candidate): string {
  return fold === undefined ? address : `${fold.type}.${fold.name}`;
}

/** Returns why objects cannot be adopted, by address, from the errors of a plan. */
function errorObstacles(
  diagnostics: readonly Diagnostic[],
  candidates: readonly Candidate[],
  files: ReadonlyMap<string, string>,
): ReadonlyMap<string, Obstacle> {
  const obstacles = new Map<string, Obstacle>();
  for (const { severity, summary, detail, subject } of diagnostics) {
    const text = subject === undefined ? undefined : files.get(subject.filename);
    if (severity !== 'error' || subject === undefined || text === undefined) continue;
    // The last block that begins before the error contains it.
    let owner: Candidate | undefined;
    let start = -1;
    for (const candidate of candidates) {
      const header =
        subject.filename === IMPORTS_FILE
          ? new RegExp(`^\\s*to\\s*=\\s*${candidate.type}\\.${candidate.name}$`, 'm').exec(text)
              ?.index
          : text.indexOf(`resource "${candidate.type}" "${candidate.name}" {`);
      const at = header ?? -1;
      if (at > start && at <= subject.start) [owner, start] = [candidate, at];
    }
    if (owner === undefined) continue;
    const { reason, invalid = [] } = obstacles.get(owner.address) ?? {
      reason: detail === '' ? summary : `${summary}: ${detail}`,
    };
    const argument = argumentAt(text, owner.type, owner.name, subject.start);
    obstacles.set(owner.address, {
      reason,
      invalid: argument === undefined ? invalid : [...invalid, argument],
    });
  }
  return obstacles;
}

/** Returns why objects cannot be adopted, by address: the plan would also change them. */
function changeObstacles(
  { changes }: Plan,
  candidates: readonly Candidate[],
): ReadonlyMap<string, Obstacle> {
  const byAddress = new Map(changes.map((change) => [change.addr.text, change]));
  const obstacles = new Map<string, Obstacle>();
  for (const { address } of candidates) {
    const change = byAddress.get(address);
    if (change?.importing === undefined)
      obstacles.set(address, { reason: 'the plan does not import it' });
    else if (change.action !== 'no-op') {
      const names = changedArguments(change);
      const what = names.length === 0 ? '' : ` ${names.join(', ')}`;
      obstacles.set(address, {
        reason: `the plan would ${change.action} it:${what}`.replace(/:$/, ''),
        differing: names,
      });
    }
  }
  return obstacles;
}

/** Returns the arguments that a change is for. In a replacement, all that the provider computes differs as well. */
function changedArguments({ before, after, requiredReplace }: PlannedChange): readonly string[] {
  const causes = requiredReplace.flatMap(([step]) => (step?.kind === 'attr' ? [step.name] : []));
  return causes.length > 0 ? [...new Set(causes)] : differences(before, after);
}

function differences(before: Value, after: Value): readonly string[] {
  const [left, right] = [before.unmarkDeep().value, after.unmarkDeep().value];
  if (left.isNull || right.isNull || !left.isKnown || !right.isKnown) return [];
  return right.entries().flatMap(([key, value]) => {
    const name = key.asString();
    const other = left.get(name);
    const isSame = other !== undefined && value.isWhollyKnown() && jsonOf(other) === jsonOf(value);
    return isSame ? [] : [name];
  });
}

/** Returns the error for changes of other objects, which an import must not cause. */
function otherChanges(plan: Plan, candidates: readonly Candidate[]): Diagnostic | undefined {
  const candidateAddresses = new Set(candidates.map(({ address }) => address));
  const others = plan.changes.filter(
    ({ addr, action }) => action !== 'no-op' && !candidateAddresses.has(addr.text),
  );
  const outputs = plan.outputs.filter(({ action }) => action !== 'no-op');
  if (others.length === 0 && outputs.length === 0) return undefined;
  return errorDiagnostic(
    'Adoption changes other objects',
    `With the adopted objects, the plan would also change ${[...others.map(({ addr }) => addr.text), ...outputs.map(({ name }) => `output.${name}`)].join(', ')}. Nothing was written.`,
  );
}

async function textOf({ host }: Project, path: string): Promise<string | undefined> {
  return (await host.files.stat(path)) === undefined ? undefined : await host.files.readText(path);
}

function jsonOf(value: Value): string {
  const plain = value.unmarkDeep().value;
  return plain.isWhollyKnown() ? valueToJson(plain, plain.type) : '';
}

function textAttribute(value: Value, name: string): string | undefined {
  const plain = value.unmarkDeep().value;
  if (plain.isNull || !plain.isKnown || plain.type.kind !== 'object') return undefined;
  const attribute = plain.get(name);
  return attribute !== undefined &&
    attribute.isKnown &&
    !attribute.isNull &&
    attribute.type.kind === 'string'
    ? attribute.asString()
    : undefined;
}
