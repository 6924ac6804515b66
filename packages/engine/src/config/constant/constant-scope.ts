import { parseReference, referenceableText } from '@terrane/addresses';
import type { FunctionSpec, Value } from '@terrane/cty';
import {
  type Range,
  type Resolution,
  type Scope,
  type Traversal,
  traverseRelative,
} from '@terrane/hcl';
import { functionAt } from '../function-at.ts';
import type { ConstantSettings } from './constant-settings.ts';

/** Resolves references to non-constants: returns the value of the whole traversal, or undefined. */
export type ResolveOthers = (traversal: Traversal) => Value | undefined;

/** The scope of a constant expression: its referenced values, by address. */
export class ConstantScope implements Scope {
  readonly #settings: ConstantSettings;
  readonly #values: ReadonlyMap<string, Value>;
  readonly #others: ResolveOthers | undefined;

  constructor(
    module: { readonly settings: ConstantSettings },
    values: ReadonlyMap<string, Value>,
    others?: ResolveOthers,
  ) {
    this.#settings = module.settings;
    this.#values = values;
    this.#others = others;
  }

  resolve(traversal: Traversal): Resolution | undefined {
    const other = this.#others?.(traversal);
    if (other !== undefined) return { value: other, consumed: traversal.steps.length };
    const { reference } = parseReference(traversal);
    if (reference === undefined) return undefined;
    const value = this.#values.get(referenceableText(reference.subject));
    return value === undefined ? undefined : { value, consumed: 2 };
  }

  peek(traversal: Traversal): Value | undefined {
    const resolution = this.resolve(traversal);
    if (resolution === undefined) return undefined;
    const problems: Parameters<typeof traverseRelative>[2] = [];
    const target = traverseRelative(
      resolution.value,
      traversal.steps,
      problems,
      resolution.consumed,
    );
    return problems.length > 0 ? undefined : target;
  }

  functionNamed(name: string, place?: Range): FunctionSpec | undefined {
    return functionAt(this.#settings.functions(), name, place);
  }

  functionNames(): Iterable<string> {
    return this.#settings.functions().keys();
  }

  rootNames(): Iterable<string> {
    return ['var', 'local', 'path', 'terraform', 'tofu'];
  }
}
