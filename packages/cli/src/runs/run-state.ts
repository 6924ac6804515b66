import {
  EMPTY_STATE,
  type InstanceAddr,
  legacyObjectId,
  parseInstanceAddr,
  selectInstances,
  type State,
  stateFileText,
  TERRAFORM_VERSION,
} from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { errorText } from '@terrane/host';
import {
  BACKEND_SETUP,
  DEFAULT_STATE_OPTIONS,
  forget,
  move,
  NO_STATE,
  pushState,
  readState,
  schemasFor,
  taint,
  type ReadState,
} from '@terrane/ops';
import { identitiesJson, instanceText, StateSchemaError } from '@terrane/render';
import { SHOW_HELP, type CommandContext } from '../command.ts';
import type { StateIdentitiesFlags } from '../commands/state-identities.ts';
import type { StateListFlags } from '../commands/state-list.ts';
import type { StateMvFlags } from '../commands/state-mv.ts';
import type { StatePullFlags } from '../commands/state-pull.ts';
import type { StatePushFlags } from '../commands/state-push.ts';
import type { StateRmFlags } from '../commands/state-rm.ts';
import type { StateShowFlags } from '../commands/state-show.ts';
import type { TaintFlags } from '../commands/taint.ts';
import { View } from '../views/view.ts';
import { stateOptions } from './operation-arguments.ts';
import { projectOf } from './project-of.ts';

const ONE_INSTANCE = `This command requires that the address references one specific instance.
To view the available instances, use "terrane state list". Please modify 
the address to reference a specific instance.`;

/**
 * The view for a command whose options were fine; undefined, after saying why, if they were not: behind the help of
 * the command, where Terraform shows it as an error.
 */
export function viewFor(
  parsed: { readonly error?: string },
  context: CommandContext,
  withHelp?: 'with help',
): View | undefined {
  const view = new View(context);
  if (parsed.error === undefined) return view;
  if (withHelp !== undefined) view.complainPlainly(context.help);
  view.complain(`Error parsing command-line flags: ${parsed.error}\n`);
  return undefined;
}

/** Says that a state is being waited for. */
export function waitingPorts(view: View): { readonly waiting: (what: 'lock' | 'unlock') => void } {
  return {
    waiting: (what) =>
      view.line(
        `${what === 'lock' ? 'Acquiring' : 'Releasing'} state lock. This may take a few moments...`,
      ),
  };
}

async function readFor(
  path: string,
  context: CommandContext,
  what = 'Failed to load state',
): Promise<ReadState> {
  const options = path === '' ? DEFAULT_STATE_OPTIONS : { ...DEFAULT_STATE_OPTIONS, path };
  return await readState(projectOf(context), options, what);
}

/** Lists addresses of instances. */
export async function runStateList(
  parsed: StateListFlags,
  context: CommandContext,
): Promise<number> {
  return await withSelected(parsed, context, (view, { instances }) => {
    view.print(instances.map((addr) => `${addr.text}\n`).join(''));
  });
}

/** Prints the identities of instances. */
export async function runStateIdentities(
  parsed: StateIdentitiesFlags,
  context: CommandContext,
): Promise<number> {
  if (parsed.error === undefined && !parsed.values.json) {
    new View(context).complain(
      'The `terraform state identities` command requires the `-json` flag.\n',
    );
    return 1;
  }
  return await withSelected(parsed, context, (view, { instances, state }) => {
    view.print(`${identitiesJson(state, instances)}\n`);
  });
}

/** Does something with the instances in the state that a command line asks for. */
async function withSelected(
  parsed: StateListFlags,
  context: CommandContext,
  use: (view: View, selected: Selected) => void,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  const { file, diagnostics } = await readFor(parsed.values.state, context);
  if (hasErrors(diagnostics)) {
    tell(view, diagnostics);
    return 1;
  }
  if (file === undefined) {
    view.complain(NO_STATE);
    return 1;
  }
  const { state } = file;
  const selected = selectInstances(state, parsed.rest);
  if (hasErrors(selected.diagnostics)) {
    view.separateDiagnostics(selected.diagnostics);
    return 1;
  }
  const { id } = parsed.values;
  const instances = selected.instances.filter(
    (addr) => id === '' || legacyObjectId(state.instance(addr)?.current) === id,
  );
  use(view, { instances, state });
  view.separateDiagnostics(selected.diagnostics);
  return 0;
}

/** Instances of a state that were chosen. */
interface Selected {
  readonly instances: readonly InstanceAddr[];
  readonly state: State;
}

/** Shows one instance. */
export async function runStateShow(
  parsed: StateShowFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return 1;
  const [address, ...more] = parsed.rest;
  if (address === undefined || more.length > 0) {
    view.notice('Exactly one argument expected.');
    return SHOW_HELP;
  }
  const addr = parseInstanceAddr(address);
  if (addr.address === undefined || hasErrors(addr.diagnostics)) {
    view.notice(`Error parsing instance address: ${address}\n\n${ONE_INSTANCE}`);
    return 1;
  }
  const { file, diagnostics } = await readFor(parsed.values.state, context, '');
  const known = hasErrors(diagnostics)
    ? { diagnostics }
    : await schemasFor(projectOf(context), file);
  if (!('schemas' in known) || known.schemas === undefined) {
    view.diagnostics(known.diagnostics);
    return 1;
  }
  if (file === undefined) {
    view.notice(NO_STATE);
    return 1;
  }
  try {
    const text = instanceText(file.state, address, known.schemas, view.style);
    if (text !== undefined) {
      view.print(text);
      return 0;
    }
  } catch (error) {
    if (!(error instanceof StateSchemaError)) throw error;
    view.complain(error.message);
    return 1;
  }
  view.notice(`No instance found for the given address!\n\n${ONE_INSTANCE}`);
  return 1;
}

