import { parseReference, type Reference, type ResourceAddr } from '@terrane/addresses';
import {
  type FunctionSpec,
  NUMBER,
  object,
  FALSE,
  str,
  STRING,
  UNKNOWN,
  unknownOf,
  type Value,
} from '@terrane/cty';
import {
  type Diagnostic,
  type Range,
  type Resolution,
  type Traversal,
  traverseRelative,
} from '@terrane/hcl';
import { impliedType, memberOf } from '@terrane/provider';
import { functionAt } from '../function-at.ts';
import { parseProviderFunction } from '../provider-function.ts';
import type { Module } from '../model.ts';
import { dialectOf } from '../dialect.ts';
import type { CheckSettings } from './check-visitor.ts';
import { asReferred, type WarningScope } from '../deprecations.ts';
import { typeOfOutput, unknownInstances } from '../output-value.ts';
import { type ReferenceOrigin, referenceProblems } from './static-reference.ts';
import { unavailable } from './unavailable.ts';

/** The repetition at the position of an expression. */
export interface CheckRepetition {
  readonly count: boolean;
  readonly each: boolean;
}

/** The objects that an expression can refer to beyond its module's declarations. */
export interface CheckContext extends ReferenceOrigin {
  readonly repetition: CheckRepetition;
}

/** The context in which neither `count` nor `each` is available. */
export const NOT_REPEATED: CheckContext = { repetition: { count: false, each: false } };

/** Values of the run that scopes use. */
export interface CheckValues {
  readonly settings: CheckSettings;
  /** returns a local value that is already evaluated */
  localValue(module: Module, name: string): Value | undefined;
}

/** The values during validation: those of locals are evaluated, of all others at most the type is known. */
export class CheckScope implements WarningScope {
  readonly module: Module;
  readonly context: CheckContext;
  readonly #values: CheckValues;

  /** The variable under validation. */
  readonly #checked: { readonly name: string; readonly value: Value } | undefined;

  constructor(
    values: CheckValues,
    module: Module,
    context: CheckContext,
    checked?: { readonly name: string; readonly value: Value },
  ) {
    this.#values = values;
    this.module = module;
    this.context = context;
    this.#checked = checked;
  }

  get warnsFor(): Module {
    return this.module;
  }

