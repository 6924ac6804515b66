import { createHash } from 'node:crypto';
import { type Glob, globOf, matchGlob } from '@terrane/addresses';
import { convert, CtyError, type FunctionSpec, nullOf, UNKNOWN, type Value } from '@terrane/cty';
import { functionTable, type FunctionPorts } from '@terrane/functions';
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from '@terrane/hcl';
import type {
  Policy,
  PolicyFile,
  PolicyInput,
  PolicyKind,
  PolicyOperation,
} from '../language/model.ts';
import { enforcementLevel, evaluatePolicy, type ObjectValues } from './evaluate-policy.ts';
import { PendingRequests, policyFunctions } from './policy-functions.ts';
import { FileScope } from './policy-scope.ts';
import type { PolicyResult } from './result.ts';
import { EMPTY_WORLD, type PolicyWorld } from './world.ts';

/** A policy with its file. */
export interface FiledPolicy {
  readonly file: PolicyFile;
  readonly policy: Policy;
}

/** Policies by target. */
class PolicyIndex {
  readonly #exact = new Map<string, FiledPolicy[]>();
  readonly #patterns: {
    readonly pattern: Glob;
    readonly filed: FiledPolicy;
    readonly order: number;
  }[] = [];
  readonly #order = new Map<Policy, number>();

  add(filed: FiledPolicy): void {
    const { target } = filed.policy;
    const order = this.#order.size;
    this.#order.set(filed.policy, order);
    if (target.includes('*')) {
      this.#patterns.push({ pattern: globOf(target), filed, order });
      return;
    }
    const existing = this.#exact.get(target);
    if (existing === undefined) this.#exact.set(target, [filed]);
    else existing.push(filed);
  }

  /** Returns the policies for a target in the order of their files. */
  of(target: string): readonly FiledPolicy[] {
    const exact = this.#exact.get(target) ?? [];
    const matching = this.#patterns.filter(({ pattern }) => matchGlob(pattern, target));
    if (matching.length === 0) return exact;
    const all = [...exact, ...matching.map(({ filed }) => filed)];
    return all.sort((a, b) => this.#orderOf(a) - this.#orderOf(b));
  }

  #orderOf({ policy }: FiledPolicy): number {
    return this.#order.get(policy) ?? 0;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Policies with the values of their inputs. */
export class PolicySet {
  readonly files: readonly PolicyFile[];
  readonly #inputs: ReadonlyMap<PolicyFile, ReadonlyMap<string, Value>>;
  readonly #functions: LanguageFunctions;
  readonly #indexes = new Map<PolicyKind, PolicyIndex>();

  constructor(
    files: readonly PolicyFile[],
    inputs: ReadonlyMap<PolicyFile, ReadonlyMap<string, Value>>,
    functions: LanguageFunctions,
  ) {
    this.files = files;
    this.#inputs = inputs;
    this.#functions = functions;
    for (const kind of ['resource', 'provider', 'module'] as const)
      this.#indexes.set(kind, new PolicyIndex());
    for (const file of files) {
      for (const policy of file.policies) this.#indexes.get(policy.kind)?.add({ file, policy });
    }
  }

  /** The number of policies. */
  get size(): number {
    return this.files.reduce((sum, { policies }) => sum + policies.length, 0);
  }

  /** SHA-256 of the contents of all files, in hexadecimal, independent of their order and paths. */
  get digest(): string {
    const digests = this.files.map(({ source }) => sha256(source.text)).sort();
    return sha256(digests.join('\n'));
  }

  /** Returns the policies that apply to an object of a kind; of a resource, for an operation. */
  policiesFor(
    kind: PolicyKind,
    target: string,
    operation?: PolicyOperation,
  ): readonly FiledPolicy[] {
    const policies = this.#indexes.get(kind)?.of(target) ?? [];
    if (kind !== 'resource' || operation === undefined) return policies;
    return policies.filter(({ policy }) => policy.operations.has(operation));
  }

  /** Opens an evaluation over a world. */
  evaluation(world: PolicyWorld = EMPTY_WORLD): PolicyEvaluation {
    return new PolicyEvaluation(
      (file) => this.#inputs.get(file) ?? new Map(),
      this.#functions,
      world,
    );
  }

  /** Returns the errors of enforcement levels, which depend on inputs. */
  levelProblems(): readonly Diagnostic[] {
    const diagnostics: Diagnostic[] = [];
    const evaluation = this.evaluation();
    for (const file of this.files) {
      const scope = evaluation.scopeOf(file);
      for (const policy of file.policies) enforcementLevel(policy, scope, diagnostics);
    }
    return diagnostics;
  }
}

/** The functions of the language for policy files; paths are relative to the directory of a file. */
export class LanguageFunctions {
  readonly #ports: FunctionPorts;
  readonly #tables = new Map<string, ReadonlyMap<string, FunctionSpec>>();

  constructor(ports: FunctionPorts) {
    this.#ports = ports;
  }

  tableFor(path: string): ReadonlyMap<string, FunctionSpec> {
    const slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
    const baseDir = slash < 0 ? '.' : slash === 0 ? '/' : path.slice(0, slash);
    let table = this.#tables.get(baseDir);
    if (table === undefined) {
      table = functionTable(this.#ports, { baseDir, pure: false });
      this.#tables.set(baseDir, table);
    }
    return table;
  }

  /** The full names of all functions that policies can call. */
  names(): ReadonlySet<string> {
    const language = this.tableFor('policy');
    const names = new Set<string>();
    for (const name of language.keys()) if (name.startsWith('core::')) names.add(name);
    for (const name of policyFunctions(language, EMPTY_WORLD, new PendingRequests()).keys())
      names.add(name);
    return names;
  }
}

/** The maximum number of passes of an evaluation, each of which waits for lookups that the one before started. */
const MAX_PASSES = 20;

/** Evaluates policies over one state of the world. */
export class PolicyEvaluation {
  readonly #inputsOf: (file: PolicyFile) => ReadonlyMap<string, Value>;
  readonly #functions: LanguageFunctions;
  readonly #world: PolicyWorld;
  readonly #pending = new PendingRequests();
  readonly #scopes = new Map<PolicyFile, FileScope>();
  readonly #policyFunctions = new Map<
    ReadonlyMap<string, FunctionSpec>,
    ReadonlyMap<string, FunctionSpec>
  >();

  constructor(
    inputsOf: (file: PolicyFile) => ReadonlyMap<string, Value>,
    functions: LanguageFunctions,
    world: PolicyWorld,
  ) {
    this.#inputsOf = inputsOf;
    this.#functions = functions;
    this.#world = world;
  }

  /** Evaluates a policy for an object; undefined if its filter excludes the object. */
  async evaluate(filed: FiledPolicy, values: ObjectValues): Promise<PolicyResult | undefined> {
    for (let pass = 0; ; pass++) {
      const result = evaluatePolicy(filed.policy, this.scopeOf(filed.file), values);
      if (!this.#pending.isWaiting || pass === MAX_PASSES) return result;
      // Functions are waiting for answers: the result so far, and the local values, are preliminary.
      await this.#pending.settle();
      this.#scopes.clear();
    }
  }

  /** The scope of a file, with the local values that were evaluated so far. */
  scopeOf(file: PolicyFile): FileScope {
    let scope = this.#scopes.get(file);
    if (scope === undefined) {
      const language = this.#functions.tableFor(file.path);
      let functions = this.#policyFunctions.get(language);
      if (functions === undefined) {
        functions = policyFunctions(language, this.#world, this.#pending);
        this.#policyFunctions.set(language, functions);
      }
      scope = new FileScope(file, this.#inputsOf(file), { policy: functions, language });
      this.#scopes.set(file, scope);
    }
    return scope;
  }
}

/**
 * Returns the values of the inputs of a file: those given, converted, and defaults. An input without a value is an
 * error.
 */
export function inputValues(
  file: PolicyFile,
  providedValues: ReadonlyMap<string, Value>,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const input of file.inputs.values()) {
    const value = providedValues.get(input.name) ?? input.default;
    const prepared = value === undefined ? undefined : prepareInput(input, value, diagnostics);
    if (value === undefined) {
      diagnostics.push(
        errorDiagnostic(
          'No value for required input',
          `The input ${JSON.stringify(input.name)} of ${file.path} has no default value. Set it with -policy-input '${input.name}=VALUE', or in a test with a block "inputs".`,
          input.range,
        ),
      );
    }
    const final = prepared ?? UNKNOWN;
    values.set(input.name, input.sensitive ? final.mark('sensitive') : final);
  }
  return values;
}

function prepareInput(
  input: PolicyInput,
  value: Value,
  diagnostics: Diagnostic[],
): Value | undefined {
  const invalid = (reason: string): undefined => {
    const detail = `The value of the input ${JSON.stringify(input.name)} is not suitable: ${reason}.`;
    diagnostics.push(errorDiagnostic('Invalid value for input', detail, input.range));
    return undefined;
  };
  const unmarkedValue = value.unmark();
  if (unmarkedValue.isKnown && unmarkedValue.isNull) {
    if (!input.nullable) return input.default ?? invalid('null is not allowed');
    return nullOf(input.type);
  }
  try {
    return convert(value, input.type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return invalid(error.message);
  }
}

/** Warns of given inputs that no file declares. */
export function undeclaredInputs(
  files: readonly PolicyFile[],
  providedValues: ReadonlyMap<string, Value>,
): readonly Diagnostic[] {
  const declared = new Set(files.flatMap(({ inputs }) => [...inputs.keys()]));
  return [...providedValues.keys()]
    .filter((name) => !declared.has(name))
    .map((name) =>
      warningDiagnostic(
        'Value for undeclared input',
        `No policy file declares an input named ${JSON.stringify(name)}, so its value is not used. Correct the name or remove the value.`,
      ),
    );
}
