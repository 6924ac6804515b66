import { SENSITIVE_MARKS, type Value, typeToString } from '@terrane/cty';
import {
  type Configuration,
  EMPTY_STATE,
  moveInState,
  replay,
  type State,
  type StateFile,
  stateFileText,
  TERRAFORM_VERSION,
  type VariableOption,
} from '@terrane/engine';
import { type Diagnostic, errorDiagnostic, hasErrors, Source } from '@terrane/hcl';
import { type FileSystem, pathsOf, userErrorText } from '@terrane/host';
import { planJson, type Secrets, secretsOf } from '@terrane/render';
import {
  DEFAULT_STATE_OPTIONS,
  editState,
  type Outcome,
  type Project,
  type RunPorts,
  withConsole,
} from '@terrane/ops';
import { type FileChange, writeFiles } from '../file-change.ts';
import { emptyBaseline, emptyPlanProblem, planTrial, type RefactorOptions } from '../prove.ts';
import { readRoot } from '../root-source.ts';
import { draftSplit, type SplitDraft, type SplitValue, TARGET_STATE } from './draft-split.ts';

/** The objects to split off, and the new root module for them. */
export interface SplitRequest {
  /** addresses of resources and module calls of the root module */
  readonly addresses: readonly string[];
  /** the directory of the new root module, relative to the working directory; it must have no configuration */
  readonly directory: string;
}

/** A verified split. */
export interface Split {
  readonly request: SplitRequest;
  /** files of the new root module, without its state */
  readonly targetFiles: readonly FileChange[];
  /** changed files of the present root module */
  readonly sourceFiles: readonly FileChange[];
  /** instances that move to the new state */
  readonly moved: readonly string[];
  /** outputs that move to the new root module */
  readonly outputs: readonly string[];
  /** variables of either side whose values are secrets and must be set from outside, as "PATH: NAME" */
  readonly unset: readonly string[];
  /** the stored state that the split was verified with */
  readonly base: StateFile;
}

/**
 * Prepares to split a state in two, with the configuration that the objects need, and verifies that the plans of both
 * sides are empty. Writes nothing.
 */
export async function prepareSplit(
  project: Project,
  request: SplitRequest,
  options: RefactorOptions,
  ports: RunPorts,
): Promise<Outcome<Split>> {
  const problem = await requestProblem(project, request);
  if (problem !== undefined) return { diagnostics: [problem] };
  const baseline = await emptyBaseline(project, options, ports);
  if (baseline.result === undefined) return { diagnostics: baseline.diagnostics };
  const { base } = baseline;
  if (base === undefined) return { diagnostics: [noObjects(request)] };
  const { configuration, variables } = baseline.result;
  if (configuration.root.encryption !== undefined) return { diagnostics: [encryptedStateError()] };
  const root = await readRoot(project.host.files);
  if (root.result === undefined) return { diagnostics: root.diagnostics };
  const secrets = secretsOf(planJson(baseline.result));
  const evaluate = (texts: readonly string[]): Promise<Outcome<ReadonlyMap<string, SplitValue>>> =>
    valuesOf(project, options, ports, { texts, secrets });
  const variableValues = givenVariables(configuration, variables, secrets);
  const paths = { cwd: project.host.environment.cwd, platform: project.host.environment };
  const drafted = await draftSplit(root.result, configuration, request, {
    evaluate,
    variableValues,
    paths,
  });
  if (drafted.result === undefined) return { diagnostics: drafted.diagnostics };
  const draft = drafted.result;
  const parts = splitState(base.state, request.addresses, draft.outputs);
  if (parts.result === undefined) return { diagnostics: parts.diagnostics };
  const { from, to, moved } = parts.result;
  if (moved.length === 0) return { diagnostics: [noObjects(request)] };
  const problems = await proofProblems(project, request, draft, { from, to }, options, ports);
  if (hasErrors(problems)) return { diagnostics: problems };
  return {
    result: {
      request,
      targetFiles: draft.targetFiles,
      sourceFiles: draft.sourceFiles,
      moved,
      outputs: draft.outputs,
      unset: [
        ...draft.target.unset.map(({ name }) => `${request.directory}: ${name}`),
        ...draft.source.unset.map(({ name }) => `.: ${name}`),
      ],
      base,
    },
    diagnostics: [],
  };
}

