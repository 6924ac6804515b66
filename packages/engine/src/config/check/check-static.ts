import {
  compareText,
  DYNAMIC,
  type FunctionSpec,
  quoteText,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, type Expression, hasErrors } from '@terrane/hcl';
import { graphOf, orderOf } from '@terrane/graph';
import type { Reference } from '../../addrs/reference.ts';
import { functionTable } from '../../lang/functions/table.ts';
import { referencesInBody, referencesInExpression, referencesOf } from '../../lang/references.ts';
import type { CheckRule, Configuration, Module, Output, Resource, Schemas } from '../model.ts';
import type { Variable } from '../model.ts';
import { prepareVariable } from '../prepare-variable.ts';
import { providerKey } from '../provider-ref.ts';
import { resolveProvider } from '../resolve-provider.ts';
import { checkBlock, checkDependsOn, checkExpression, checkRule } from './check-evaluation.ts';
import { type CheckContext, CheckScope, type CheckValues, NOT_REPEATED } from './check-scope.ts';
import { checkResource } from './check-resource.ts';
import { argumentsOf, moduleArgumentProblems } from './module-arguments.ts';
import { PROVISIONER_SCHEMAS } from './provisioner-schemas.ts';

/**
 * What is wrong with a configuration for every input, as far as schemas tell: module arguments, provider
 * configurations, references to things that are not declared, bodies that do not fit their schema, expressions
 * that fail whatever their unknowns turn out to be. Nothing is said about what depends on something faulty.
 */
export function checkStatic(
  configuration: Configuration,
  schemas: Schemas,
  functions: ReadonlyMap<string, FunctionSpec> = functionsWithoutWorld(),
): readonly Diagnostic[] {
  const provisionerProblems = missingProvisioners(configuration);
  if (provisionerProblems.length > 0) return provisionerProblems;
  const argumentProblems = moduleArgumentProblems(configuration);
  if (hasErrors(argumentProblems)) return argumentProblems;
  const providerProblems = missingProviderConfigurations(configuration);
  if (providerProblems.length > 0) return [...argumentProblems, ...providerProblems];
  return [...argumentProblems, ...new StaticCheck(configuration, schemas, functions).run()];
}

/** The functions of the language; what they would have to ask the outside world for is unknown. */
function functionsWithoutWorld(): ReadonlyMap<string, FunctionSpec> {
  const nothing = {
    files: {
      readFileSync: () => new Uint8Array(),
      readDirectorySync: () => [],
      statSync: () => undefined,
    },
    environment: { cwd: '/', homeDirectory: '/' },
    clock: { now: () => new Date(0) },
    random: { bytes: (n: number) => new Uint8Array(n), uuid: () => '' },
  };
  const table = new Map(functionTable(nothing, { baseDir: '.', pure: true }));
  for (const [name, spec] of table) {
    if (!ASKS_THE_WORLD.test(name)) continue;
    const { returnType } = spec;
    table.set(name, {
      ...spec,
      returnType: typeof returnType === 'function' ? DYNAMIC : returnType,
      implementation: (_args, type) => unknownOf(type),
    });
  }
  return table;
}

const ASKS_THE_WORLD = /^(?:core::)?(?:file|templatefile$|templatestring$|abspath$|pathexpand$)/;

function missingProvisioners(configuration: Configuration): Diagnostic[] {
  const types = [...configuration.modules.values()]
    .flatMap(({ resources }) => [...resources.values()])
    .flatMap(({ provisioners }) => provisioners.map(({ type }) => type))
    .filter((type) => !PROVISIONER_SCHEMAS.has(type));
  return types
    .sort(compareText)
    .map((type) =>
      errorDiagnostic(
        'Missing required provisioner plugin',
        `This configuration requires provisioner plugin ${quoteText(type)}, which isn't available. If you're intending to use an external provisioner plugin, you must install it manually into one of the plugin search directories before running Terraform.`,
      ),
    );
}

function missingProviderConfigurations(configuration: Configuration): Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (const module of configuration.modules.values()) {
    for (const resource of module.resources.values()) {
      const address = resolveProvider(configuration, module, resource.providerLocal);
      if (address.alias === undefined) continue;
      const owner = configuration.modules.get(address.module.text);
      const isWritten = [...(owner?.providers.values() ?? [])].some(
        (block) =>
          block.alias === address.alias && owner?.providerSource(block.name) === address.provider,
      );
      if (isWritten) continue;
      const text = module.path.isRoot
        ? resource.addr.text
        : `${module.path.text}.${resource.addr.text}`;
      problems.push(
        errorDiagnostic(
          'Provider configuration not present',
          `To work with ${text} its original provider configuration at ${address.text} is required, but it has been removed. This occurs when a provider configuration is removed while objects created by that provider still exist in the state. Re-add the provider configuration to destroy ${text}, after which you can remove the provider configuration again.`,
        ),
      );
    }
  }
  return problems;
}

