import {
  ArgumentError,
  CtyError,
  convert,
  DYNAMIC,
  friendlyName,
  quoteText,
  STRING,
} from '@terrane/cty';
import { UNKNOWN, unknownOf, type FunctionSpec, type Type, type Value } from '@terrane/cty';
import {
  closureOf,
  constantScope,
  evaluate,
  EXPRESSION_CLOSURE,
  hasErrors,
  isValidIdentifier,
  parseTemplate,
  Source,
  variables,
} from '@terrane/hcl';
import type { Diagnostic, Expression } from '@terrane/hcl';
import type { FileReader } from './filesystem.ts';
import { functionsOfOpenTofu, inOpenTofu } from './dialect-function.ts';
import { anything, argument, define, parameter } from './spec.ts';

const TEMPLATE_FUNCTIONS = ['templatefile', 'templatestring'];
/** The functions that read files, apart from `templatefile`. */
export const FILE_FUNCTIONS: readonly string[] = [
  'file',
  'fileexists',
  'fileset',
  'filebase64',
  'filebase64sha256',
  'filebase64sha512',
  'filemd5',
  'filesha1',
  'filesha256',
  'filesha512',
];

/** Returns the functions that templates may call; forbidden ones are replaced by functions that fail. */
function templateFunctions(
  all: ReadonlyMap<string, FunctionSpec>,
  allowFiles: boolean,
): ReadonlyMap<string, FunctionSpec> {
  const allowed = new Map(all);
  const forbid = (name: string, message: string): void => {
    for (const full of [name, `core::${name}`]) {
      const spec = allowed.get(full);
      if (spec === undefined) continue;
      const fail = (): never => {
        throw new CtyError(message);
      };
      allowed.set(full, { ...spec, returnType: fail, implementation: fail });
    }
  };
  for (const name of TEMPLATE_FUNCTIONS) {
    forbid(name, `cannot recursively call ${name} from inside another template function`);
  }
  for (const name of allowFiles ? [] : FILE_FUNCTIONS) {
    forbid(
      name,
      `cannot use filesystem access functions like ${name} in templatestring templates; consider passing the function result as a template variable instead`,
    );
  }
  return allowed;
}

/** Diagnostics in one line, as an error message quotes them. */
function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  const [first] = diagnostics;
  if (first === undefined) return 'no diagnostics';
  const more = diagnostics.length - 1;
  const suffix = more > 0 ? `, and ${more} other diagnostic(s)` : '';
  return `${diagnosticText(first)}${suffix}`;
}

function diagnosticText(diagnostic: Diagnostic): string {
  return `${diagnostic.subject}: ${diagnostic.summary}; ${diagnostic.detail}`;
}

/** The maximum nesting depth of templates. */
const MAX_TEMPLATE_DEPTH = 100;
const TOO_DEEP = `maximum recursion depth ${MAX_TEMPLATE_DEPTH} reached`;

/** Restrictions of functions within templates: no nested templates, no files either, or none (OpenTofu). */
type Allowance = 'no templates' | 'no files' | 'all';

class Renderer {
  readonly #allFunctions: () => ReadonlyMap<string, FunctionSpec>;
  readonly #allowance: Allowance;
  #functions: ReadonlyMap<string, FunctionSpec> | undefined;
  #depth: number = 0;
  /** The calls that lead to the template that exceeds the limit, outermost first. */
  #trail: string[] = [];

  constructor(allFunctions: () => ReadonlyMap<string, FunctionSpec>, allowance: Allowance) {
    this.#allFunctions = allFunctions;
    this.#allowance = allowance;
  }

