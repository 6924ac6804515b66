import { parseReference, type Reference, referenceText } from '@terrane/addresses';
import { Bug, str, type FunctionSpec, UNKNOWN, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  type Range,
  type Traversal,
  traverseRelative,
} from '@terrane/hcl';
import { actionUnavailable, selfUnavailable, unavailable } from '../config/check/unavailable.ts';
import { asReferred, type WarningScope } from '../config/deprecations.ts';
import { referenceProblems } from '../config/check/static-reference.ts';
import { functionAt } from '../config/function-at.ts';
import type { Module, Schemas } from '../config/model.ts';
import type { ProviderKey } from '../config/resolve-provider.ts';
import type { CallCell, ModuleCells } from './module-cells.ts';
import type { FunctionCaller, ProviderFunctions } from './provider-functions.ts';
import { evaluateProviderKey, passingCells } from './provider-key.ts';
import type { Repetition } from './repetition.ts';

/** Settings that all scopes of a run share. */
export interface ScopeSettings {
  readonly schemas: Schemas;
  /** The functions of the language for this run. */
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  /** `path.cwd`, with forward slashes. */
  readonly cwd: string;
  /** `terraform.workspace`. */
  readonly workspace: string;
  /** The provider functions; none if no provider can be called. */
  readonly providerFunctions: ProviderFunctions | undefined;
  /** `terraform.applying`, which is ephemeral. */
  readonly applying: Value;
  /** True if uses of deprecated values cause warnings. */
  readonly warns: boolean;
  /** True if all requested values must have been evaluated before. */
  readonly complete: boolean;
}

const ROOT_NAMES = [
  'count',
  'each',
  'local',
  'module',
  'path',
  'self',
  'terraform',
  'tofu',
  'var',
  'data',
  'ephemeral',
  'resource',
];

/** The scope of the expressions of one instance of an object in one instance of a module. */
export class ModuleScope implements WarningScope {
  readonly cells: ModuleCells;
  readonly #settings: ScopeSettings;
  readonly #repetition: Repetition;
  readonly #self: Value | undefined;

  constructor(settings: ScopeSettings, cells: ModuleCells, repetition: Repetition, self?: Value) {
    this.#settings = settings;
    this.cells = cells;
    this.#repetition = repetition;
    this.#self = self;
  }

  get warnsFor(): Module | undefined {
    return this.#settings.warns ? this.cells.module : undefined;
  }

