import { type InstanceAddr, parseInstanceAddr } from '@terrane/addresses';
import {
  EMPTY_STATE,
  replay,
  type State,
  type StateFile,
  storedSuggestion,
  TERRAFORM_VERSION,
} from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { noStateText, schemasFor } from '@terrane/ops';
import { instanceJson, instanceText, stateJson, StateSchemaError } from '@terrane/render';
import type { CommandContext } from '../../command.ts';
import type { StateShowFlags } from './flags.ts';
import type { CommandView } from '../../views/command-view.ts';
import { usageErrorCode } from '../../views/open-command-view.ts';
import { DocumentView, printsDocument } from '../../views/document-view.ts';
import { flagProblems } from '../../run/operation-arguments.ts';
import { commandViewFor, projectFor } from '../../run/views-for.ts';
import { readFor } from '../state/read-state.ts';

const oneInstance =
  (): string => `This command requires that the address references one specific instance.
To view the available instances, use "${programCommand('state list')}". Please modify 
the address to reference a specific instance.`;

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
    return usageErrorCode(parsed);
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
    view.notice(noStateText());
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

/** Returns the state of a single instance, without its deposed objects. */
function onlyInstance(state: State, addr: InstanceAddr): StateFile {
  const object = state.instance(addr)?.current;
  const events = object === undefined ? [] : [{ kind: 'put' as const, addr, object }];
  const terraformVersion = TERRAFORM_VERSION;
  return { state: replay(EMPTY_STATE, events), lineage: '', serial: 0, terraformVersion };
}
