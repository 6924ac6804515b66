import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GoReader, type GoScope, type GoValue } from './go-expressions.ts';
import { goTokens, type Token } from './go-tokens.ts';

/** A step of a test. */
export type Step =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'notify'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'call'; readonly method: string; readonly params: unknown }
  | {
      readonly kind: 'expect';
      readonly method: string;
      readonly params: unknown;
      readonly result: unknown;
    }
  | { readonly kind: 'expect-error'; readonly method: string; readonly params: unknown };

/** A test function of terraform-ls. */
export interface HandlerTest {
  readonly name: string;
  readonly file: string;
  readonly steps: readonly Step[];
  /** why the test cannot be executed; undefined if it can */
  readonly unsupported?: string;
}

/** Reads the test functions of a folder of Go source. `directoryOf` names the directory of a test. */
export function readHandlerTests(
  folder: string,
  directoryOf: (test: string) => string,
): { readonly tests: readonly HandlerTest[]; readonly globals: ReadonlyMap<string, GoValue> } {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('_test.go'))
    .sort();
  const sources = files.map((file) => ({
    file,
    tokens: goTokens(readFileSync(join(folder, file), 'utf8')),
  }));
  const globals = new Map<string, GoValue>();
  for (const { tokens } of sources) readGlobals(tokens, globals);
  const tests = sources.flatMap(({ file, tokens }) =>
    functionsOf(tokens).map(({ name, start, end }) =>
      readTest(name, { file, folder, globals }, tokens.slice(start, end), directoryOf(name)),
    ),
  );
  return { tests, globals };
}

/** Reads variables and constants of the package that are texts. */
function readGlobals(tokens: readonly Token[], globals: Map<string, GoValue>): void {
  let depth = 0;
  for (const [index, { text, kind }] of tokens.entries()) {
    if (kind === 'sign' && '([{'.includes(text)) depth++;
    if (kind === 'sign' && ')]}'.includes(text)) depth--;
    const value = tokens[index + 3];
    if (depth > 0 || (text !== 'var' && text !== 'const')) continue;
    if (tokens[index + 2]?.text === '=' && value?.kind === 'string') {
      globals.set(tokens[index + 1]?.text ?? '', value.value);
    }
  }
}

function functionsOf(tokens: readonly Token[]) {
  const functions: { name: string; start: number; end: number }[] = [];
  for (const [index, { text }] of tokens.entries()) {
    const name = tokens[index + 1]?.text ?? '';
    if (text !== 'func' || !name.startsWith('Test')) continue;
    let start = index;
    while (tokens[start]?.text !== '{') start++;
    let depth = 0;
    let end = start;
    do {
      const { text: sign = '', kind } = tokens[end++] ?? {};
      if (kind === 'sign' && sign === '{') depth++;
      if (kind === 'sign' && sign === '}') depth--;
    } while (depth > 0);
    functions.push({ name, start, end });
  }
  return functions;
}

