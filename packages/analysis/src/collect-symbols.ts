import {
  asList,
  asMap,
  asTraversal,
  type Block,
  type Body,
  type BodySchema,
  type Expression,
  NativeBody,
  type NativeBlock,
  type Range,
  type Traversal,
  type TraversalStep,
  variables,
  walkExpression,
} from '@terrane/hcl';
import type { FileKind } from './file-kind.ts';
import type {
  Declaration,
  DocumentSymbols,
  ModuleLink,
  Occurrence,
  Span,
  SymbolKind,
} from './symbol.ts';
import {
  spanOf,
  type NamedArgument,
  attributesOf,
  argumentsOf,
  nestedBlocks,
  isNative,
  blockSpan,
  literalText,
  nameOf,
  stepSpan,
  unquoted,
  joined,
} from './symbol-syntax.ts';

/** Block types that both syntaxes can hold, with their labels; only needed to read JSON. */
const FILE_SCHEMA: BodySchema = {
  attributes: [],
  blocks: [
    { type: 'terraform' },
    { type: 'provider', labelNames: ['name'] },
    { type: 'variable', labelNames: ['name'] },
    { type: 'locals' },
    { type: 'output', labelNames: ['name'] },
    { type: 'module', labelNames: ['name'] },
    { type: 'resource', labelNames: ['type', 'name'] },
    { type: 'data', labelNames: ['type', 'name'] },
    { type: 'ephemeral', labelNames: ['type', 'name'] },
    { type: 'list', labelNames: ['type', 'name'] },
    { type: 'action', labelNames: ['type', 'name'] },
    { type: 'check', labelNames: ['name'] },
    { type: 'moved' },
    { type: 'removed' },
    { type: 'import' },
    { type: 'run', labelNames: ['name'] },
    { type: 'variables' },
    { type: 'override_resource' },
    { type: 'override_data' },
    { type: 'override_module' },
    { type: 'mock_provider', labelNames: ['name'] },
    { type: 'test' },
  ],
};

/** Arguments of module calls that are not input variables. */
export const CALL_META_ARGUMENTS: ReadonlySet<string> = new Set([
  'source',
  'version',
  'providers',
  'count',
  'for_each',
  'depends_on',
  'enabled',
  'ignore_nested_deprecations',
]);

const RESOURCE_BLOCKS: Readonly<
  Record<string, { readonly kind: SymbolKind; readonly prefix: string }>
> = {
  resource: { kind: 'resource', prefix: '' },
  data: { kind: 'data', prefix: 'data.' },
  ephemeral: { kind: 'ephemeral', prefix: 'ephemeral.' },
  list: { kind: 'list', prefix: 'list.' },
  action: { kind: 'action', prefix: 'action.' },
};

/** Collects the declarations, references and module links of a parsed file, also from the valid parts of broken bodies. */
export function collectSymbols(body: Body, kind: FileKind): DocumentSymbols {
  const collector = new Collector(kind);
  if (kind.role === 'variables') collector.assignments(body, '');
  else if (body instanceof NativeBody) collector.blocks(body.blocks);
  else collector.blocks(body.partialContent(FILE_SCHEMA).content.blocks);
  return collector;
}

class Collector implements DocumentSymbols {
  readonly declarations: Declaration[] = [];
  readonly occurrences: Occurrence[] = [];
  readonly links: ModuleLink[] = [];
  readonly #kind: FileKind;
  /** References to module calls whose outputs are found by the way they are used. */
  readonly #consumed = new Set<Traversal>();
  /** The module call whose instances the current block repeats over. */
  #eachCall: string | undefined;

  constructor(kind: FileKind) {
    this.#kind = kind;
  }

  blocks(blocks: readonly Block[]): void {
    for (const block of blocks) this.#topBlock(block);
  }

  /** Arguments that set variables of the module that `via` leads to. */
  assignments(body: Body, via: string, bound: ReadonlySet<string> = NO_NAMES): void {
    for (const { name, nameRange, range, expression } of attributesOf(body)) {
      this.#occurrence(`var.${name}`, via, 'assignment', unquoted(nameRange), spanOf(range));
      this.#expression(expression, bound);
    }
  }

