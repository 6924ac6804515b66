import { errorDiagnostic, parseTraversal, type Range, Source } from '@terrane/hcl';
import type { Diagnostic, Traversal } from '@terrane/hcl';
import { ActionAddr, ActionInstanceAddr } from './action-addr.ts';
import { instanceKeyOf, type InstanceKey } from './instance-key.ts';
import type { ModuleInstance } from './module-path.ts';
import { parseModulePrefix } from './module-prefix.ts';
import { moduleInstanceOf, stepsRange } from './parse-address.ts';

/** The target of `-invoke`: an action instance, or all instances of an action in one module instance. */
export interface ActionTarget {
  readonly module: ModuleInstance;
  readonly action: ActionAddr;
  readonly key?: InstanceKey;
  /** the address as text */
  readonly text: string;
}

/** The result of parsing an action address: the target, or diagnostics. */
export interface ParsedActionTarget {
  readonly target?: ActionTarget;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses the address of an action on the command line. Ranges of diagnostics refer to the text. */
export function parseActionTarget(text: string): ParsedActionTarget {
  const { traversal, diagnostics } = parseTraversal(new Source('', text));
  if (traversal === undefined || diagnostics.some(({ severity }) => severity === 'error'))
    return { diagnostics };
  return parseActionTraversal(traversal);
}

function reject(detail: string, range: Range | undefined): ParsedActionTarget {
  return { diagnostics: [errorDiagnostic('Invalid address', detail, range)] };
}

function parseActionTraversal(traversal: Traversal): ParsedActionTarget {
  const prefix = parseModulePrefix(traversal.steps, true);
  if (prefix.diagnostics.length > 0) return { diagnostics: prefix.diagnostics };
  const [root, type, name, index, more] = prefix.rest;
  if (root === undefined) {
    return reject(
      'Action addresses must contain an action reference after the module reference.',
      traversal.range,
    );
  }
  const rest = stepsRange(prefix.rest);
  if ((root.kind !== 'root' && root.kind !== 'attr') || root.name !== 'action')
    return reject('Action specification must start with `action`.', rest);
  if (type === undefined || name === undefined)
    return reject('Action specification must include an action type and name.', rest);
  if (type.kind !== 'attr') return reject('Action type is required.', type.range);
  if (name.kind !== 'attr') return reject('An action name is required.', name.range);
  if (more !== undefined) return reject('Unexpected extra operators after address.', index?.range);
  const module = moduleInstanceOf(prefix.modules);
  const action = ActionAddr.of(type.name, name.name);
  const targetOf = (key: InstanceKey): ParsedActionTarget => {
    const { text } = new ActionInstanceAddr(module, action, key);
    const target = { module, action, text, ...(key === undefined ? {} : { key }) };
    return { target, diagnostics: [] };
  };
  if (index === undefined) return targetOf(undefined);
  if (index.kind !== 'index')
    return reject('Action instance key must be given in square brackets.', index.range);
  const key = instanceKeyOf(index.key);
  return 'error' in key
    ? reject(`Invalid action instance key: ${key.error}.`, index.range)
    : targetOf(key.key);
}
