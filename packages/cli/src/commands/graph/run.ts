import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { drawGraph, type GraphSubject } from '@terrane/ops';
import {
  operationGraphDot,
  operationGraphMermaid,
  resourceGraphDot,
  resourceGraphMermaid,
} from '@terrane/render';
import { programCommand } from '@terrane/host';
import type { CommandContext } from '../../command.ts';
import type { GraphFlags } from './flags.ts';
import { drawnForm, drawnResources } from '../../run/drawings.ts';
import { projectFor, viewFor } from '../../run/views-for.ts';

const FORMATS: ReadonlySet<string> = new Set(['', 'dot', 'mermaid']);

/** Prints a dependency graph. */
export async function runGraph(parsed: GraphFlags, context: CommandContext): Promise<number> {
  const view = viewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  if (parsed.rest.length > 0) {
    view.complain('Too many command line arguments. Did you mean to use -chdir?');
    return 1;
  }
  const { type, plan } = parsed.values;
  const form = drawnForm(parsed.values);
  const { format } = parsed.values;
  if (!FORMATS.has(format)) {
    view.complain(`Unsupported graph format: ${format}. The formats are "dot" and "mermaid".`);
    return 1;
  }
  const isMermaid = format === 'mermaid';
  if (form !== undefined && isMermaid) {
    view.separateDiagnostics([
      errorDiagnostic(
        'Incompatible options',
        `The options -${form} and -format=mermaid exclude each other. Leave one of them out.`,
      ),
    ]);
    return 1;
  }
  if (form !== undefined && (type !== '' || plan !== '')) {
    view.separateDiagnostics([
      errorDiagnostic(
        'Incompatible options',
        `The option -${form} draws resources, and not operations: use it without -type, and "${programCommand('show')} -${form} FILE" for a saved plan.`,
      ),
    ]);
    return 1;
  }
  const subject = subjectOf(type, plan);
  if ('severity' in subject) {
    view.separateDiagnostics([subject]);
    return 1;
  }
  const { result, diagnostics } = await drawGraph(projectFor(parsed, context), subject);
  if (result === undefined || hasErrors(diagnostics)) {
    view.separateDiagnostics(diagnostics);
    return 1;
  }
  // Warnings would corrupt output for programs.
  if (result.kind === 'operation') {
    view.print(isMermaid ? operationGraphMermaid(result.graph) : operationGraphDot(result.graph));
  } else if (form === undefined) {
    view.print(
      isMermaid
        ? resourceGraphMermaid(result.graph, programCommand('graph -type=plan'))
        : resourceGraphDot(result.graph),
    );
  } else view.print(drawnResources(result.graph, result.state, form));
  return 0;
}

const TYPES: ReadonlyMap<string, 'plan' | 'destroy' | 'apply'> = new Map([
  ['plan', 'plan'],
  ['plan-refresh-only', 'plan'],
  ['plan-destroy', 'destroy'],
  ['apply', 'apply'],
] as const);

function subjectOf(type: string, path: string): GraphSubject | Diagnostic {
  if (path !== '' && (type === '' || type === 'apply')) return { kind: 'saved', path };
  if (type === '') return { kind: 'resources' };
  if (type === 'eval' || type === 'validate') {
    return errorDiagnostic(
      'Graph type no longer available',
      `The graph type "${type}" is no longer available. Use -type=plan instead to get a similar result.`,
    );
  }
  const kind = TYPES.get(type);
  if (kind !== undefined) return path === '' ? { kind } : { kind, beside: path };
  return errorDiagnostic(
    'Unsupported graph type',
    'The -type=... argument must be either "plan", "plan-refresh-only", "plan-destroy", or "apply".',
  );
}