  #topBlock(block: Block): void {
    const { type } = block;
    const forEach = argumentsOf(block.body).get('for_each');
    this.#eachCall = forEach === undefined ? undefined : this.#consumedCall(forEach);
    const resource = RESOURCE_BLOCKS[type];
    if (resource !== undefined) {
      this.#resource(block, resource);
      return;
    }
    switch (type) {
      case 'variable':
      case 'output':
      case 'module':
      case 'check':
      case 'run': {
        const prefix = type === 'variable' ? 'var' : type;
        this.#declare(block, type, `${prefix}.${block.labels[0] ?? ''}`, block.labels[0], 0);
        if (type === 'module') this.#moduleCall(block);
        else if (type === 'run') this.#run(block);
        else if (type === 'check') this.#check(block);
        else if (type === 'variable') this.#variable(block);
        else this.#body(block.body, NO_NAMES);
        return;
      }
      case 'locals':
        for (const attribute of attributesOf(block.body)) this.#local(attribute);
        return;
      case 'provider':
      case 'mock_provider':
        this.#provider(block);
        return;
      case 'variables':
        this.assignments(block.body, '');
        return;
      case 'moved':
      case 'removed':
      case 'import':
        this.#refactoring(block);
        return;
      case 'override_resource':
      case 'override_data':
      case 'override_module':
        this.#targeted(block.body, '');
        return;
      default:
        this.#body(block.body, NO_NAMES);
    }
  }

  #declare(
    block: Block,
    kind: SymbolKind,
    key: string,
    name: string | undefined,
    label: number,
    type?: string,
  ): void {
    const range = block.labelRanges[label];
    if (name === undefined || range === undefined || name === '') return;
    const nameSpan = unquoted(range);
    const span = blockSpan(block);
    this.declarations.push({
      kind,
      key,
      name,
      nameSpan,
      span,
      ...(type === undefined ? {} : { type }),
      ...(isNative(block) ? { block } : {}),
      arguments: argumentsOf(block.body),
    });
    this.#occurrence(key, '', 'declaration', nameSpan, span);
  }

  #resource(block: Block, { kind, prefix }: { kind: SymbolKind; prefix: string }): void {
    const [type = '', name] = block.labels;
    this.#declare(block, kind, `${prefix}${type}.${name ?? ''}`, name, 1, type);
    this.#body(block.body, NO_NAMES, true);
  }

  #variable(block: Block): void {
    for (const attribute of attributesOf(block.body)) {
      // A type constraint is not an expression.
      if (attribute.name !== 'type') this.#expression(attribute.expression, NO_NAMES);
    }
    if (block.body instanceof NativeBody)
      for (const inner of block.body.blocks) this.#body(inner.body, NO_NAMES);
  }

  #local({ name, nameRange, range, expression, attribute }: NamedArgument): void {
    const nameSpan = unquoted(nameRange);
    const span = spanOf(range);
    this.declarations.push({
      kind: 'local',
      key: `local.${name}`,
      name,
      nameSpan,
      span,
      ...(attribute === undefined ? {} : { attribute }),
      arguments: new Map([['value', expression]]),
    });
    this.#occurrence(`local.${name}`, '', 'declaration', nameSpan, span);
    this.#expression(expression, NO_NAMES);
  }

  #provider(block: Block): void {
    const [name] = block.labels;
    const alias = argumentsOf(block.body).get('alias');
    const aliasText = alias === undefined ? undefined : literalText(alias);
    const key =
      aliasText === undefined ? `provider.${name ?? ''}` : `provider.${name ?? ''}.${aliasText}`;
    const range = block.labelRanges[0];
    if (name !== undefined && range !== undefined) {
      const nameSpan =
        aliasText === undefined || alias === undefined ? unquoted(range) : unquoted(alias.range);
      const span = blockSpan(block);
      this.declarations.push({
        kind: 'provider',
        key,
        name: aliasText ?? name,
        nameSpan,
        span,
        type: name,
        ...(isNative(block) ? { block } : {}),
        arguments: argumentsOf(block.body),
      });
      this.#occurrence(key, '', 'declaration', nameSpan, span);
    }
    this.#body(block.body, NO_NAMES);
  }

  #moduleCall(block: Block): void {
    const name = block.labels[0] ?? '';
    this.#link(name, block.body);
    for (const { name: argument, nameRange, range, expression } of attributesOf(block.body)) {
      if (argument === 'providers') this.#passedProviders(expression);
      else {
        if (!CALL_META_ARGUMENTS.has(argument))
          this.#occurrence(
            `var.${argument}`,
            name,
            'assignment',
            unquoted(nameRange),
            spanOf(range),
          );
        this.#argument(argument, expression, NO_NAMES);
      }
    }
    if (block.body instanceof NativeBody)
      for (const inner of block.body.blocks) this.#body(inner.body, NO_NAMES);
  }

  #link(name: string, body: Body): void {
    const source = argumentsOf(body).get('source');
    const version = argumentsOf(body).get('version');
    this.links.push({
      name,
      source: source === undefined ? undefined : literalText(source),
      version: version === undefined ? undefined : literalText(version),
      sourceSpan: source === undefined ? undefined : spanOf(source.range),
    });
  }

  #run(block: Block): void {
    const name = block.labels[0] ?? '';
    const inner = nestedBlocks(block);
    const hasModule = inner.some(({ type }) => type === 'module');
    const via = hasModule ? `run:${name}` : '';
    for (const { name: argument, expression } of attributesOf(block.body)) {
      if (argument === 'providers') this.#passedProviders(expression);
      else this.#expression(expression, NO_NAMES, via);
    }
    for (const nested of inner) {
      switch (nested.type) {
        case 'module':
          this.#link(`run:${name}`, nested.body);
          break;
        case 'variables':
          this.assignments(nested.body, via);
          break;
        case 'override_resource':
        case 'override_data':
        case 'override_module':
        case 'plan_options':
          this.#targeted(nested.body, via);
          break;
        default:
          this.#body(nested.body, NO_NAMES, false, via);
      }
    }
  }

  #check(block: Block): void {
    for (const { expression } of attributesOf(block.body)) this.#expression(expression, NO_NAMES);
    for (const nested of nestedBlocks(block)) {
      if (nested.type === 'data') this.#resource(nested, { kind: 'data', prefix: 'data.' });
      else this.#body(nested.body, NO_NAMES);
    }
  }

  #refactoring(block: Block): void {
    for (const { name, expression } of attributesOf(block.body)) {
      const traversal = asTraversal(expression);
      const isAddress =
        (block.type === 'moved' && (name === 'from' || name === 'to')) ||
        (block.type === 'removed' && name === 'from') ||
        (block.type === 'import' && name === 'to');
      if (isAddress && traversal !== undefined) {
        const use: NonNullable<Occurrence['refactoring']> =
          block.type === 'moved'
            ? name === 'from'
              ? 'moved-from'
              : 'moved-to'
            : block.type === 'removed'
              ? 'removed'
              : 'import';
        this.#address(traversal, '', use);
      } else if (name === 'provider') this.#providerReference(expression);
      else this.#expression(expression, NO_NAMES);
      // Keys of the address may be expressions.
      if (isAddress && traversal === undefined) this.#expression(expression, NO_NAMES);
    }
    if (block.body instanceof NativeBody)
      for (const inner of block.body.blocks) this.#body(inner.body, NO_NAMES);
  }

  /** Bodies whose `target`, `replace` and the like are addresses. */
  #targeted(body: Body, via: string): void {
    for (const { name, expression } of attributesOf(body)) {
      if (name === 'target' || name === 'replace') {
        for (const each of asList(expression) ?? [expression]) {
          const traversal = asTraversal(each);
          if (traversal !== undefined) this.#address(traversal, via);
        }
      } else this.#expression(expression, NO_NAMES);
    }
  }

  /** A body of any kind: all its expressions, with the iterators of `dynamic` blocks bound. */
  #body(body: Body, bound: ReadonlySet<string>, isResource = false, via = ''): void {
    for (const { name, expression } of attributesOf(body)) {
      if (isResource && name === 'provider') this.#providerReference(expression);
      else this.#argument(name, expression, bound, via);
    }
    if (!(body instanceof NativeBody)) return;
    for (const block of body.blocks) {
      if (block.type === 'lifecycle') this.#lifecycle(block.body, bound);
      else if (block.type === 'dynamic') this.#dynamic(block, bound, via);
      else this.#body(block.body, bound, false, via);
    }
  }

  #argument(name: string, expression: Expression, bound: ReadonlySet<string>, via = ''): void {
    if (name === 'depends_on') {
      // A dependency uses no outputs.
      for (const traversal of variables(expression)) this.#consumed.add(traversal);
    }
    if (name === 'depends_on' && expression.kind === 'json') {
      for (const each of asList(expression) ?? []) {
        const traversal = asTraversal(each);
        if (traversal === undefined) continue;
        this.#consumed.add(traversal);
        this.#traversal(traversal, via);
      }
      return;
    }
    this.#expression(expression, bound, via);
  }

  #lifecycle(body: NativeBody, bound: ReadonlySet<string>): void {
    for (const { name, expression } of body.attributes.values()) {
      // Names attributes of the resource itself.
      if (name !== 'ignore_changes') this.#expression(expression, bound);
    }
    for (const block of body.blocks) this.#body(block.body, bound);
  }

  #dynamic(block: NativeBlock, bound: ReadonlySet<string>, via: string): void {
    const iterator = block.body.attributes.get('iterator')?.expression;
    const traversal = iterator === undefined ? undefined : asTraversal(iterator);
    const [root] = traversal?.steps ?? [];
    const name = root?.kind === 'root' ? root.name : (block.labels[0] ?? '');
    const inner = new Set([...bound, name]);
    for (const attribute of block.body.attributes.values()) {
      if (attribute.name === 'for_each') this.#expression(attribute.expression, bound, via);
      else if (attribute.name !== 'iterator') this.#expression(attribute.expression, inner, via);
    }
    for (const nested of block.body.blocks) this.#body(nested.body, inner, false, via);
  }

  #expression(expression: Expression, bound: ReadonlySet<string>, via = ''): void {
    this.#outputsThroughCalls(expression, via);
    for (const traversal of variables(expression)) {
      const [root] = traversal.steps;
      if (root?.kind === 'root' && !bound.has(root.name)) this.#traversal(traversal, via);
    }
  }

  /** Outputs that are reached through the value of a module call: by a computed key, a splat, a `for` or `each.value`. */
  #outputsThroughCalls(expression: Expression, via: string): void {
    const output = (step: TraversalStep | undefined, call: string, range: Range): void => {
      if (step?.kind !== 'attr') return;
      const inside = joined(via, call);
      this.#occurrence(`output.${step.name}`, inside, 'reference', stepSpan(step), spanOf(range));
    };
    walkExpression(expression, (each) => {
      switch (each.kind) {
        case 'relativeTraversal': {
          const call = this.#consumedCall(each.source);
          if (call !== undefined) output(each.traversal.steps[0], call, each.range);
          return;
        }
        case 'splat': {
          const call = this.#consumedCall(each.source);
          if (call !== undefined && each.each.kind === 'relativeTraversal')
            output(each.each.traversal.steps[0], call, each.range);
          return;
        }
        case 'for': {
          const call = this.#consumedCall(each.collection);
          if (call === undefined) return;
          for (const part of [each.key, each.value, each.condition]) {
            if (part === undefined) continue;
            for (const { steps, range } of variables(part)) {
              const [root, first] = steps;
              if (root?.kind === 'root' && root.name === each.valueName) output(first, call, range);
            }
          }
          return;
        }
        case 'scopeTraversal': {
          const [root, value, first] = each.traversal.steps;
          const call = this.#eachCall;
          if (call === undefined || root?.kind !== 'root' || root.name !== 'each') return;
          if (value?.kind === 'attr' && value.name === 'value') output(first, call, each.range);
          return;
        }
        default:
      }
    });
  }

  /** The name of the module call that an expression is the value or the instances of. */
  #consumedCall(expression: Expression): string | undefined {
    switch (expression.kind) {
      case 'scopeTraversal': {
        const { traversal } = expression;
        const [root, call, ...rest] = traversal.steps;
        if (root?.kind !== 'root' || root.name !== 'module' || call?.kind !== 'attr')
          return undefined;
        if (rest.some(({ kind }) => kind !== 'index')) return undefined;
        this.#consumed.add(traversal);
        return call.name;
      }
      case 'index':
        return this.#consumedCall(expression.collection);
      case 'parentheses':
        return this.#consumedCall(expression.inner);
      case 'call':
        return expression.name === 'values' && expression.args[0] !== undefined
          ? this.#consumedCall(expression.args[0])
          : undefined;
      default:
        return undefined;
    }
  }

  #providerReference(expression: Expression): void {
    if (expression.kind === 'index') {
      // An instance of a provider block with `for_each`: `aws.by_region[each.key]`.
      this.#providerReference(expression.collection);
      this.#expression(expression.key, NO_NAMES);
      return;
    }
    const traversal = asTraversal(expression);
    const [root, alias] = traversal?.steps ?? [];
    if (traversal === undefined || root?.kind !== 'root') return;
    const extent = spanOf(traversal.range);
    if (alias?.kind === 'attr')
      this.#occurrence(
        `provider.${root.name}.${alias.name}`,
        '',
        'reference',
        stepSpan(alias),
        extent,
      );
    else this.#occurrence(`provider.${root.name}`, '', 'reference', spanOf(root.range), extent);
  }

  #passedProviders(expression: Expression): void {
    for (const { value } of asMap(expression) ?? []) this.#providerReference(value);
  }

  /** A reference; `via` applies to the module of a test run. */
  #traversal(traversal: Traversal, via: string): void {
    const [root, first, second] = traversal.steps;
    if (root?.kind !== 'root') return;
    const extent = spanOf(traversal.range);
    const isTest = this.#kind.role === 'test';
    switch (root.name) {
      case 'var':
        // Variables in a test file are those of the file, which set the ones of the module.
        if (first?.kind === 'attr')
          this.#occurrence(
            `var.${first.name}`,
            isTest ? '' : via,
            'reference',
            stepSpan(first),
            extent,
          );
        return;
      case 'local':
        if (first?.kind === 'attr')
          this.#occurrence(`local.${first.name}`, via, 'reference', stepSpan(first), extent);
        return;
      case 'module':
        this.#moduleReference(traversal, via, extent);
        return;
      case 'each':
      case 'count':
      case 'self':
      case 'path':
      case 'terraform':
      case 'tofu':
      case 'caller':
        return;
      case 'output':
      case 'check':
        if (isTest && first?.kind === 'attr') {
          this.#occurrence(`${root.name}.${first.name}`, via, 'reference', stepSpan(first), extent);
          return;
        }
        break;
      case 'run':
        if (isTest && first?.kind === 'attr') {
          this.#occurrence(`run.${first.name}`, '', 'reference', stepSpan(first), extent);
          if (second?.kind === 'attr')
            this.#occurrence(
              `output.${second.name}`,
              `run:${first.name}`,
              'reference',
              stepSpan(second),
              extent,
            );
          return;
        }
        break;
    }
    this.#resourceReference(traversal, 0, via, extent);
  }

  #resourceReference(
    traversal: Traversal,
    from: number,
    via: string,
    extent: Span,
    refactoring?: Occurrence['refactoring'],
  ): void {
    const head = traversal.steps[from];
    const headName = nameOf(head);
    const isMode =
      headName === 'data' ||
      headName === 'ephemeral' ||
      headName === 'action' ||
      headName === 'resource' ||
      (headName === 'list' && this.#kind.role === 'query');
    const at = isMode ? from + 1 : from;
    const type = nameOf(traversal.steps[at]);
    const name = traversal.steps[at + 1];
    if (type === undefined || name?.kind !== 'attr') return;
    const prefix = !isMode || headName === 'resource' ? '' : `${headName}.`;
    const key = `${prefix}${type}.${name.name}`;
    this.#occurrence(key, via, 'reference', stepSpan(name), extent, refactoring);
  }

  #moduleReference(traversal: Traversal, via: string, extent: Span): void {
    const [, call, ...rest] = traversal.steps;
    if (call?.kind !== 'attr') return;
    const isWhole = rest.every(({ kind }) => kind === 'index') && !this.#consumed.has(traversal);
    this.#occurrence(
      `module.${call.name}`,
      via,
      'reference',
      stepSpan(call),
      extent,
      undefined,
      isWhole,
    );
    const output = rest.find((step) => step.kind !== 'index' && step.kind !== 'splat');
    if (output?.kind === 'attr')
      this.#occurrence(
        `output.${output.name}`,
        joined(via, call.name),
        'reference',
        stepSpan(output),
        extent,
      );
  }

  /** An address such as `module.a["k"].aws_instance.web[0]`. */
  #address(traversal: Traversal, via: string, refactoring?: Occurrence['refactoring']): void {
    const { steps } = traversal;
    const extent = spanOf(traversal.range);
    let at = 0;
    let inside = via;
    for (;;) {
      const step = steps[at];
      const name = steps[at + 1];
      if (nameOf(step) !== 'module' || name?.kind !== 'attr') break;
      this.#occurrence(
        `module.${name.name}`,
        inside,
        'reference',
        stepSpan(name),
        extent,
        refactoring,
      );
      inside = joined(inside, name.name);
      at += steps[at + 2]?.kind === 'index' ? 3 : 2;
    }
    if (at < steps.length) this.#resourceReference(traversal, at, inside, extent, refactoring);
  }

  #occurrence(
    key: string,
    via: string,
    role: Occurrence['role'],
    span: Span,
    extent: Span,
    refactoring?: Occurrence['refactoring'],
    isWhole = false,
  ): void {
    this.occurrences.push({
      key,
      via,
      role,
      span,
      extent,
      ...(refactoring === undefined ? {} : { refactoring }),
      ...(isWhole ? { isWhole } : {}),
    });
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();