/** Plans both sides and returns errors for changes. */
async function proofProblems(
  project: Project,
  { directory }: SplitRequest,
  draft: SplitDraft,
  { from, to }: { readonly from: State; readonly to: State },
  options: RefactorOptions,
  ports: RunPorts,
): Promise<readonly Diagnostic[]> {
  const { environment } = project.host;
  const sides = [
    {
      name: 'this directory',
      files: draft.sourceFiles,
      state: from,
      unset: draft.source.unset,
      inputs: options.variables,
    },
    { name: directory, files: draft.targetFiles, state: to, unset: draft.target.unset, inputs: [] },
  ];
  for (const [index, { name, files, state, unset, inputs }] of sides.entries()) {
    const values = unset.map((each): VariableOption => ({
      kind: 'value',
      name: each.name,
      value: each.value,
    }));
    const trial = await planTrial(
      project,
      { ...options, variables: [...inputs, ...values] },
      ports,
      {
        files: new Map(files.map(({ path, after }) => [path, after])),
        over: () => state,
        ...(index === 0
          ? {}
          : { directory: pathsOf(environment).resolve(environment.cwd, directory) }),
      },
    );
    if (trial.result === undefined) {
      return [
        ...trial.diagnostics,
        errorDiagnostic(
          'Split cannot be verified',
          `The plan of ${name} after the split fails for the reasons above, so nothing was written.`,
        ),
      ];
    }
    const problem = emptyPlanProblem(
      trial.result,
      'Split changes the plan',
      `The plan of ${name} after the split is not empty, so nothing was written. It would do:`,
    );
    if (problem !== undefined) return [problem];
  }
  return [];
}

/** Moves objects and outputs of a state to a new one. */
function splitState(
  state: State,
  addresses: readonly string[],
  outputs: readonly string[],
): Outcome<{ readonly from: State; readonly to: State; readonly moved: readonly string[] }> {
  let from = state;
  let to: State = EMPTY_STATE;
  const moved: string[] = [];
  for (const address of addresses) {
    if (![...from.instances()].some(({ text }) => isWithin(text, address))) continue;
    const move = moveInState(from, address, address, to);
    const problem =
      move.problem === undefined ? [] : [errorDiagnostic('Objects cannot be moved', move.problem)];
    const diagnostics = [...move.diagnostics, ...problem];
    if (hasErrors(diagnostics)) return { diagnostics };
    [from, to] = [move.from, move.to];
  }
  moved.push(...[...to.instances()].map(({ text }) => text));
  const kept = new Map<string, Value>();
  const taken = new Map<string, Value>();
  for (const [name, { value, sensitive }] of state.outputs) {
    (outputs.includes(name) ? taken : kept).set(
      name,
      sensitive ? value.withMarks(SENSITIVE_MARKS) : value,
    );
  }
  return {
    result: {
      from: replay(from, [{ kind: 'outputs', values: kept }]),
      to: replay(to, [{ kind: 'outputs', values: taken }]),
      moved,
    },
    diagnostics: [],
  };
}

/** Returns true if an instance belongs to a resource or module. */
function isWithin(text: string, address: string): boolean {
  return text === address || text.startsWith(`${address}[`) || text.startsWith(`${address}.`);
}

/**
 * Carries out a prepared split: writes the new root module with its state, then the present state without the objects,
 * with a backup, under its lock, and at last the changed configuration. Until the present state is stored, it still
 * contains all objects.
 */
export async function writeSplit(
  project: Project,
  split: Split,
  ports: RunPorts,
): Promise<readonly Diagnostic[]> {
  const { files, random } = project.host;
  const { request, base, outputs } = split;
  let isTargetWritten = false;
  const edited = await editState(project, DEFAULT_STATE_OPTIONS, ports, {
    operation: 'refactor-split',
    backup: 'timestamped',
    async make(file, path) {
      if (file === undefined || stateFileText(file) !== stateFileText(base)) {
        return {
          diagnostics: [
            errorDiagnostic(
              'State changed in the meantime',
              'The state was changed while the split was prepared, so nothing was written. Run the command again.',
            ),
          ],
        };
      }
      const parts = splitState(file.state, request.addresses, outputs);
      if (parts.result === undefined) return { diagnostics: parts.diagnostics };
      const { from, to } = parts.result;
      try {
        if (path === undefined) await writeBackup(files, file);
        await files.makeDirectory(request.directory);
        isTargetWritten = true;
        await writeTargetState(files, request.directory, to, random.uuid());
      } catch (error) {
        return {
          diagnostics: [
            errorDiagnostic(
              'Failed to write the new state',
              `The new state could not be written, and the present one is unchanged: ${userErrorText(error)}.`,
            ),
          ],
        };
      }
      const problems = await writeFiles(files, split.targetFiles);
      return hasErrors(problems)
        ? { diagnostics: problems }
        : { next: from, diagnostics: problems };
    },
  });
  if (hasErrors(edited.diagnostics)) {
    if (!isTargetWritten) return edited.diagnostics;
    return [
      ...edited.diagnostics,
      errorDiagnostic(
        'Split not completed',
        `The present state still contains all objects. Remove the directory ${request.directory} before you try again, so that no object is managed twice.`,
      ),
    ];
  }
  const problems = await writeFiles(files, split.sourceFiles);
  if (!hasErrors(problems)) return [...edited.diagnostics, ...problems];
  return [
    ...edited.diagnostics,
    ...problems,
    errorDiagnostic(
      'Configuration not updated',
      `The states are split, but the configuration of this directory still contains the blocks of ${request.addresses.join(', ')}. Remove them before you plan, because they would create their objects again.`,
    ),
  ];
}

