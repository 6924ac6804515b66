import { errorDiagnostic, parseTraversal, Source, type Diagnostic } from '@terrane/hcl';
import { parseModulePrefix } from './module-prefix.ts';
import { moduleInstanceOf, parseTarget, stepsRange } from './parse-address.ts';

/** The kind of object that contains a check. */
export type CheckableKind = 'resource' | 'output_value' | 'check' | 'input_variable';

/** An object with checks: its address, and the address of its declaration, without instance keys. */
export interface CheckableAddr {
  readonly text: string;
  readonly config: string;
}

/** The keyword and the display name of declarations other than resources. */
const KEYWORDS = {
  output_value: ['output', 'output value'],
  check: ['check', 'check block'],
  input_variable: ['var', 'variable value'],
} as const;

const MODULES = String.raw`(?:module\.[A-Za-z_][\w-]*\.)*`;
const NAME = String.raw`[A-Za-z_][\w-]*`;
const RESERVED =
  'module|resource|ephemeral|count|each|local|path|self|terraform|var|template|lazy|arg';

/** Addresses without keys, the usual case, which need no parsing. */
const PLAIN: Readonly<Record<CheckableKind, RegExp>> = {
  resource: new RegExp(
    String.raw`^${MODULES}(?:data\.)?(?!(?:data|${RESERVED})\.)${NAME}\.${NAME}$`,
  ),
  output_value: new RegExp(String.raw`^${MODULES}output\.${NAME}$`),
  check: new RegExp(String.raw`^${MODULES}check\.${NAME}$`),
  input_variable: new RegExp(String.raw`^${MODULES}var\.${NAME}$`),
};

/** Parses the address of a checkable object, in the form of state files. Ranges of diagnostics refer to the text. */
export function parseCheckable(
  kind: CheckableKind,
  text: string,
): { readonly address?: CheckableAddr; readonly diagnostics: readonly Diagnostic[] } {
  if (PLAIN[kind].test(text)) return { address: { text, config: text }, diagnostics: [] };
  const { traversal, diagnostics } = parseTraversal(new Source('', text, { unshown: true }));
  if (traversal === undefined || diagnostics.some(({ severity }) => severity === 'error')) {
    return { diagnostics };
  }
  const prefix = parseModulePrefix(traversal.steps, true);
  if (prefix.diagnostics.length > 0) return { diagnostics: prefix.diagnostics };
  const [root, name] = prefix.rest;
  const range = stepsRange(prefix.rest);
  const invalid = (detail: string): Diagnostic =>
    errorDiagnostic('Invalid checkable address', detail, range);
  if (root === undefined || (root.kind !== 'root' && root.kind !== 'attr')) {
    return {
      diagnostics: [
        invalid(
          'Module path must be followed by either a resource instance address or an output value address.',
        ),
      ],
    };
  }
  if (kind === 'resource') {
    const { target, diagnostics: problems } = parseTarget(text);
    if (target === undefined || target.kind === 'module') return { diagnostics: problems };
    const resource = target.kind === 'resource' ? target.resource : target.instance.resource;
    const config = 'config' in resource ? resource.config : resource;
    const address = target.kind === 'resource' ? resource : target.instance;
    return { address: { text: address.text, config: config.text }, diagnostics: problems };
  }
  const [keyword, descriptor] = KEYWORDS[kind];
  const title = keyword.charAt(0).toUpperCase() + keyword.slice(1);
  const onlyName = `${title} address must have only one attribute part after the keyword '${keyword}', giving the name of the ${descriptor}.`;
  const problems: Diagnostic[] = [];
  if (prefix.rest.length !== 2) problems.push(invalid(onlyName));
  if (root.name !== keyword) {
    problems.push(
      invalid(`${title} address must follow the module address with the keyword '${keyword}'.`),
    );
  }
  if (name !== undefined && name.kind !== 'attr') problems.push(invalid(onlyName));
  if (problems.length > 0 || name?.kind !== 'attr') return { diagnostics: problems };
  const module = moduleInstanceOf(prefix.modules);
  const within = (path: string): string =>
    path === '' ? `${keyword}.${name.name}` : `${path}.${keyword}.${name.name}`;
  return {
    address: { text: within(module.text), config: within(module.path.text) },
    diagnostics: [],
  };
}
