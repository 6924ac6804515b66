import { isNode, nameOf, type Node, type Syntax, walk } from '../syntax.ts';

/** The function that throws an error on unless a user, a service or the system can have caused it. */
const EXPECT = 'expectUserError';

/** Functions by the part that they play in the handling of errors, known by their names. */
export interface ErrorFunctions {
  /** Functions that throw internal errors on: `expectUserError` and every function that passes its parameter to one. */
  readonly rethrowing: ReadonlySet<string>;
  /** Functions whose declared result contains diagnostics. */
  readonly diagnosing: ReadonlySet<string>;
}

/** A handler of errors that reports internal errors as if they were the user's. */
export interface UntypedCatch {
  readonly path: string;
  readonly line: number;
}

/**
 * Classifies the functions of a tree. Functions are told apart by name only, so a name counts as rethrowing only if
 * each function of that name is.
 */
export function errorFunctions(tree: readonly Syntax[]): ErrorFunctions {
  const declarations = new Map<string, Node[]>();
  const diagnosing = new Set<string>();
  for (const { program, text } of tree) {
    walk(program, (node) => {
      const name = functionName(node);
      if (name === undefined) return;
      const declared = declarations.get(name) ?? [];
      declared.push(functionOf(node));
      declarations.set(name, declared);
      const result = functionOf(node)['returnType'];
      if (isNode(result) && /\bDiagnostics?\b/.test(text.slice(result.start, result.end))) {
        diagnosing.add(name);
      }
    });
  }
  const rethrowing = new Set([EXPECT]);
  for (let size = 0; size < rethrowing.size;) {
    size = rethrowing.size;
    for (const [name, functions] of declarations) {
      if (functions.every((node) => passesParameter(node, rethrowing))) rethrowing.add(name);
    }
  }
  return { rethrowing, diagnosing };
}

/**
 * Returns the handlers (`catch` clauses and callbacks of `.catch`) that report a caught error to the user and never
 * narrow it: no call of a rethrowing function, no `throw` of the error itself, and no test for a class of errors.
 */
export function untypedCatches(syntax: Syntax, functions: ErrorFunctions): UntypedCatch[] {
  const catches: UntypedCatch[] = [];
  walk(syntax.program, (node) => {
    const handler = handlerOf(node);
    if (handler === undefined) return;
    if (!reports(handler, functions) || narrows(handler, functions)) return;
    catches.push({ path: syntax.path, line: syntax.lineOf(handler.body.start) });
  });
  return catches;
}

interface Handler {
  readonly body: Node;
  /** The name of the caught error; undefined if the handler ignores it. */
  readonly error: string | undefined;
}

function handlerOf(node: Node): Handler | undefined {
  if (node.type === 'CatchClause') {
    const { body, param } = node;
    return isNode(body) ? { body, error: nameOf(param) } : undefined;
  }
  if (node.type !== 'CallExpression' || !isNode(node['callee'])) return undefined;
  if (nameOf(node['callee']['property']) !== 'catch') return undefined;
  const [callback]: unknown[] = Array.isArray(node['arguments']) ? node['arguments'] : [];
  if (!isNode(callback) || !isNode(callback['body'])) return undefined;
  const [parameter]: unknown[] = Array.isArray(callback['params']) ? callback['params'] : [];
  return { body: callback['body'], error: nameOf(parameter) };
}

/** Reports whether a handler makes a diagnostic or puts the text of the error into a message. */
function reports({ body, error }: Handler, { diagnosing }: ErrorFunctions): boolean {
  return contains(body, (node) => {
    switch (node.type) {
      case 'Property':
        return nameOf(node['key']) === 'severity';
      case 'CallExpression':
        return (
          diagnosing.has(calledName(node) ?? '') ||
          (calledName(node) === 'String' && takes(node, error))
        );
      case 'MemberExpression':
        return (
          error !== undefined &&
          nameOf(node['property']) === 'message' &&
          nameOf(unwrapped(node['object'])) === error
        );
      default:
        return false;
    }
  });
}

function narrows({ body, error }: Handler, { rethrowing }: ErrorFunctions): boolean {
  return contains(body, (node) => {
    switch (node.type) {
      case 'CallExpression':
        return rethrowing.has(calledName(node) ?? '');
      case 'ThrowStatement':
        return error !== undefined && nameOf(node['argument']) === error;
      case 'BinaryExpression':
        return (
          node['operator'] === 'instanceof' &&
          nameOf(node['left']) === error &&
          nameOf(node['right']) !== 'Error'
        );
      default:
        return false;
    }
  });
}

/** Reports whether a function hands its first parameter to a rethrowing function. */
function passesParameter(node: Node, rethrowing: ReadonlySet<string>): boolean {
  const [first]: unknown[] = Array.isArray(node['params']) ? node['params'] : [];
  const parameter = nameOf(first);
  const { body } = node;
  if (parameter === undefined || !isNode(body)) return false;
  return contains(
    body,
    (call) =>
      call.type === 'CallExpression' &&
      rethrowing.has(calledName(call) ?? '') &&
      takes(call, parameter),
  );
}

function takes(call: Node, name: string | undefined): boolean {
  const [first]: unknown[] = Array.isArray(call['arguments']) ? call['arguments'] : [];
  return name !== undefined && nameOf(first) === name;
}

/** Searches a subtree, without the functions and the handlers inside of it. */
function contains(node: Node, matches: (node: Node) => boolean): boolean {
  let matched = false;
  walk(node, (child) => {
    if (matched || (child !== node && child.type === 'CatchClause')) return false;
    matched = matches(child);
    return !matched;
  });
  return matched;
}

function calledName(call: Node): string | undefined {
  const { callee } = call;
  if (!isNode(callee)) return undefined;
  if (callee.type !== 'MemberExpression') return nameOf(callee);
  const { property } = callee;
  if (isNode(property) && property.type === 'PrivateIdentifier') return String(property['name']);
  return nameOf(property);
}

function functionName(node: Node): string | undefined {
  if (node.type === 'FunctionDeclaration') return nameOf(node['id']);
  if (node.type === 'VariableDeclarator' && isFunction(node['init'])) return nameOf(node['id']);
  if (node.type !== 'MethodDefinition') return undefined;
  const { key } = node;
  if (isNode(key) && key.type === 'PrivateIdentifier') return String(key['name']);
  return nameOf(key);
}

function functionOf(node: Node): Node {
  const { init, value } = node;
  if (node.type === 'VariableDeclarator' && isNode(init)) return init;
  return node.type === 'MethodDefinition' && isNode(value) ? value : node;
}

function isFunction(value: unknown): boolean {
  return isNode(value) && /^(ArrowFunction|Function)Expression$/.test(value.type);
}

function unwrapped(node: unknown): unknown {
  let inner = node;
  while (isNode(inner) && /^(TSAsExpression|ParenthesizedExpression)$/.test(inner.type)) {
    inner = inner['expression'];
  }
  return inner;
}
