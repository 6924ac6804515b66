import { errorDiagnostic, type Diagnostic, type TraversalStep } from '@terrane/hcl';
import { instanceKeyOf, type InstanceKey } from './instance-key.ts';

/** A step `module.NAME[KEY]` of an address as written. */
export interface ModuleStep {
  readonly name: string;
  readonly key?: InstanceKey;
  readonly hasKey: boolean;
}

/** The result of {@link parseModulePrefix}: the module calls, and the steps after them. */
export interface ModulePrefix {
  readonly modules: readonly ModuleStep[];
  readonly rest: readonly TraversalStep[];
  readonly diagnostics: readonly Diagnostic[];
}

const INVALID = 'Invalid address operator';
const NAME_REQUIRED = 'Prefix "module." must be followed by a module name.';

/** Parses the leading `module.NAME` steps of an address. Instance keys are errors unless `allowKeys` is set. */
export function parseModulePrefix(
  steps: readonly TraversalStep[],
  allowKeys: boolean,
): ModulePrefix {
  const modules: ModuleStep[] = [];
  const diagnostics: Diagnostic[] = [];
  let at = 0;
  for (let step = steps[at]; step !== undefined; step = steps[at]) {
    if (step.kind !== 'root' && step.kind !== 'attr') {
      diagnostics.push(
        errorDiagnostic(
          INVALID,
          'Module address prefix must be followed by dot and then a name.',
          step.range,
        ),
      );
      break;
    }
    if (step.name !== 'module') break;
    const name = steps[at + 1];
    if (name?.kind !== 'attr') {
      diagnostics.push(errorDiagnostic(INVALID, NAME_REQUIRED, (name ?? step).range));
      at += name === undefined ? 1 : 0;
      break;
    }
    at += 2;
    const index = steps[at];
    if (index?.kind !== 'index') {
      modules.push({ name: name.name, hasKey: false });
      continue;
    }
    if (!allowKeys) {
      diagnostics.push(
        errorDiagnostic(
          'Module instance keys not allowed',
          'Module address must be a module (e.g. "module.foo"), not a module instance (e.g. "module.foo[1]").',
          index.range,
        ),
      );
      break;
    }
    at++;
    const key = instanceKeyOf(index.key);
    if ('error' in key) {
      diagnostics.push(
        errorDiagnostic(INVALID, `Invalid module index: ${key.error}.`, index.range),
      );
      modules.push({ name: name.name, hasKey: false });
    } else modules.push({ name: name.name, key: key.key, hasKey: true });
  }
  return { modules, rest: steps.slice(at), diagnostics };
}