const NOTHING_YET = { state: EMPTY_STATE, lineage: '', serial: 0 };

/** Writes the state to the output. */
export async function runStatePull(
  parsed: StatePullFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return 1;
  const read = await readFor('', context, 'Failed to refresh state');
  const { diagnostics } = read;
  if (hasErrors(diagnostics)) {
    tell(view, diagnostics);
    return 1;
  }
  view.besideData(diagnostics);
  // A file that is not there holds nothing; what is kept elsewhere is a state from the beginning.
  const file = read.file ?? (read.isElsewhere === true ? NOTHING_YET : undefined);
  // Whoever wrote it last: it is written anew.
  if (file !== undefined)
    view.line(stateFileText({ ...file, terraformVersion: TERRAFORM_VERSION }));
  return 0;
}

/** Replaces the state by one from a file or the input. */
export async function runStatePush(
  parsed: StatePushFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return 1;
  const [path, ...more] = parsed.rest;
  if (path === undefined || more.length > 0) {
    view.complain('Exactly one argument expected.\n');
    return SHOW_HELP;
  }
  const project = projectOf(context);
  let bytes: Uint8Array;
  try {
    bytes =
      path === '-'
        ? new TextEncoder().encode(await context.world.stdin.readAll())
        : await project.host.files.readFile(path);
  } catch (error) {
    view.complain(errorText(error, path));
    return 1;
  }
  const request = { bytes, name: path, force: parsed.values.force };
  const options = stateOptions(parsed.values);
  const diagnostics = await pushState(project, request, options, waitingPorts(view));
  tell(view, diagnostics);
  return hasErrors(diagnostics) ? 1 : 0;
}

/** Makes the state forget instances. */
export async function runStateRm(parsed: StateRmFlags, context: CommandContext): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return 1;
  const { values, rest } = parsed;
  if (rest.length === 0) {
    view.complain('At least one address is required.\n');
    return SHOW_HELP;
  }
  const dryRun = values['dry-run'];
  const options = { ...stateOptions(values), dryRun };
  const { result, diagnostics } = await forget(
    projectOf(context),
    rest,
    options,
    waitingPorts(view),
  );
  for (const addr of result ?? []) view.line(`${dryRun ? 'Would remove' : 'Removed'} ${addr.text}`);
  tell(view, diagnostics);
  if (hasErrors(diagnostics) || result === undefined) return 1;
  if (!dryRun) view.line(`Successfully removed ${result.length} resource instance(s).`);
  else if (result.length === 0) view.line('Would have removed nothing.');
  return 0;
}

/** Moves objects to other addresses. */
export async function runStateMv(parsed: StateMvFlags, context: CommandContext): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return 1;
  const { values, rest } = parsed;
  const [from, to, ...more] = rest;
  if (from === undefined || to === undefined || more.length > 0) {
    view.complain('Exactly two arguments expected.\n');
    return SHOW_HELP;
  }
  const dryRun = values['dry-run'];
  const { backup, lock, state } = values;
  const request = {
    from,
    to,
    dryRun,
    outPath: values['state-out'],
    outBackupPath: values['backup-out'],
  };
  const options = stateOptions({
    backup,
    lock,
    state,
    'lock-timeout': values['lock-timeout'],
    'ignore-remote-version': values['ignore-remote-version'],
  });
  const { result, diagnostics } = await move(
    projectOf(context),
    request,
    options,
    waitingPorts(view),
  );
  for (const each of result ?? []) {
    view.line(
      `${dryRun ? 'Would move' : 'Move'} ${JSON.stringify(each.from)} to ${JSON.stringify(each.to)}`,
    );
  }
  tell(view, diagnostics);
  if (hasErrors(diagnostics) || result === undefined) return 1;
  if (dryRun) {
    if (result.length === 0) view.line('Would have moved nothing.');
  } else if (result.length === 0) view.line('No matching objects found.');
  else view.line(`Successfully moved ${result.length} object(s).`);
  return 0;
}

/** Marks an object as to be replaced, or takes the mark away. */
export async function runTaint(
  action: 'taint' | 'untaint',
  parsed: TaintFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const [address, ...more] = parsed.rest;
  if (address === undefined || more.length > 0) {
    view.complain(`The ${action} command expects exactly one argument.`);
    view.complainPlainly(context.help);
    return 1;
  }
  const { values } = parsed;
  const dryRun = values['dry-run'];
  const options = { ...stateOptions(values), allowMissing: values['allow-missing'], dryRun };
  const { result, diagnostics } = await taint(
    projectOf(context),
    action,
    address,
    options,
    waitingPorts(view),
  );
  tell(view, diagnostics);
  if (hasErrors(diagnostics)) return 1;
  if (result !== undefined) {
    const done = dryRun
      ? `would be ${action}ed`
      : action === 'taint'
        ? 'has been marked as tainted'
        : 'has been successfully untainted';
    view.line(`Resource instance ${result.text} ${done}.`);
  }
  return 0;
}

/** Plain sentences stand for themselves; diagnostics are shown as such. */
export function tell(view: View, diagnostics: Parameters<View['separateDiagnostics']>[0]): void {
  for (const each of diagnostics) {
    const isLine = each.detail === '' && each.severity === 'error';
    if (isLine && each.extra?.kind !== BACKEND_SETUP) view.complain(each.summary);
    else view.separateDiagnostics([each]);
  }
}
