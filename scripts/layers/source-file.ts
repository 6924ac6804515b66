import { isNode, nameOf, type Node, parseSource, textOf, walk } from '../syntax.ts';
import { outsideGlobals, outsideMembers, outsideModules, randomExports } from './table.ts';

/** The facts about one source file that the layer rules use. */
export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Direct uses of the outside, such as the file system or the network. */
  readonly outside: readonly OutsideUse[];
  /** Uses of the platform of this process, instead of that of the host. */
  readonly platform: readonly OutsideUse[];
}

/** An import or re-export. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Loaded when it is called for, so it cannot close a cycle at start-up. */
  readonly dynamic: boolean;
}

/** A use of the file system, the environment, the clock, randomness, the network or the screen. */
export interface OutsideUse {
  readonly what: string;
  readonly line: number;
  /** The comment `// outside-world: …` on or above the line, where there is one. */
  readonly reason?: string;
}

/** Reads a source file; throws where it cannot be parsed. */
export function readSource(path: string, text: string): SourceFile {
  const { program, comments, lineOf } = parseSource(path, text);
  const reasons = new Map<number, string>();
  for (const comment of comments) {
    const reason = /^\s*outside-world:\s*(\S.{8,})$/s.exec(comment.value)?.[1];
    if (reason === undefined) continue;
    reasons.set(lineOf(comment.start), reason);
    reasons.set(lineOf(comment.end) + 1, reason);
  }
  const findings = new Findings();
  walk(program, (node, parent, key) => inspect(node, parent, key, findings));
  const useAt = ({
    what,
    start,
  }: {
    readonly what: string;
    readonly start: number;
  }): OutsideUse => {
    const line = lineOf(start);
    const reason = reasons.get(line);
    return { what, line, ...(reason === undefined ? {} : { reason }) };
  };
  const outside = findings.outside
    .filter(({ name }) => name === undefined || !findings.bound.has(name))
    .map(useAt);
  const platform = findings.platform.map(useAt);
  const imports = findings.imports.map(({ start, ...rest }) => ({ ...rest, line: lineOf(start) }));
  return { path, imports, outside, platform };
}

class Findings {
  readonly imports: { specifier: string; start: number; dynamic: boolean }[] = [];
  readonly outside: { what: string; start: number; name?: string }[] = [];
  readonly platform: { what: string; start: number }[] = [];
  /** Names that the file binds itself, which therefore are not the globals of that name. */
  readonly bound = new Set<string>();
}

function inspect(node: Node, parent: Node | undefined, key: string, findings: Findings): void {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return inspectImport(node, findings);
    case 'ImportExpression':
    case 'TSImportType':
      return inspectDynamic(node, findings);
    case 'Identifier':
      return inspectName(node, parent, key, findings);
    case 'MemberExpression':
      return inspectMember(node, findings);
    case 'NewExpression':
    case 'CallExpression': {
      const list = node['arguments'];
      const now = node.type === 'CallExpression' || (Array.isArray(list) && list.length === 0);
      if (now && nameOf(node['callee']) === 'Date')
        report(findings, node, 'the current time', 'Date');
    }
  }
}

function inspectImport(node: Node, findings: Findings): void {
  const specifier = textOf(node['source']);
  if (specifier === undefined) return;
  findings.imports.push({ specifier, start: node.start, dynamic: false });
  const typeOnly = node['importKind'] === 'type' || node['exportKind'] === 'type';
  if (typeOnly) return;
  const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'].filter(isNode) : [];
  for (const item of specifiers) {
    const local = nameOf(item['local']);
    if (local !== undefined && node.type === 'ImportDeclaration') findings.bound.add(local);
  }
  const values = specifiers.filter(
    (item) => item['importKind'] !== 'type' && item['exportKind'] !== 'type',
  );
  if (values.length === 0 && specifiers.length > 0) return;
  if (outsideModules.has(specifier)) report(findings, node, specifier);
  if (specifier === 'node:path') inspectPathImport(node, values, findings);
  if (specifier !== 'node:crypto') return;
  for (const item of values) {
    const imported = nameOf(item['imported']) ?? nameOf(item['local']);
    const isWholeModule = item.type !== 'ImportSpecifier' && item.type !== 'ExportSpecifier';
    if (isWholeModule) report(findings, node, 'all of node:crypto, which holds randomness');
    else if (imported !== undefined && randomExports.has(imported)) {
      report(findings, node, `${imported} of node:crypto`);
    }
  }
}

/** Reports functions of node:path that follow the platform of this process; `posix` and `win32` do not. */
function inspectPathImport(node: Node, values: readonly Node[], findings: Findings): void {
  for (const item of values) {
    const imported = nameOf(item['imported']);
    if (imported === 'posix' || imported === 'win32') continue;
    const what = imported === undefined ? 'all of node:path' : `${imported} of node:path`;
    findings.platform.push({ what, start: node.start });
  }
}

function inspectDynamic(node: Node, findings: Findings): void {
  const specifier = textOf(node['source']);
  if (specifier === undefined) return;
  const dynamic = node.type === 'ImportExpression';
  findings.imports.push({ specifier, start: node.start, dynamic });
  if (dynamic && (outsideModules.has(specifier) || specifier === 'node:crypto')) {
    report(findings, node, specifier);
  }
}

function inspectName(node: Node, parent: Node | undefined, key: string, findings: Findings): void {
  const name = nameOf(node);
  if (name === undefined || !outsideGlobals.has(name)) return;
  if (isBinding(parent, key)) findings.bound.add(name);
  else if (!isLabel(parent, key)) report(findings, node, name, name);
}

function inspectMember(node: Node, findings: Findings): void {
  const object = nameOf(node['object']);
  const property = node['computed'] === true ? textOf(node['property']) : nameOf(node['property']);
  if (object === undefined || property === undefined) return;
  if (object === 'globalThis' && outsideGlobals.has(property)) report(findings, node, property);
  const member = `${object}.${property}`;
  if (member === 'process.platform') findings.platform.push({ what: member, start: node.start });
  if (outsideMembers.has(member)) report(findings, node, member, object);
}

function report(findings: Findings, node: Node, what: string, name?: string): void {
  findings.outside.push({ what, start: node.start, ...(name === undefined ? {} : { name }) });
}

/** Returns true if an identifier at this position declares a name. */
function isBinding(parent: Node | undefined, key: string): boolean {
  switch (parent?.type) {
    case 'VariableDeclarator':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
      return key === 'id' || key === 'params';
    case 'ArrowFunctionExpression':
      return key === 'params';
    case 'CatchClause':
      return key === 'param';
    case 'AssignmentPattern':
      return key === 'left';
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return key === 'local';
    case 'RestElement':
    case 'ArrayPattern':
    case 'TSParameterProperty':
      return true;
    default:
      return false;
  }
}

/** Returns true if an identifier at this position is a property name, not a reference. */
function isLabel(parent: Node | undefined, key: string): boolean {
  if (parent === undefined || parent['computed'] === true) return false;
  if (parent.type === 'MemberExpression') return key === 'property';
  if (parent.type === 'Property') return key === 'key' && parent['shorthand'] !== true;
  if (key === 'key') return true;
  return /^(TS(PropertySignature|MethodSignature|QualifiedName|EnumMember|TypeReference)|(Import|Export)Specifier)$/.test(
    parent.type,
  );
}