function readTest(
  name: string,
  source: {
    readonly file: string;
    readonly folder: string;
    readonly globals: ReadonlyMap<string, GoValue>;
  },
  tokens: readonly Token[],
  directory: string,
): HandlerTest {
  const { file, folder, globals } = source;
  const steps: Step[] = [];
  const scope: GoScope = {
    variables: new Map(globals),
    directory,
    packageFolder: folder,
    name,
    onDirectory: (path) => steps.push({ kind: 'directory', path }),
  };
  let unsupported: string | undefined;
  const fail = (reason: string): void => {
    unsupported ??= reason;
  };
  const reader = new GoReader(tokens, 1, scope);
  /** paths of files that are created, by variable */
  const created = new Map<string, string>();
  while (reader.peek() !== '') {
    const start = reader.position;
    const words = [0, 1, 2, 3].map((offset) => reader.peek(offset));
    const call = words.slice(0, 3).join('');
    if (words[0] === 'for') fail('a loop over a table');
    if (words[0] === 'ls' && words[1] === '.' && words[3] === '(') {
      reader.position += 3;
      const [, request, expected] = reader.arguments();
      const step = stepOf(words[2] ?? '', request, expected);
      if (typeof step === 'string') fail(step);
      else if (step !== undefined) steps.push(step);
    } else if (call === 'os.WriteFile' || words[0] === 'writeContentToFile') {
      reader.position += call === 'os.WriteFile' ? 3 : 1;
      const values = reader.arguments().filter((value) => typeof value === 'string');
      const [path, text] = values;
      if (path === undefined || text === undefined) fail('a file whose text is not known');
      else steps.push({ kind: 'write', path, text });
    } else if (call.endsWith('.WriteString') && created.has(words[0] ?? '')) {
      reader.position += 3;
      const [text] = reader.arguments();
      const path = created.get(words[0] ?? '');
      if (path === undefined || typeof text !== 'string') fail('a file whose text is not known');
      else steps.push({ kind: 'write', path, text });
    } else if (words[0] === 'InitPluginCache') {
      reader.position++;
      const [path] = reader.arguments().filter((value) => typeof value === 'string');
      if (path !== undefined) steps.push({ kind: 'write', path: join(path, 'empty.tf'), text: '' });
    } else {
      const assignment = [1, 3].find((offset) => /^:?=$/.test(reader.peek(offset)));
      const isPair = assignment === 3 && words[1] === ',';
      if (tokens[reader.position]?.kind === 'name' && (assignment === 1 || isPair)) {
        reader.position += (assignment ?? 1) + 1;
        // The value may be a call that is a step of its own, such as an assignment to err.
        const isStep =
          (/^(?:os|ls|filepath)$/.test(reader.peek()) && words[0] === 'err') ||
          created.has(reader.peek());
        if ([0, 1, 2].map((offset) => reader.peek(offset)).join('') === 'os.Create') {
          reader.position += 3;
          const [path] = reader.arguments();
          if (typeof path === 'string') created.set(words[0] ?? '', path);
        } else if (!isStep) scope.variables.set(words[0] ?? '', reader.expression());
      } else reader.position++;
    }
    if (reader.position <= start) reader.position = start + 1;
  }
  if (!steps.some(({ kind }) => kind === 'expect' || kind === 'expect-error')) {
    fail('no answer is expected');
  }
  return { name, file, steps, ...(unsupported === undefined ? {} : { unsupported }) };
}

/** Returns the step of a call of the server, undefined if it is none, or a text with what is not understood. */
function stepOf(kind: string, request: GoValue, expected: GoValue): Step | string | undefined {
  if (!['Call', 'Notify', 'CallAndExpectResponse', 'CallAndExpectError'].includes(kind)) {
    return undefined;
  }
  if (typeof request !== 'object' || request.kind !== 'fields') return 'a request of another form';
  const method = request.fields.get('Method');
  const text = request.fields.get('ReqParams');
  if (typeof method !== 'string') return 'a request without a known method';
  if (request.fields.has('ReqParams') && typeof text !== 'string') {
    return 'a request whose parameters are not known';
  }
  const params = parseJson(text);
  if (params === INVALID) return 'parameters that are no JSON';
  if (kind === 'Notify') return { kind: 'notify', method, params };
  if (kind === 'Call') return { kind: 'call', method, params };
  if (kind === 'CallAndExpectError') return { kind: 'expect-error', method, params };
  const answer = parseJson(expected);
  if (answer === INVALID || typeof answer !== 'object' || answer === null) {
    return 'an answer that is not known';
  }
  const result: unknown = 'result' in answer ? answer.result : undefined;
  return { kind: 'expect', method, params, result };
}

const INVALID = Symbol('no JSON');

function parseJson(text: GoValue): unknown {
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') return INVALID;
  try {
    return JSON.parse(text);
  } catch {
    return INVALID;
  }
}
