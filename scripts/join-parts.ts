import * as crypto from 'node:crypto';
import * as promises from 'node:fs/promises';
import * as net from 'node:net';
import * as os from 'node:os';
import * as zlib from 'node:zlib';
import {
  parseSync,
  Visitor,
  type ImportDeclaration,
  type ImportSpecifier,
  type ParseResult,
  type Program,
} from 'oxc-parser';

/** One of the modules that esbuild splits the program into, with its imports of others as `./name`. */
export interface Part {
  readonly name: string;
  readonly text: string;
}

/** A piece of a text and what is to stand there instead. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The prelude of each script: importing CommonJS returns its members, and the whole module as `default`. Functions,
 * constants and namespaces of some built-in modules load the module when they are first used. The names begin with `$`, which those of
 * our sources do not, so that no declaration of a part hides them.
 */
const PRELUDE =
  `const $namespaceOf=(its)=>its?.__esModule?its:{...its,default:its};` +
  `const $functionOf=(module,name)=>{let loaded;return(...args)=>(loaded??=require(module))[name](...args)};` +
  `const $promisableOf=(module,name)=>Object.assign($functionOf(module,name),{[Symbol.for("nodejs.util.promisify.custom")]:(...args)=>require("node:util").promisify(require(module)[name])(...args)});` +
  `const $moduleOf=(module)=>new Proxy({},{get:(_,name)=>require(module)[name]});` +
  `const $constantsOf=(module)=>new Proxy({},{get:(_,name)=>require(module).constants[name]});`;

/** Built-in modules that many runs import and do not use, and that take half a millisecond or more to load. */
const COSTLY: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map([
  ['node:crypto', { ...crypto }],
  ['node:fs/promises', { ...promises }],
  ['node:net', { ...net }],
  ['node:os', { ...os }],
  ['node:zlib', { ...zlib }],
]);

/** Runs a part when it is first asked for. Parts are in no circle: esbuild sorts modules by who reaches them. */
const NEED = `const made=[];let seldom;
function need(index){return made[index]??=(parts[index]??(seldom??=seldomParts()(require,__filename,__dirname,need))[index-parts.length])(need)}`;

/** How importers find the exports of each part. */
interface Layout {
  /** numbers of the parts, first those of the first script */
  readonly indices: ReadonlyMap<string, number>;
  /**
   * Positions of the exports of a part in the list that it returns. A list takes V8 a fraction of the time of an object,
   * of which it derives a hidden class for each member. Parts that are imported as a whole (by `import()`, as a
   * namespace or by their default) are not included and return objects.
   */
  readonly positions: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/**
 * Makes classic scripts of modules: a function for each, which is compiled and run when it is first needed. A script
 * is one file to read and one cache of compiled code, as opposed to hundreds of modules; and functions of parts that a
 * run does not need cost it nothing, as opposed to one flat bundle. Both scripts are function expressions:
 *
 * - `program(require, __filename, __dirname, seldomParts)` runs the entry. `seldomParts` gives the value of the second script.
 * - `seldom(require, __filename, __dirname, need)` gives the parts for which `isSeldom` holds.
 *
 * Throws where an export is assigned to after it was made, as importers take the value once.
 */
export function joinParts(
  parts: readonly Part[],
  entry: string,
  isSeldom: (name: string) => boolean,
): { readonly program: string; readonly seldom: string } {
  const parsed = parts.map(parsePart);
  const usual = parsed.filter(({ name }) => !isSeldom(name));
  const others = parsed.filter(({ name }) => isSeldom(name));
  const layout = layoutOf([...usual, ...others]);
  const list = (scriptParts: readonly ParsedPart[]): string =>
    scriptParts.map((part) => partAsFunction(part, layout)).join(',\n');
  return {
    program: `(function(require,__filename,__dirname,seldomParts){${PRELUDE}const parts=[\n${list(usual)}\n];${NEED}\nneed(${indexOf(entry, layout)})})`,
    seldom: `(function(require,__filename,__dirname,need){${PRELUDE}return[\n${list(others)}\n]})`,
  };
}

/** A part with its syntax tree. */
interface ParsedPart extends Part {
  readonly result: ParseResult;
}

function parsePart(part: Part): ParsedPart {
  const result = parseSync(part.name, part.text);
  const [error] = result.errors;
  if (error !== undefined) throw new Error(`${part.name}: ${error.message}`);
  return { ...part, result };
}

function layoutOf(parts: readonly ParsedPart[]): Layout {
  const whole = new Set(parts.flatMap(partsImportedWhole));
  const positions = new Map<string, ReadonlyMap<string, number>>();
  for (const { name, result } of parts) {
    const { body } = result.program;
    if (whole.has(name) || body.some(({ type }) => type === 'ExportDefaultDeclaration')) continue;
    const names = body.flatMap((node) =>
      node.type === 'ExportNamedDeclaration'
        ? node.specifiers.map((its) => nameOf(its.exported))
        : [],
    );
    positions.set(name, new Map(names.map((exported, index) => [exported, index])));
  }
  return { indices: new Map(parts.map(({ name }, index) => [name, index])), positions };
}

/** Returns the names of the parts that a part imports as a whole. */
function partsImportedWhole({ text, result: { program, module } }: ParsedPart): readonly string[] {
  const sources = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    literalOf(text.slice(start, end)),
  );
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration') continue;
    if (node.specifiers.some((its) => its.type !== 'ImportSpecifier'))
      sources.push(node.source.value);
  }
  return sources.flatMap((source) =>
    source !== undefined && isPart(source) ? [source.slice(2)] : [],
  );
}