/** One declaration with what has to be in order before it is looked at. */
interface CheckNode {
  readonly key: string;
  readonly after: readonly string[];
  check(diagnostics: Diagnostic[]): void;
}

class StaticCheck implements CheckValues {
  readonly schemas: Schemas;
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  readonly #configuration: Configuration;
  readonly #nodes: CheckNode[] = [];
  readonly #locals: Map<string, Value> = new Map();

  constructor(
    configuration: Configuration,
    schemas: Schemas,
    functions: ReadonlyMap<string, FunctionSpec>,
  ) {
    this.#configuration = configuration;
    this.schemas = schemas;
    this.functions = functions;
  }

  localValue(module: Module, name: string): Value | undefined {
    return this.#locals.get(keyIn(module, `local.${name}`));
  }

  run(): Diagnostic[] {
    for (const module of this.#configuration.modules.values()) this.#addModule(module);
    const index = new Map(this.#nodes.map((node, i) => [node.key, i]));
    const edges = this.#nodes.map((node) =>
      node.after.map((key) => index.get(key)).filter((i) => i !== undefined),
    );
    const { order, cycles } = orderOf(graphOf(edges));
    // Declarations that need each other are the evaluation's to report.
    if (cycles.some((cycle) => cycle.length > 1)) return [];
    const diagnostics: Diagnostic[] = [];
    const failed = new Set<number>();
    for (const i of order) {
      const node = this.#nodes[i];
      if (node === undefined) continue;
      const found: Diagnostic[] = [];
      if (edges[i]?.some((dependency) => failed.has(dependency) && dependency !== i) === true) {
        failed.add(i);
        continue;
      }
      node.check(found);
      if (hasErrors(found)) failed.add(i);
      diagnostics.push(...found);
    }
    return diagnostics;
  }

  #scope(module: Module, context: CheckContext = NOT_REPEATED): CheckScope {
    return new CheckScope(this, module, context);
  }

