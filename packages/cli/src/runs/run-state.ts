import { type InstanceAddr, parseInstanceAddr } from '@terrane/addresses';
import {
  EMPTY_STATE,
  legacyObjectId,
  replay,
  selectInstances,
  type State,
  type StateFile,
  stateFileText,
  storedSuggestion,
  TERRAFORM_VERSION,
} from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { userErrorText, programCommand } from '@terrane/host';
import {
  DEFAULT_STATE_OPTIONS,
  forget,
  move,
  NO_STATE,
  pushState,
  readState,
  schemasFor,
  taint,
  type Project,
  type ReadState,
} from '@terrane/ops';
import {
  identitiesJson,
  instanceJson,
  instanceText,
  stateJson,
  StateSchemaError,
} from '@terrane/render';
import { SHOW_HELP, type CommandContext } from '../command.ts';
import type { ParsedFlags } from '../flags/parse-flags.ts';
import type { StateIdentitiesFlags } from '../commands/state-identities.ts';
import type { StateListFlags } from '../commands/state-list.ts';
import type { StateMvFlags } from '../commands/state-mv.ts';
import type { StatePullFlags } from '../commands/state-pull.ts';
import type { StatePushFlags } from '../commands/state-push.ts';
import type { StateRmFlags } from '../commands/state-rm.ts';
import type { StateShowFlags } from '../commands/state-show.ts';
import type { TaintFlags } from '../commands/taint.ts';
import type { CommandView } from '../views/command-view.ts';
import { misused } from '../views/open-command-view.ts';
import { View } from '../views/view.ts';
import { DocumentView, printsDocument } from '../views/document-view.ts';
import { flagProblems, stateOptions } from './operation-arguments.ts';
import { commandViewFor, projectFor, tell, viewFor, waitingPorts } from './views-for.ts';

const oneInstance =
  (): string => `This command requires that the address references one specific instance.
To view the available instances, use "${programCommand('state list')}". Please modify 
the address to reference a specific instance.`;

async function readFor(
  path: string,
  project: Project,
  what = 'Failed to load state',
): Promise<ReadState> {
  const options = path === '' ? DEFAULT_STATE_OPTIONS : { ...DEFAULT_STATE_OPTIONS, path };
  return await readState(project, options, what);
}

/** Lists addresses of instances. */
export async function runStateList(
  parsed: StateListFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context);
  if (view === undefined) return misused(parsed);
  return await withSelected(view, parsed, context, ({ instances }) => {
    for (const addr of instances) view.line(addr.text, { type: 'resource_address' });
  });
}

/** Prints the identities of instances. */
export async function runStateIdentities(
  parsed: StateIdentitiesFlags,
  context: CommandContext,
): Promise<number> {
  if (parsed.error === undefined && !parsed.values.json) {
    new View(context).complain(
      `The \`${programCommand('state identities')}\` command requires the \`-json\` flag.\n`,
    );
    return 1;
  }
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  return await withSelected(view, parsed, context, ({ instances, state }) => {
    view.print(`${identitiesJson(state, instances)}\n`);
  });
}

type Parts = 'values' | 'rest' | 'given';

/** Does something with the instances in the state that a command line asks for. */
async function withSelected(
  view: Pick<CommandView, 'complain' | 'separateDiagnostics'>,
  parsed: Pick<ParsedFlags<{ readonly state: string; readonly id: string }>, Parts>,
  context: CommandContext,
  use: (selected: Selected) => void,
): Promise<number> {
  const { file, diagnostics } = await readFor(parsed.values.state, projectFor(parsed, context));
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
  use({ instances, state });
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
  if (!printsDocument(parsed, context)) {
    const view = commandViewFor(parsed, context);
    return view === undefined ? 1 : await showInto(view, parsed, context);
  }
  const view = new DocumentView(context);
  view.diagnostics(flagProblems(parsed));
  const code = parsed.error === undefined ? await showInto(view, parsed, context) : 1;
  view.finish('resource', '{"provider_name":"","schema_version":0}');
  return code;
}