function indexOf(name: string, { indices }: Layout): number {
  const index = indices.get(name);
  if (index === undefined) throw new Error(`there is no part ${name}`);
  return index;
}

/** The function that runs a part and gives what it exports. */
function partAsFunction({ name, text, result }: ParsedPart, layout: Layout): string {
  const { program, module } = result;
  const edits: Edit[] = [];
  // Names of exports, and what each is called within the part.
  const exported = new Map<string, string>();
  for (const node of program.body) {
    const { start, end } = node;
    if (node.type === 'ImportDeclaration') {
      edits.push({ start, end, text: importAsCall(node, layout) });
    } else if (node.type === 'ExportDefaultDeclaration') {
      // Only a part that is all of a CommonJS module has this statement: esbuild lists what others export.
      edits.push({ start, end: node.declaration.start, text: 'return $namespaceOf(' });
      edits.push({ start: node.declaration.end, end, text: ');' });
    } else if (node.type === 'ExportNamedDeclaration') {
      if (node.declaration !== null || node.source !== null)
        throw new Error(`${name}: ${node.type}`);
      for (const its of node.specifiers) exported.set(nameOf(its.exported), nameOf(its.local));
      edits.push({ start, end, text: '' });
    } else if (node.type === 'ExportAllDeclaration') {
      throw new Error(`${name}: ${node.type}`);
    }
  }
  for (const { start, end, moduleRequest: asked } of module.dynamicImports) {
    edits.push({ start, end, text: importedLater(text.slice(asked.start, asked.end), layout) });
  }
  const changed = firstAssigned(program, new Set(exported.values()));
  if (changed !== undefined) throw new Error(`${name}: the export ${changed} is assigned to later`);
  return `function(need){${edited(text, edits)}\nreturn ${exportsOf(name, exported, layout)}}`;
}

/** Returns the expression for the exports of a part; `exported` has the local name of each. */
function exportsOf(
  name: string,
  exported: ReadonlyMap<string, string>,
  { positions }: Layout,
): string {
  if (positions.has(name)) return `[${[...exported.values()].join(',')}]`;
  const members = [...exported].map(([outer, local]) => `${JSON.stringify(outer)}:${local}`);
  return `{${members.join(',')}}`;
}

