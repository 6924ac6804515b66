import {
  type Block,
  type BodySchema,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  warningDiagnostic,
} from '@terrane/hcl';
import { collectLocals } from '../language/decode-locals.ts';
import { checkCoreVersion, unsupportedPlugins } from '../language/decode-policy-file.ts';
import { fileContent } from '../language/file-content.ts';
import type { PolicyKind } from '../language/model.ts';
import type { MockData, MockObject, PolicyTestFile } from './model.ts';

const FILE_SCHEMA: BodySchema = {
  attributes: [],
  blocks: [
    { type: 'policytest' },
    { type: 'inputs' },
    { type: 'locals' },
    { type: 'resource', labelNames: ['resource type', 'name'] },
    { type: 'provider', labelNames: ['provider type', 'name'] },
    { type: 'module', labelNames: ['module source', 'name'] },
    { type: 'data', labelNames: ['data source type', 'name'] },
  ],
};

const SETTINGS_SCHEMA: BodySchema = {
  attributes: [{ name: 'targets' }],
  blocks: [{ type: 'terraform_config' }, { type: 'plugins' }],
};

const OBJECT_ATTRIBUTES = [
  { name: 'attrs' },
  { name: 'meta' },
  { name: 'expect_failure' },
  { name: 'skip' },
];
const OBJECT_SCHEMA: BodySchema = {
  attributes: OBJECT_ATTRIBUTES,
  blocks: [{ type: 'inputs' }],
};
const RESOURCE_SCHEMA: BodySchema = {
  ...OBJECT_SCHEMA,
  attributes: [...OBJECT_ATTRIBUTES, { name: 'prior_attrs' }],
};
const DATA_SCHEMA: BodySchema = { attributes: [{ name: 'attrs', required: true }], blocks: [] };

/** Parses and decodes a test file; incomplete if there are errors. */
export function decodeTestFile(
  path: string,
  bytes: Uint8Array,
): { readonly file: PolicyTestFile; readonly diagnostics: readonly Diagnostic[] } {
  const { source, content, diagnostics } = fileContent(path, bytes, FILE_SCHEMA);
  const inputs = new Map<string, Expression>();
  const locals = new Map<string, Expression>();
  const objects: MockObject[] = [];
  const data: MockData[] = [];
  let targets: PolicyTestFile['targets'];
  for (const block of content.blocks) {
    switch (block.type) {
      case 'policytest':
        targets = decodeSettings(block, diagnostics) ?? targets;
        break;
      case 'inputs':
        collectInputs(block, inputs, diagnostics);
        break;
      case 'locals':
        collectLocals(block.body, locals, diagnostics);
        break;
      case 'data':
        decodeData(block, data, diagnostics);
        break;
      default: {
        const object = decodeObject(block, diagnostics);
        if (objects.some(({ address }) => address === object.address)) {
          // Published test files have such mocks, so each is tested; only references to them are ambiguous.
          const detail = `The file has another mock with the address ${object.address}. Both are tested, and references mean the last one. Rename one of them.`;
          diagnostics.push(warningDiagnostic('Duplicate mock', detail, block.defRange));
        }
        objects.push(object);
      }
    }
  }
  const file: PolicyTestFile = {
    path,
    source,
    inputs,
    locals,
    objects,
    data,
    ...(targets === undefined ? {} : { targets }),
  };
  return { file, diagnostics };
}

function decodeSettings(block: Block, diagnostics: Diagnostic[]): PolicyTestFile['targets'] {
  const { content, diagnostics: problems } = block.body.content(SETTINGS_SCHEMA);
  diagnostics.push(...problems);
  for (const part of content.blocks) {
    if (part.type === 'terraform_config') checkCoreVersion(part, diagnostics);
    else diagnostics.push(unsupportedPlugins(part));
  }
  const expression = content.attributes.get('targets')?.expression;
  if (expression === undefined) return undefined;
  const before = diagnostics.length;
  const value = evaluate(expression, undefined, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  const paths: string[] = [];
  const isList = value.isKnown && !value.isNull && value.type.kind === 'tuple';
  for (const each of isList ? value.elements() : [value]) {
    if (each.isKnown && !each.isNull && each.type.kind === 'string') paths.push(each.asString());
    else {
      const detail = 'The argument "targets" is a list of paths of policy files and directories.';
      diagnostics.push(errorDiagnostic('Invalid targets', detail, expression.range));
      return undefined;
    }
  }
  return { paths, range: expression.range };
}

function collectInputs(
  block: Block,
  inputs: Map<string, Expression>,
  diagnostics: Diagnostic[],
): void {
  const { attributes, diagnostics: problems } = block.body.justAttributes();
  diagnostics.push(...problems);
  for (const { name, expression } of attributes.values()) inputs.set(name, expression);
}

function decodeData(block: Block, data: MockData[], diagnostics: Diagnostic[]): void {
  const [type = '', name = ''] = block.labels;
  const { content, diagnostics: problems } = block.body.content(DATA_SCHEMA);
  diagnostics.push(...problems);
  const attrs = content.attributes.get('attrs')?.expression;
  if (attrs !== undefined) data.push({ type, name, range: block.defRange, attrs });
}

function decodeObject(block: Block, diagnostics: Diagnostic[]): MockObject {
  const [target = '', name = ''] = block.labels;
  const kind = block.type as PolicyKind; // the file's schema has only these blocks
  const schema = kind === 'resource' ? RESOURCE_SCHEMA : OBJECT_SCHEMA;
  const { content, diagnostics: problems } = block.body.content(schema);
  diagnostics.push(...problems);
  const inputs = new Map<string, Expression>();
  for (const part of content.blocks) collectInputs(part, inputs, diagnostics);
  const part = <K extends 'attrs' | 'priorAttrs' | 'meta' | 'expectFailure' | 'skip'>(
    key: K,
    attribute: string,
  ): { readonly [P in K]?: Expression } => {
    const expression = content.attributes.get(attribute)?.expression;
    return (expression === undefined ? {} : { [key]: expression }) as {
      readonly [P in K]?: Expression;
    }; // one key
  };
  return {
    kind,
    target,
    name,
    address: `${kind}.${target}.${name}`,
    range: block.defRange,
    inputs,
    ...part('attrs', 'attrs'),
    ...part('priorAttrs', 'prior_attrs'),
    ...part('meta', 'meta'),
    ...part('expectFailure', 'expect_failure'),
    ...part('skip', 'skip'),
  };
}
