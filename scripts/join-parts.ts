import * as crypto from 'node:crypto';
import * as promises from 'node:fs/promises';
import * as net from 'node:net';
import * as zlib from 'node:zlib';
import {
  parseSync,
  Visitor,
  type ImportDeclaration,
  type ImportSpecifier,
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

/** Built-in modules that many runs import and do not use, and that take milliseconds to load. */
const COSTLY: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map([
  ['node:crypto', { ...crypto }],
  ['node:fs/promises', { ...promises }],
  ['node:net', { ...net }],
  ['node:zlib', { ...zlib }],
]);

/** Runs a part when it is first asked for. Parts are in no circle: esbuild sorts modules by who reaches them. */
const NEED = `const made=new Map();
function need(name){let its=made.get(name);if(its===undefined){its=(parts[name]??(seldom??=seldomParts()(require,__filename,__dirname,need))[name])(need);made.set(name,its)}return its}
let seldom;`;

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
  const list = (wanted: boolean): string =>
    parts
      .filter(({ name }) => isSeldom(name) === wanted)
      .map((part) => `${JSON.stringify(part.name)}:${partAsFunction(part)}`)
      .join(',\n');
  return {
    program: `(function(require,__filename,__dirname,seldomParts){${PRELUDE}const parts={\n${list(false)}\n};${NEED}need(${JSON.stringify(entry)})})`,
    seldom: `(function(require,__filename,__dirname,need){${PRELUDE}return{\n${list(true)}\n}})`,
  };
}

/** The function that runs a part and gives what it exports. */
function partAsFunction({ name, text }: Part): string {
  const { program, module, errors } = parseSync(name, text);
  if (errors[0] !== undefined) throw new Error(`${name}: ${errors[0].message}`);
  const edits: Edit[] = [];
  // Names of exports, and what each is called within the part.
  const exported = new Map<string, string>();
  for (const node of program.body) {
    const { start, end } = node;
    if (node.type === 'ImportDeclaration') {
      edits.push({ start, end, text: importAsCall(node) });
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
    edits.push({ start, end, text: importedLater(text.slice(asked.start, asked.end)) });
  }
  const changed = firstAssigned(program, new Set(exported.values()));
  if (changed !== undefined) throw new Error(`${name}: the export ${changed} is assigned to later`);
  const result = [...exported].map(([outer, local]) => `${JSON.stringify(outer)}:${local}`);
  return `function(need){${edited(text, edits)}\nreturn{${result.join(',')}}}`;
}

/** The expression that gives what an `import()` of something gives, in a promise. */
function importedLater(source: string): string {
  const literal = /^["'](.*)["']$/.exec(source)?.[1];
  const expression = literal === undefined ? `require(${source})` : imported(literal);
  return `Promise.resolve().then(()=>${literal !== undefined && isPart(literal) ? expression : `$namespaceOf(${expression})`})`;
}

/** The expression that gives what a part exports or, of anything else, what its `module.exports` is. */
function imported(source: string): string {
  return isPart(source)
    ? `need(${JSON.stringify(source.slice(2))})`
    : `require(${JSON.stringify(source)})`;
}

const isPart = (source: string): boolean => /^\.\/[\w-]+\.js$/.test(source);

/** Statements that declare what an import declares. */
function importAsCall({ source: { value: source }, specifiers }: ImportDeclaration): string {
  const names: string[] = [];
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
    else if (its.type === 'ImportSpecifier') names.push(`${nameOf(its.imported)}:${local.name}`);
    else if (isPart(source) && its.type === 'ImportDefaultSpecifier')
      names.push(`default:${local.name}`);
    else statements.push(`const ${local.name}=${imported(source)};`);
  }
  if (names.length > 0) statements.push(`const{${names.join(',')}}=${imported(source)};`);
  return statements.length > 0 ? statements.join('') : `${imported(source)};`;
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