  #add(
    module: Module,
    key: string,
    references: readonly Reference[],
    check: (diagnostics: Diagnostic[]) => void,
    more: readonly string[] = [],
  ): void {
    const inside =
      module.call === undefined || module.parent === undefined
        ? []
        : [keyIn(module.parent, `module.${module.call.name}`)];
    const after = [...references.flatMap((one) => keysOf(module, one)), ...inside, ...more];
    this.#nodes.push({ key: keyIn(module, key), after, check });
  }

  #addModule(module: Module): void {
    const before = this.#nodes.length;
    for (const variable of module.variables.values()) this.#addVariable(module, variable);
    for (const local of module.locals.values()) {
      const { references } = referencesInExpression(local.expression);
      const key = `local.${local.name}`;
      this.#add(module, key, references, (diagnostics) => {
        const isOwn = references.some(
          ({ subject }) => subject.kind === 'local' && subject.name === local.name,
        );
        // A value that uses itself is the evaluation's to report.
        if (isOwn) return;
        const scope = this.#scope(module);
        const value = checkExpression(local.expression, DYNAMIC, scope, diagnostics);
        this.#locals.set(keyIn(module, key), value);
      });
    }
    for (const output of module.outputs.values()) this.#addOutput(module, output);
    for (const resource of module.resources.values()) this.#addResource(module, resource);
    for (const call of module.calls.values()) {
      const repetitions = [call.count, call.forEach].filter((e) => e !== undefined);
      const references = [...refsOf(repetitions), ...referencesOf(call.dependsOn).references];
      this.#add(module, `module.${call.name}`, references, (diagnostics) => {
        const scope = this.#scope(module);
        for (const e of repetitions) checkExpression(e, DYNAMIC, scope, diagnostics);
        checkDependsOn(call.dependsOn, scope, diagnostics);
      });
    }
    for (const block of module.providers.values()) {
      const schema = this.schemas.provider(module.providerSource(block.name));
      if (schema === undefined) continue;
      const { references } = referencesInBody(block.body, schema.provider.block);
      this.#add(module, `provider.${providerKey(block)}`, references, (diagnostics) => {
        const isEmpty = !hasErrors(block.body.content({ attributes: [], blocks: [] }).diagnostics);
        if (isEmpty) return;
        checkBlock(block.body, schema.provider.block, this.#scope(module), diagnostics);
      });
    }
    for (const check of module.checks.values()) {
      const data = check.data === undefined ? [] : [keyIn(module, check.data.addr.text)];
      this.#addRules(module, `check.${check.name}`, check.asserts, { check: check.name }, data);
    }
    const inside = this.#nodes.slice(before).map(({ key }) => key);
    const below = Array.from(module.children.values(), (child) => keyIn(child, WHOLE));
    this.#add(module, WHOLE, [], () => undefined, [...inside, ...below]);
  }

  #addRules(
    module: Module,
    key: string,
    rules: readonly CheckRule[],
    origin: Omit<CheckContext, 'repetition'>,
    more: readonly string[],
  ): void {
    const expressions = rules.flatMap((rule) => [rule.condition, rule.errorMessage]);
    this.#add(
      module,
      key,
      refsOf(expressions),
      (diagnostics) => {
        const scope = this.#scope(module, { ...NOT_REPEATED, ...origin });
        for (const rule of rules) checkRule(rule, scope, diagnostics);
      },
      more,
    );
  }

  #addVariable(module: Module, variable: Variable): void {
    const { parent, call } = module;
    const key = `var.${variable.name}`;
    if (variable.validations.length > 0) {
      this.#addRules(module, `validation.${variable.name}`, variable.validations, {}, []);
    }
    if (parent === undefined || call === undefined) {
      this.#add(module, key, [], () => undefined);
      return;
    }
    const expression = argumentsOf(module).get(variable.name);
    const outside =
      expression === undefined
        ? []
        : referencesInExpression(expression).references.flatMap((one) => keysOf(parent, one));
    this.#add(
      module,
      key,
      [],
      (diagnostics) => {
        if (expression === undefined) return;
        const before = diagnostics.length;
        const context = { repetition: { count: true, each: true } };
        const scope = this.#scope(parent, context);
        const value = checkExpression(expression, DYNAMIC, scope, diagnostics);
        if (hasErrors(diagnostics, before)) return;
        const prepared = prepareVariable(variable, value, expression.range, module.path.text);
        diagnostics.push(...prepared.diagnostics);
      },
      outside,
    );
  }

  #addOutput(module: Module, output: Output): void {
    const rules = output.preconditions;
    const expressions: Expression[] = [
      output.expression,
      ...rules.flatMap((rule) => [rule.condition, rule.errorMessage]),
    ];
    const references = [...refsOf(expressions), ...referencesOf(output.dependsOn).references];
    this.#add(module, `output.${output.name}`, references, (diagnostics) => {
      const scope = this.#scope(module);
      for (const rule of rules) checkRule(rule, scope, diagnostics);
      if (hasErrors(diagnostics)) return;
      checkExpression(output.expression, DYNAMIC, scope, diagnostics);
      checkDependsOn(output.dependsOn, scope, diagnostics);
    });
  }

  #addResource(module: Module, resource: Resource): void {
    const { mode, type, text } = resource.addr;
    const schema = this.schemas.resource(resource.provider, mode, type);
    const rules = [...resource.preconditions, ...resource.postconditions];
    const expressions = [
      ...[resource.count, resource.forEach].filter((e) => e !== undefined),
      ...rules.flatMap((rule) => [rule.condition, rule.errorMessage]),
      ...resource.replaceTriggeredBy,
    ];
    const references = [
      ...refsOf(expressions),
      ...referencesOf(resource.dependsOn).references,
      ...(schema === undefined ? [] : referencesInBody(resource.body, schema.block).references),
    ].filter(({ subject }) => subject.kind !== 'resource' || subject.resource !== resource.addr);
    const address = resolveProvider(this.#configuration, module, resource.providerLocal);
    const owner = this.#configuration.modules.get(address.module.text);
    const provider = [...(owner?.providers.values() ?? [])].find(
      (block) =>
        block.alias === address.alias && owner?.providerSource(block.name) === address.provider,
    );
    const more =
      owner === undefined || provider === undefined
        ? []
        : [keyIn(owner, `provider.${providerKey(provider)}`)];
    this.#add(
      module,
      text,
      references,
      (diagnostics) => {
        const scopeIn = (context: CheckContext): CheckScope => this.#scope(module, context);
        checkResource(resource, this.schemas, scopeIn, diagnostics);
      },
      more,
    );
  }
}

/** The key of a module with everything in it. */
const WHOLE = 'whole';

function keyIn(module: Module, key: string): string {
  return `${module.path.text}|${key}`;
}

function refsOf(expressions: readonly Expression[]): Reference[] {
  return expressions.flatMap((e) => [...referencesInExpression(e).references]);
}

/** The keys of the declarations that a reference in a module leads to. */
function keysOf(module: Module, { subject }: Reference): string[] {
  switch (subject.kind) {
    case 'variable':
      return [keyIn(module, `var.${subject.name}`)];
    case 'local':
      return [keyIn(module, `local.${subject.name}`)];
    case 'resource':
      return [keyIn(module, subject.resource.text)];
    case 'moduleCall': {
      const child = module.children.get(subject.name);
      const call = keyIn(module, `module.${subject.name}`);
      if (child === undefined) return [call];
      const { output } = subject;
      // The module as a whole is what everything in it is.
      const isWhole = output === undefined || !child.outputs.has(output);
      return [call, keyIn(child, isWhole ? WHOLE : `output.${output}`)];
    }
    default:
      return [];
  }
}