  /** Formats the error of a template. The error of too deeply nested templates is reported once. */
  #problem(diagnostics: readonly Diagnostic[]): string {
    const [first] = diagnostics;
    if (first === undefined || !first.detail.includes(TOO_DEEP)) {
      return diagnosticsText(diagnostics);
    }
    this.#trail.unshift(String(first.subject));
    return `${TOO_DEEP} in ${beginningOf(this.#trail)} ... `;
  }

  /** The template's result. `vars` is known and not marked at any depth that matters. */
  render(template: Expression, vars: Value): Value {
    if (vars.type.kind !== 'map' && vars.type.kind !== 'object') {
      throw new ArgumentError(1, 'invalid vars value: must be a map');
    }
    // Without a prototype, whose members would hide keys such as "__proto__".
    const values: Record<string, Value> = Object.create(null);
    for (const [key, value] of vars.entries()) {
      const name = key.asString();
      if (!isValidIdentifier(name)) {
        throw new ArgumentError(
          1,
          `invalid template variable name ${quoteText(name)}: must start with a letter, followed by zero or more letters, digits, and underscores`,
        );
      }
      values[name] = value;
    }
    for (const traversal of variables(template)) {
      const root = traversal.steps[0];
      if (root?.kind !== 'root' || Object.hasOwn(values, root.name)) continue;
      const location =
        root.range.filename === OPENTOFU_TEMPLATE ? '' : `, referenced at ${root.range}`;
      throw new ArgumentError(
        1,
        `vars map does not contain key ${quoteText(root.name)}${location}`,
      );
    }
    const all = this.#allFunctions();
    this.#functions ??=
      this.#allowance === 'all'
        ? functionsOfOpenTofu(all)
        : templateFunctions(all, this.#allowance !== 'no files');
    if (this.#depth >= MAX_TEMPLATE_DEPTH) {
      this.#trail = [];
      throw new CtyError(TOO_DEEP);
    }
    this.#depth++;
    const diagnostics: Diagnostic[] = [];
    const result = evaluate(template, constantScope(values, this.#functions), diagnostics);
    this.#depth--;
    if (hasErrors(diagnostics)) throw new CtyError(this.#problem(diagnostics));
    if (!result.isNull || this.#allowance === 'all') return result;
    throw new CtyError(
      `${template.range}: Template result is null; The result of the template is null, which is not a valid result for a templatestring call.`,
    );
  }
}

/** The template call chain of a cycle or of too deep a nesting, up to the first repetition. */
function beginningOf(trail: readonly string[]): string {
  const repetition = trail.findIndex((place, at) => trail.indexOf(place) < at);
  return trail.slice(0, Math.min(repetition < 0 ? 16 : repetition + 1, 16)).join(', ');
}

function parse(filename: string, text: string, prefix: string): Expression {
  const { expression, diagnostics } = parseTemplate(new Source(filename, text));
  if (!hasErrors(diagnostics)) return expression;
  throw new CtyError(prefix + diagnosticsText(diagnostics));
}

/** `templatefile` and `templatestring`; `allFunctions` returns the table that contains them. */
export function templateFunctionSpecs(
  reader: FileReader,
  allFunctions: () => ReadonlyMap<string, FunctionSpec>,
): readonly FunctionSpec[] {
  const fileRenderer = new Renderer(allFunctions, 'no templates');
  const stringRenderer = new Renderer(allFunctions, 'no files');
  const freeRenderer = new Renderer(allFunctions, 'all');
  const fileParameters = [
    parameter('path', STRING, 'marked', 'unknown'),
    anything('vars', 'marked', 'unknown'),
  ];
  const renderFile = (path: Value, vars: Value, renderer: Renderer): Value => {
    const name = path.unmark().asString();
    const template = parse(name, reader.readText(name, path), '');
    return renderer.render(template, vars);
  };
  const fileResult = (args: readonly Value[], type: Type, renderer: Renderer): Value => {
    const path = argument(args, 0);
    const vars = argument(args, 1).unmarkDeep();
    const result =
      path.isKnown && vars.value.isKnown ? renderFile(path, vars.value, renderer) : unknownOf(type);
    return result.withSameMarks(path).withMarks(vars.marks);
  };
  const templatefile = define('templatefile', {
    description: 'The result of a template in a file, with the given variables.',
    parameters: fileParameters,
    nullable: true,
    returns: (args): Type => {
      const path = argument(args, 0);
      const vars = argument(args, 1);
      if (!path.isKnown || !vars.isKnown) return DYNAMIC;
      return renderFile(path, vars.unmarkDeep().value, fileRenderer).type;
    },
    run: (args, type) => fileResult(args, type, fileRenderer),
  });
  const templatestring = define('templatestring', {
    description: 'The result of a template that is the value of a reference.',
    parameters: [parameter('template', EXPRESSION_CLOSURE), anything('vars')],
    returns: STRING,
    run: (args, type) => renderString(args, type, stringRenderer),
  });
  // Templates may be recursive here: evaluating a template once for its type and once for its value would evaluate a
  // nested one four times, and so on.
  const templateResult = { returns: DYNAMIC, nullable: true };
  return [
    inOpenTofu(
      templatefile,
      define('templatefile', {
        ...templateResult,
        description: templatefile.description,
        parameters: fileParameters,
        run: (args, type) => fileResult(args, type, freeRenderer),
      }),
    ),
    inOpenTofu(
      templatestring,
      define('templatestring', {
        ...templateResult,
        description: templatestring.description,
        parameters: templatestring.parameters,
        run: (args) => renderAny(args, freeRenderer),
      }),
    ),
  ];
}

const OPENTOFU_TEMPLATE = 'NoFileNeeded';

/** `templatestring` in OpenTofu: any string is a template, which may call all functions and return any type. */
function renderAny(args: readonly Value[], renderer: Renderer): Value {
  const diagnostics: Diagnostic[] = [];
  const result = closureOf(argument(args, 0))?.evaluate(diagnostics);
  if (result === undefined || hasErrors(diagnostics)) {
    throw new ArgumentError(0, `invalid template expression: ${diagnosticsText(diagnostics)}`);
  }
  let template: Value;
  try {
    template = convert(result, STRING);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new ArgumentError(0, error.message);
  }
  const vars = argument(args, 1);
  if (!template.isKnown || !vars.isKnown) return UNKNOWN.withSameMarks(template);
  if (template.isNull) throw new ArgumentError(0, 'argument must not be null');
  const expression = parse(OPENTOFU_TEMPLATE, template.unmark().asString(), '');
  return renderer.render(expression, vars.unmarkDeep().value).withSameMarks(template);
}

function renderString(args: readonly Value[], type: Type, renderer: Renderer): Value {
  const closure = closureOf(argument(args, 0));
  if (closure === undefined) throw new CtyError('invalid template expression');
  checkTemplateReference(closure.expression);
  const diagnostics: Diagnostic[] = [];
  const evaluated = closure.evaluate(diagnostics);
  if (hasErrors(diagnostics)) {
    throw new ArgumentError(0, `invalid template expression: ${diagnosticsText(diagnostics)}`);
  }
  if (!evaluated.isKnown) return unknownOf(type);
  if (evaluated.type !== STRING || evaluated.isNull) {
    throw new ArgumentError(0, 'invalid template value: a string is required');
  }
  let template: Expression;
  try {
    const text = evaluated.unmark().asString();
    template = parse('<templatestring argument>', text, 'invalid template: ');
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new ArgumentError(0, error.message);
  }
  const result = renderer.render(template, argument(args, 1));
  try {
    return convert(result, STRING).withSameMarks(evaluated);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new CtyError(`invalid template result: ${error.message || friendlyName(result.type)}`);
  }
}

const ELSEWHERE =
  'templatestring is only for rendering templates retrieved dynamically from elsewhere';

function checkTemplateReference(e: Expression): void {
  const fail = (reason: string): never => {
    throw new ArgumentError(0, `invalid template expression: ${reason}`);
  };
  switch (e.kind) {
    case 'scopeTraversal':
      return;
    case 'relativeTraversal':
      return checkTemplateReference(e.source);
    case 'index':
      return checkTemplateReference(e.collection);
    case 'splat':
      return checkTemplateReference(e.source);
    case 'templateWrap':
      return fail(
        `${ELSEWHERE}; to treat the inner expression as template syntax, write the reference expression directly without any template interpolation syntax`,
      );
    case 'template':
      return fail(
        e.parts.length === 1 && e.parts[0]?.kind === 'literal'
          ? `${ELSEWHERE}, and so does not support providing a literal template; consider using a template string expression instead`
          : `${ELSEWHERE}; to render an inline template, consider using a plain template string expression`,
      );
    default:
      return fail(
        'must be a direct reference to a single string from elsewhere, containing valid Terraform template syntax',
      );
  }
}
