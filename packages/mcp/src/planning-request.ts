import { parseInstanceAddr, parseTarget } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { DEFAULT_STATE_OPTIONS, type PlanRequest, requestFor } from '@terrane/ops';
import type { ToolArguments } from './tool.ts';

/** Builds the request of a plan from the arguments of a tool. */
export function planningRequest(args: ToolArguments): {
  readonly request: PlanRequest;
  readonly problems: readonly Diagnostic[];
} {
  const problems: Diagnostic[] = [];
  const invalid = (text: string, detail: string): void => {
    problems.push(errorDiagnostic(`Invalid address ${JSON.stringify(text)}`, detail));
  };
  const targets = args.texts('targets').flatMap((text) => {
    const { target, diagnostics } = parseTarget(text);
    if (target !== undefined && diagnostics.length === 0) return [target];
    invalid(text, diagnostics[0]?.detail ?? '');
    return [];
  });
  const replace = args.texts('replace').flatMap((text) => {
    const { address, diagnostics } = parseInstanceAddr(text);
    if (address?.resource.resource.mode === 'managed' && diagnostics.length === 0) return [address];
    invalid(text, diagnostics[0]?.detail ?? 'Only managed resources can be replaced.');
    return [];
  });
  const mode = args.text('mode');
  const request = requestFor({
    mode: mode === 'destroy' || mode === 'refresh-only' ? mode : 'normal',
    targets,
    targetTexts: args.texts('targets'),
    replace,
    state: { ...DEFAULT_STATE_OPTIONS, snapshot: true },
  });
  return { request, problems };
}