/** Writes the backup of a state in a backend, since backends have none. */
async function writeBackup(files: FileSystem, state: StateFile): Promise<void> {
  await files.replaceFile(`terraform.tfstate.${state.serial}.backup`, stateFileText(state), {
    mode: 0o600,
    isPrivate: true,
  });
}

async function writeTargetState(
  files: FileSystem,
  directory: string,
  state: State,
  lineage: string,
): Promise<void> {
  const text = stateFileText({ state, lineage, serial: 1, terraformVersion: TERRAFORM_VERSION });
  await files.replaceFile(`${directory}/${TARGET_STATE}`, text, { mode: 0o600, isPrivate: true });
}

/** Evaluates references with the present state. */
async function valuesOf(
  project: Project,
  options: RefactorOptions,
  ports: RunPorts,
  { texts, secrets }: { readonly texts: readonly string[]; readonly secrets: Secrets },
): Promise<Outcome<ReadonlyMap<string, SplitValue>>> {
  const values = new Map<string, SplitValue>();
  const problems: Diagnostic[] = [];
  if (texts.length === 0) return { result: values, diagnostics: [] };
  const request = { state: { lock: false, lockTimeoutMs: 0 }, variables: options.variables };
  const diagnostics = await withConsole(project, request, ports, async (opened) => {
    problems.push(...opened.diagnostics.filter(({ severity }) => severity === 'error'));
    for (const text of texts) {
      const evaluated = await opened.console?.ask(new Source('', text));
      if (evaluated === undefined) continue;
      problems.push(...evaluated.diagnostics.filter(({ severity }) => severity === 'error'));
      const { value } = evaluated;
      if (value === undefined) continue;
      const plain = value.unmarkDeep().value;
      if (!plain.isWhollyKnown()) {
        problems.push(
          errorDiagnostic(
            'Value not known',
            `The value of ${text} is not known from the state, so it cannot be passed to the other side. Apply the configuration first.`,
          ),
        );
        continue;
      }
      values.set(text, splitValue(value, value.hasMarkDeep('sensitive'), secrets));
    }
  });
  const all = [...diagnostics.filter(({ severity }) => severity === 'error'), ...problems];
  return hasErrors(all) ? { diagnostics: all } : { result: values, diagnostics: [] };
}

/** Returns the values of variables that were set, by name. */
function givenVariables(
  configuration: Configuration,
  variables: ReadonlyMap<string, Value>,
  secrets: Secrets,
): ReadonlyMap<string, SplitValue> {
  const variableValues = new Map<string, SplitValue>();
  for (const [name, value] of variables) {
    const declared = configuration.root.variables.get(name);
    if (declared === undefined) continue;
    const isSensitive = declared.sensitive || declared.ephemeral || value.hasMarkDeep('sensitive');
    variableValues.set(name, splitValue(value, isSensitive, secrets));
  }
  return variableValues;
}

function splitValue(value: Value, isSensitive: boolean, secrets: Secrets): SplitValue {
  const plain = value.unmarkDeep().value;
  return {
    value: plain,
    type: typeToString(plain.type),
    isSensitive,
    isSecret: isSensitive || secrets.marked(plain).hasMarkDeep('sensitive'),
  };
}

async function requestProblem(
  { host }: Project,
  { addresses, directory }: SplitRequest,
): Promise<Diagnostic | undefined> {
  if (addresses.length === 0) {
    return errorDiagnostic(
      'No addresses given',
      'Give the addresses of the resources and modules to split off, such as aws_vpc.main or module.network.',
    );
  }
  const { files } = host;
  const stat = await files.stat(directory);
  if (stat === undefined) return undefined;
  const isEmpty = stat.kind === 'directory' && (await files.readDirectory(directory)).length === 0;
  if (isEmpty) return undefined;
  return errorDiagnostic(
    'Directory in use',
    `${directory} is not an empty directory. Choose another directory for the new root module with -to.`,
  );
}

function noObjects({ addresses }: SplitRequest): Diagnostic {
  return errorDiagnostic(
    'No objects to split off',
    `The state contains no objects of ${addresses.join(', ')}.`,
  );
}

function encryptedStateError(): Diagnostic {
  return errorDiagnostic(
    'Encrypted state',
    'The state is encrypted, and the new one would not be. Split states without an encryption block, or use "state mv".',
  );
}