  staticProblems(reference: Reference): readonly Diagnostic[] {
    // `self` or `caller` refers to an object here: missing attributes are reported during evaluation.
    const { kind } = reference.subject;
    if (this.#self !== undefined && (kind === 'self' || kind === 'caller')) return [];
    return referenceProblems(reference, this.cells.module, this.#settings.schemas, {});
  }

  resolve(
    traversal: Traversal,
    diagnostics: Diagnostic[],
  ): { readonly value: Value; readonly consumed: number } {
    const { reference, diagnostics: problems } = parseReference(traversal);
    if (reference === undefined) {
      diagnostics.push(...problems);
      return { value: UNKNOWN, consumed: traversal.steps.length };
    }
    return this.#value(reference, diagnostics);
  }

  peek(traversal: Traversal): Value | undefined {
    const { reference } = parseReference(traversal);
    if (reference === undefined) return undefined;
    const problems: Diagnostic[] = [];
    try {
      const { value, consumed } = this.#value(reference, problems);
      const resolvedValue = traverseRelative(value, traversal.steps, problems, consumed);
      return problems.length > 0 ? undefined : resolvedValue;
    } catch (error) {
      if (error instanceof Bug) return undefined;
      throw error;
    }
  }

  functionNamed(name: string, place?: Range): FunctionSpec | undefined {
    if (name.startsWith('provider::'))
      return this.#settings.providerFunctions?.find(this.#functionCaller, name, place);
    return functionAt(this.#settings.functions, name, place);
  }

  get #functionCaller(): FunctionCaller {
    return { module: this.cells.module, keyOf: (key) => this.#providerKey(key) };
  }

  /** Evaluates the key of the provider instance that a call passes to this module; undefined if it is not known. */
  #providerKey(key: ProviderKey): string | undefined {
    const passing = passingCells(this.cells, key);
    if (passing === undefined) return undefined;
    const scope = new ModuleScope(this.#settings, passing.cells, passing.repetition);
    return evaluateProviderKey(key.expression, scope, this.cells.module.path.text, []);
  }

  requiresProvider(localName: string): boolean {
    return this.cells.module.requiredProviders.has(localName);
  }

  functionNames(): Iterable<string> {
    return this.#settings.functions.keys();
  }

  rootNames(): Iterable<string> {
    return ROOT_NAMES;
  }

  #value(
    reference: Reference,
    diagnostics: Diagnostic[],
  ): { readonly value: Value; readonly consumed: number } {
    const { subject } = reference;
    switch (subject.kind) {
      case 'variable':
        return { value: this.#variable(subject.name) ?? this.#unfinished(reference), consumed: 2 };
      case 'local':
        return {
          value: this.cells.locals.get(subject.name) ?? this.#unfinished(reference),
          consumed: 2,
        };
      case 'resource': {
        // The evaluator applies a following index: the whole value is built only once.
        const consumed = subject.hasKey ? reference.consumed - 1 : reference.consumed;
        return {
          value:
            this.#resource(subject.resource.text, reference, diagnostics) ??
            this.#unfinished(reference),
          consumed,
        };
      }
      case 'moduleCall':
        return this.#module(reference, subject.name, subject.output);
      case 'count':
      case 'each':
      case 'path':
      case 'terraform':
        return {
          value: this.#named(subject.kind, subject.name, reference, diagnostics),
          consumed: 2,
        };
      case 'self':
      case 'caller': {
        if (this.#self !== undefined) return { value: this.#self, consumed: 1 };
        diagnostics.push(selfUnavailable(reference));
        return { value: UNKNOWN, consumed: reference.traversal.steps.length };
      }
      case 'action':
        diagnostics.push(actionUnavailable(reference));
        return { value: UNKNOWN, consumed: reference.traversal.steps.length };
      default:
        return { value: UNKNOWN, consumed: reference.traversal.steps.length };
    }
  }

  /** A missing edge in the order must be detected, not return a plausible value. */
  #unfinished(reference: Reference): Value {
    if (this.#settings.complete) {
      throw new Bug(`${referenceText(reference)} was requested before its evaluation`);
    }
    return UNKNOWN;
  }

  #variable(name: string): Value | undefined {
    return this.cells.variables.get(name);
  }

  #resource(text: string, reference: Reference, diagnostics: Diagnostic[]): Value | undefined {
    const cell = this.cells.resources.get(text);
    if (cell !== undefined) {
      // The error of the renewal itself is reported when the object is closed.
      for (const address of cell.expired) {
        const detail = `The remote object for ${address} is no longer available due to a renewal error, so Terraform cannot evaluate this expression.`;
        diagnostics.push(
          errorDiagnostic('Ephemeral resource instance has expired', detail, reference.range),
        );
      }
      return cell.combinedValue();
    }
    return text.startsWith('ephemeral.') ? UNKNOWN.mark('ephemeral') : undefined;
  }

  #module(
    reference: Reference,
    name: string,
    output: string | undefined,
  ): { readonly value: Value; readonly consumed: number } {
    const cell = this.cells.calls.get(name);
    if (cell === undefined) return { value: UNKNOWN, consumed: reference.traversal.steps.length };
    if (output !== undefined && reference.consumed === 3 && cell.expansion.kind === 'single') {
      const value = outputOf(cell, output);
      if (value !== undefined) return { value, consumed: 3 };
    }
    return { value: cell.combinedValue(), consumed: 2 };
  }

  #named(
    kind: 'count' | 'each' | 'path' | 'terraform',
    name: string,
    reference: Reference,
    diagnostics: Diagnostic[],
  ): Value {
    const value = this.#namedValue(kind, name);
    if (value !== undefined) return value;
    const problem = unavailable(reference);
    if (problem !== undefined) diagnostics.push(problem);
    return UNKNOWN;
  }

  #namedValue(kind: 'count' | 'each' | 'path' | 'terraform', name: string): Value | undefined {
    const { cells } = this;
    switch (kind) {
      case 'count':
        return name === 'index' ? this.#repetition.countIndex : undefined;
      case 'each':
        if (name === 'key') return this.#repetition.eachKey;
        return name === 'value' ? this.#repetition.eachValue : undefined;
      case 'path':
        if (name === 'module') return str(cells.module.directory);
        if (name === 'root') return str(rootOf(cells).module.directory);
        return name === 'cwd' ? str(this.#settings.cwd) : undefined;
      case 'terraform':
        if (name === 'workspace') return str(this.#settings.workspace);
        return name === 'applying' ? this.#settings.applying : undefined;
      default:
        throw new Bug(`no object ${String(kind)}`);
    }
  }
}

function rootOf(cells: ModuleCells): ModuleCells {
  let root = cells;
  while (root.parent !== undefined) root = root.parent;
  return root;
}

function outputOf(cell: CallCell, name: string): Value | undefined {
  const value = cell.instances.get(undefined)?.outputs.get(name);
  const output = cell.child.outputs.get(name);
  if (value === undefined || output === undefined) return undefined;
  return asReferred(cell.child, output, value);
}