/** Returns the text in the quotes of a string literal; undefined for other expressions. */
const literalOf = (source: string): string | undefined => /^["'](.*)["']$/.exec(source)?.[1];

/** The expression that gives what an `import()` of something gives, in a promise. */
function importedLater(source: string, layout: Layout): string {
  const literal = literalOf(source);
  const expression = literal === undefined ? `require(${source})` : imported(literal, layout);
  return `Promise.resolve().then(()=>${literal !== undefined && isPart(literal) ? expression : `$namespaceOf(${expression})`})`;
}

/** The expression that gives what a part exports or, of anything else, what its `module.exports` is. */
function imported(source: string, layout: Layout): string {
  return isPart(source)
    ? `need(${indexOf(source.slice(2), layout)})`
    : `require(${JSON.stringify(source)})`;
}

const isPart = (source: string): boolean => /^\.\/[\w-]+\.js$/.test(source);

/** Statements that declare what an import declares. */
function importAsCall(
  { source: { value: source }, specifiers }: ImportDeclaration,
  layout: Layout,
): string {
  const names: { readonly imported: string; readonly local: string }[] = [];
  const statements: string[] = [];
  const costly = COSTLY.get(source);
  for (const { local, ...its } of specifiers) {
    if (costly !== undefined && its.type === 'ImportSpecifier' && isPlainFunction(costly, its)) {
      const args = [source, nameOf(its.imported)].map((text) => JSON.stringify(text));
      const wrapper = hasPromiseForm(costly[nameOf(its.imported)])
        ? '$promisableOf'
        : '$functionOf';
      statements.push(`const ${local.name}=${wrapper}(${args.join(',')});`);
    } else if (costly !== undefined && isConstants(its))
      statements.push(`const ${local.name}=$constantsOf(${JSON.stringify(source)});`);
    else if (costly !== undefined && its.type === 'ImportNamespaceSpecifier')
      statements.push(`const ${local.name}=$moduleOf(${JSON.stringify(source)});`);
    else if (its.type === 'ImportSpecifier')
      names.push({ imported: nameOf(its.imported), local: local.name });
    else if (isPart(source) && its.type === 'ImportDefaultSpecifier')
      names.push({ imported: 'default', local: local.name });
    else statements.push(`const ${local.name}=${imported(source, layout)};`);
  }
  if (names.length > 0) statements.push(declarationOf(names, source, layout));
  return statements.length > 0 ? statements.join('') : `${imported(source, layout)};`;
}

/** Returns the statement that declares imported members. */
function declarationOf(
  names: readonly { readonly imported: string; readonly local: string }[],
  source: string,
  layout: Layout,
): string {
  const value = imported(source, layout);
  const positions = isPart(source) ? layout.positions.get(source.slice(2)) : undefined;
  if (positions === undefined)
    return `const{${names.map((its) => `${its.imported}:${its.local}`).join(',')}}=${value};`;
  const list = `$exports${indexOf(source.slice(2), layout)}`;
  const members = names.map((its) => {
    const position = positions.get(its.imported);
    if (position === undefined) throw new Error(`${source} has no export ${its.imported}`);
    return `${its.local}=${list}[${position}]`;
  });
  return `const ${[`${list}=${value}`, ...members].join(',')};`;
}

/** Returns true for an import of the constants of a built-in module, of which only members are read. */
function isConstants(its: { readonly type: string } | ImportSpecifier): boolean {
  return 'imported' in its && nameOf(its.imported) === 'constants';
}

/** Returns true if an import is a function that is no constructor, by its name. */
function isPlainFunction(
  module: Readonly<Record<string, unknown>>,
  { imported: its }: Pick<ImportSpecifier, 'imported'>,
): boolean {
  const name = nameOf(its);
  return typeof module[name] === 'function' && !/^[A-Z]/.test(name);
}

/**
 * Returns true if `promisify` treats a function specially, by a symbol that only Node's own function has: the promise
 * of `generateKeyPair` has two values.
 */
const hasPromiseForm = (value: unknown): boolean =>
  typeof value === 'function' && Object.getOwnPropertySymbols(value).length > 0;

const nameOf = (its: { readonly name: string } | { readonly value: string }): string =>
  'name' in its ? its.name : its.value;

/** The first of the names that anything is assigned to, besides where it is declared. */
function firstAssigned(program: Program, names: ReadonlySet<string>): string | undefined {
  let assigned: string | undefined;
  const meet = (target: { readonly type: string; readonly name?: unknown }): void => {
    if (target.type !== 'Identifier' || typeof target.name !== 'string') return;
    if (names.has(target.name)) assigned ??= target.name;
  };
  new Visitor({
    AssignmentExpression: ({ left }) => meet(left),
    UpdateExpression: ({ argument }) => meet(argument),
  }).visit(program);
  return assigned;
}

function edited(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((first, other) => first.start - other.start)) {
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return pieces.join('') + text.slice(at);
}
