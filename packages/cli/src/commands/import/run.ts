import { type InstanceAddr, parseInstanceAddr } from '@terrane/addresses';
import { hasErrors } from '@terrane/hcl';
import { importResource, plainError, type Project } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { ImportFlags } from './flags.ts';
import type { ForPrograms } from '../../views/command-view.ts';
import { jsonInto } from '../../views/json-into.ts';
import { operationView } from '../../views/operation-view.ts';
import { paint } from '../../views/paint.ts';
import { inputAllowed, runOperation } from '../../run/operation.ts';
import { stateOptions, variableOptions } from '../../run/operation-arguments.ts';
import { commandViewFor } from '../../run/views-for.ts';

const SYNTAX_NOTE = `For information on valid syntax, see:
https://developer.hashicorp.com/terraform/cli/state/resource-addressing`;

const SUCCESS = `
Import successful!

The resources that were imported are shown above. These resources are now in
your Terrane state and will henceforth be managed by Terrane.
`;

/** Takes an object that exists into the state. */
export async function runImport(parsed: ImportFlags, context: CommandContext): Promise<number> {
  const into = jsonInto(parsed.values, context);
  const view = commandViewFor(parsed, context, 'with help', into);
  if (view === undefined) return 1;
  const { values, rest, occurrences } = parsed;
  const [address, id, ...more] = rest;
  if (address === undefined || id === undefined || more.length > 0) {
    view.complain('The import command expects two arguments.');
    view.complainPlainly(context.help);
    return 1;
  }
  const { address: addr, diagnostics: problems } = parseInstanceAddr(address, '<import-address>');
  if (addr === undefined || hasErrors(problems)) {
    view.separateDiagnostics(problems);
    view.line(SYNTAX_NOTE, { message: SYNTAX_NOTE.replace('\n', ' ') });
    return 1;
  }
  if (addr.resource.resource.mode !== 'managed') {
    const text =
      'A managed resource address is required. Importing into a data resource is not allowed.';
    view.separateDiagnostics([plainError(text)]);
    return 1;
  }
  const request = {
    state: stateOptions(values),
    variables: variableOptions(occurrences),
    parallelism: values.parallelism,
    addr,
    id,
  };
  const { json } = values;
  const input = inputAllowed(context, values.input && !json);
  const operation = operationView(context, json, { isBegun: true }, into.world);
  const options = { input, color: operation.color };
  return await runOperation(context, operation, options, async (opened, ports) => {
    const project = configuredAt(opened, values.config);
    const { result, diagnostics } = await importResource(project, request, ports);
    operation.endProgress();
    if (result === 'undeclared') view.complain(undeclaredText(addr), undeclaredFor(addr));
    if (result === 'imported') {
      const message = view.named(SUCCESS.trim().replace(/\.$/, '').replaceAll(/\n+/g, ' '));
      view.line(paint(view.style.color, view.named(SUCCESS), 'reset', 'green'), { message });
    }
    view.separateDiagnostics(diagnostics);
    return result === 'imported' && !hasErrors(diagnostics) ? 0 : 1;
  });
}

function configuredAt(project: Project, directory: string): Project {
  return directory === '' ? project : { ...project, configurationDirectory: directory };
}

function undeclaredFor({ text, resource: { module } }: InstanceAddr): ForPrograms {
  return {
    message: `Resource address ${JSON.stringify(text)} does not exist in the configuration. Before importing this resource, please create its configuration in ${placeOf(module)}`,
  };
}

function placeOf(module: InstanceAddr['resource']['module']): string {
  return module.isRoot ? 'the root module' : module.text;
}

function undeclaredText({ text, resource: { module, resource } }: InstanceAddr): string {
  const modulePath = placeOf(module);
  return `Error: resource address ${JSON.stringify(text)} does not exist in the configuration.

Before importing this resource, please create its configuration in ${modulePath}. For example:

resource ${JSON.stringify(resource.type)} ${JSON.stringify(resource.name)} {
  # (resource arguments)
}
`;
}