  /** Returns the same scope with a value for a variable. */
  withVariable(name: string, value: Value): CheckScope {
    return new CheckScope(this.#values, this.module, this.context, { name, value });
  }

  resolve(traversal: Traversal): Resolution | undefined {
    const { reference } = parseReference(traversal);
    if (reference === undefined) return undefined;
    const { subject } = reference;
    switch (subject.kind) {
      case 'resource':
        return this.#resource(reference, subject.resource);
      case 'self':
      case 'caller':
      case 'action':
        return { value: UNKNOWN, consumed: traversal.steps.length };
      case 'moduleCall':
        return { value: this.#moduleValue(subject.name), consumed: 2 };
      default:
        return { value: this.#named(reference) ?? UNKNOWN, consumed: reference.consumed };
    }
  }

  peek(traversal: Traversal): Value | undefined {
    const resolution = this.resolve(traversal);
    if (resolution === undefined) return undefined;
    const problems: Diagnostic[] = [];
    const { value, consumed } = resolution;
    const target = traverseRelative(value, traversal.steps, problems, consumed);
    return problems.length > 0 ? undefined : target;
  }

  functionNamed(name: string, place?: Range): FunctionSpec | undefined {
    const { functions, providerFunctions } = this.#values.settings;
    const builtIn = functionAt(functions, name, place);
    if (builtIn !== undefined || !name.startsWith('provider::')) return builtIn;
    return providerFunctions === undefined
      ? this.#providerFunction(name, place)
      : providerFunctions.find(this, name, place);
  }

  requiresProvider(localName: string): boolean {
    return this.module.requiredProviders.has(localName);
  }

  functionNames(): Iterable<string> {
    return [...this.#values.settings.functions.keys(), ...this.#providerFunctionNames()];
  }

  rootNames(): Iterable<string> {
    return ['var', 'local', 'module', 'path', 'terraform', 'count', 'each', 'data', 'resource'];
  }

  /** Returns the static errors of a reference in this scope. */
  staticProblems(reference: Reference): Diagnostic[] {
    // Undeclared variables and locals are reported when their values are requested, after all other references.
    const { kind } = reference.subject;
    if (kind === 'variable' || kind === 'local') return [];
    return referenceProblems(reference, this.module, this.#values.settings.schemas, this.context);
  }

  /** Returns the errors of evaluating a reference. */
  valueProblems(reference: Reference): Diagnostic[] {
    const { kind } = reference.subject;
    if (kind === 'variable' || kind === 'local') {
      return referenceProblems(reference, this.module, this.#values.settings.schemas, this.context);
    }
    if (this.#named(reference) !== undefined) return [];
    const problem = unavailable(reference);
    return problem === undefined ? [] : [problem];
  }

  /** Resolves a resource to an unknown value; in OpenTofu files, one of its type if it has no `count` or `for_each`. */
  #resource(reference: Reference, addr: ResourceAddr): Resolution {
    const { steps, range } = reference.traversal;
    let value = UNKNOWN;
    const resource = this.module.resources.get(addr.text);
    const isRepeated = resource?.count !== undefined || resource?.forEach !== undefined;
    if (resource !== undefined && !isRepeated && dialectOf(range) === 'opentofu') {
      const { schemas } = this.#values.settings;
      const schema = schemas.resource(resource.provider, addr.mode, addr.type);
      if (schema !== undefined) {
        const instance = unknownOf(impliedType(schema.block));
        // Errors of the steps are reported by the validation of references.
        const problems: Diagnostic[] = [];
        const target = traverseRelative(instance, steps, problems, reference.consumed);
        if (problems.length === 0) value = target;
      }
    }
    if (addr.mode === 'ephemeral') value = value.mark('ephemeral');
    return { value, consumed: steps.length };
  }

  #moduleValue(name: string): Value {
    const call = this.module.calls.get(name);
    const child = this.module.children.get(name);
    if (call === undefined || child === undefined) return UNKNOWN;
    if (call.count !== undefined) return unknownInstances(child, 'count');
    if (call.forEach !== undefined) return unknownInstances(child, 'forEach');
    const values = new Map<string, Value>();
    for (const [output, declared] of child.outputs) {
      values.set(output, asReferred(child, declared, unknownOf(typeOfOutput(declared))));
    }
    const outputsValue = object(values);
    // The value is known to be an object if the types of outputs are declared, or if there is certainly an instance.
    const outputs = [...child.outputs.values()];
    const isDescribed = outputs.some(
      (output) => output.constraint !== undefined || output.deprecated !== undefined,
    );
    return isDescribed && call.enabled === undefined ? outputsValue : unknownOf(outputsValue.type);
  }

  /** Returns a named value; undefined if it does not exist. */
  #named(reference: Reference): Value | undefined {
    const { subject } = reference;
    const { count, each } = this.context.repetition;
    switch (subject.kind) {
      case 'variable': {
        if (this.#checked?.name === subject.name) return this.#checked.value;
        const variable = this.module.variables.get(subject.name);
        if (variable === undefined) return UNKNOWN;
        let value = unknownOf(variable.type);
        if (variable.sensitive) value = value.mark('sensitive');
        return variable.ephemeral ? value.mark('ephemeral') : value;
      }
      case 'local':
        return this.#values.localValue(this.module, subject.name) ?? UNKNOWN;
      case 'count':
        return subject.name === 'index' && count ? unknownOf(NUMBER) : undefined;
      case 'each':
        if (!each) return undefined;
        if (subject.name === 'key') return unknownOf(STRING);
        return subject.name === 'value' ? UNKNOWN : undefined;
      case 'path':
        return this.#path(subject.name);
      case 'terraform':
        if (subject.name === 'workspace') return str(this.#values.settings.workspace);
        return subject.name === 'applying' ? FALSE.mark('ephemeral') : undefined;
      default:
        return UNKNOWN;
    }
  }

  #path(name: string): Value | undefined {
    switch (name) {
      case 'module':
        return str(this.module.directory);
      case 'root':
        return str(rootOf(this.module).directory);
      case 'cwd':
        return str(this.#values.settings.cwd);
      default:
        return undefined;
    }
  }

  #providerFunction(name: string, place: Range | undefined): FunctionSpec | undefined {
    const called = parseProviderFunction(name, place);
    if (called === undefined) return undefined;
    const required = this.module.requiredProviders.get(called.provider);
    if (required === undefined) return undefined;
    const schema = this.#values.settings.schemas.provider(required.source);
    const signature = memberOf(schema?.functions, called.name);
    if (signature === undefined) return undefined;
    const { parameters, variadic, returns } = signature;
    return {
      name,
      description: signature.description ?? '',
      parameters,
      ...(variadic === undefined ? {} : { variadic }),
      returnType: returns,
      implementation: (_args, type) => unknownOf(type),
    };
  }

  #providerFunctionNames(): string[] {
    const names: string[] = [];
    for (const [local, required] of this.module.requiredProviders) {
      const schema = this.#values.settings.schemas.provider(required.source);
      for (const name of Object.keys(schema?.functions ?? {})) {
        names.push(`provider::${local}::${name}`);
      }
    }
    return names;
  }
}

function rootOf(module: Module): Module {
  let root = module;
  while (root.parent !== undefined) root = root.parent;
  return root;
}