async function showInto(
  view: CommandView | DocumentView,
  parsed: StateShowFlags,
  context: CommandContext,
): Promise<number> {
  const [address, ...more] = parsed.rest;
  if (address === undefined || more.length > 0) {
    view.notice('Exactly one argument expected.');
    return misused(parsed);
  }
  const addr = parseInstanceAddr(address);
  if (addr.address === undefined || hasErrors(addr.diagnostics)) {
    view.notice(`Error parsing instance address: ${address}\n\n${oneInstance()}`);
    return 1;
  }
  const project = projectFor(parsed, context);
  const { file, diagnostics } = await readFor(parsed.values.state, project, '');
  const known = hasErrors(diagnostics) ? { diagnostics } : await schemasFor(project, file);
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
    if (text !== undefined && addr.address !== undefined) {
      view.print(text);
      const only = onlyInstance(file.state, addr.address);
      if (view instanceof DocumentView) {
        const json = instanceJson(only.state, addr.address, known.schemas);
        if (json !== undefined) view.result(json);
      }
      view.document(stateJson(only, known.schemas));
      return 0;
    }
  } catch (error) {
    if (!(error instanceof StateSchemaError)) throw error;
    view.complain(error.message);
    return 1;
  }
  const suggestion = storedSuggestion(address, file.state, 'instances');
  view.notice(`No instance found for the given address!${suggestion}\n\n${oneInstance()}`);
  return 1;
}

/** A state of one instance alone, without what is set aside of it. */
function onlyInstance(state: State, addr: InstanceAddr): StateFile {
  const object = state.instance(addr)?.current;
  const events = object === undefined ? [] : [{ kind: 'put' as const, addr, object }];
  const terraformVersion = TERRAFORM_VERSION;
  return { state: replay(EMPTY_STATE, events), lineage: '', serial: 0, terraformVersion };
}

const NOTHING_YET = { state: EMPTY_STATE, lineage: '', serial: 0 };

/** Writes the state to the output. */
export async function runStatePull(
  parsed: StatePullFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return 1;
  const project = projectFor(parsed, context);
  const read = await readFor('', project, 'Failed to refresh state');
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
  const view = commandViewFor(parsed, context);
  if (view === undefined) return 1;
  const [path, ...more] = parsed.rest;
  if (path === undefined || more.length > 0) {
    view.complain('Exactly one argument expected.\n');
    return misused(parsed);
  }
  const project = projectFor(parsed, context);
  let bytes: Uint8Array;
  try {
    bytes =
      path === '-'
        ? new TextEncoder().encode(await context.world.stdin.readAll())
        : await project.host.files.readFile(path);
  } catch (error) {
    view.complain(userErrorText(error, path));
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
  const view = commandViewFor(parsed, context);
  if (view === undefined) return 1;
  const { values, rest } = parsed;
  if (rest.length === 0) {
    view.complain('At least one address is required.\n');
    return misused(parsed);
  }
  const dryRun = values['dry-run'];
  const options = { ...stateOptions(values), dryRun };
  const { result, diagnostics } = await forget(
    projectFor(parsed, context),
    rest,
    options,
    waitingPorts(view),
  );
  for (const addr of result ?? []) view.line(`${dryRun ? 'Would remove' : 'Removed'} ${addr.text}`);
  tell(view, diagnostics);
  if (hasErrors(diagnostics) || result === undefined) return 1;
  if (!dryRun) {
    const message = `Successfully removed ${result.length} resource instance(s)`;
    view.line(`${message}.`, { message });
  } else if (result.length === 0) {
    view.line('Would have removed nothing.', { message: 'Would have removed nothing' });
  }
  return 0;
}

/** Moves objects to other addresses. */
export async function runStateMv(parsed: StateMvFlags, context: CommandContext): Promise<number> {
  const view = commandViewFor(parsed, context);
  if (view === undefined) return 1;
  const { values, rest } = parsed;
  const [from, to, ...more] = rest;
  if (from === undefined || to === undefined || more.length > 0) {
    view.complain('Exactly two arguments expected.\n');
    return misused(parsed);
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
    projectFor(parsed, context),
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
  const message =
    result.length > 0
      ? `Successfully moved ${result.length} object(s)`
      : dryRun
        ? 'Would have moved nothing'
        : 'No matching objects found';
  if (!dryRun || result.length === 0) view.line(`${message}.`, { message });
  return 0;
}

/** Marks an object as to be replaced, or takes the mark away. */
export async function runTaint(
  action: 'taint' | 'untaint',
  parsed: TaintFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
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
    projectFor(parsed, context),
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
