import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { Block, Body, BodySchema, Diagnostic, Range } from '@terrane/hcl';
import type { EncryptionBlock, EncryptionTarget } from './model.ts';
import { staticBool, staticString } from './static-value.ts';

const ENCRYPTION_SCHEMA: BodySchema = {
  attributes: [],
  blocks: [
    { type: 'key_provider', labelNames: ['type', 'name'] },
    { type: 'method', labelNames: ['type', 'name'] },
    { type: 'state' },
    { type: 'plan' },
    { type: 'remote_state_data_sources' },
  ],
};
const FALLBACK = { type: 'fallback' };
const TARGET_SCHEMA: BodySchema = { attributes: [{ name: 'method' }], blocks: [FALLBACK] };
const ENFORCEABLE_SCHEMA: BodySchema = {
  attributes: [{ name: 'method' }, { name: 'enforced' }],
  blocks: [FALLBACK],
};
const REMOTE_SCHEMA: BodySchema = {
  attributes: [],
  blocks: [{ type: 'default' }, { type: 'remote_state_data_source', labelNames: ['name'] }],
};

const KEY_PROVIDER_SCHEMA: BodySchema = {
  attributes: [{ name: 'encrypted_metadata_alias' }],
  blocks: [],
};
const NAME = '^([a-zA-Z_0-9-]+)$';

/** Decodes the `encryption` block of a `terraform` block; undefined, with diagnostics, if it is invalid. */
export function decodeEncryption(
  block: Block,
  diagnostics: Diagnostic[],
): EncryptionBlock | undefined {
  return decodeEncryptionBody(block.body, block.defRange, diagnostics);
}

/** Decodes the content of an `encryption` block or its replacement; undefined, with diagnostics, if it is invalid. */
export function decodeEncryptionBody(
  body: Body,
  range: Range,
  diagnostics: Diagnostic[],
): EncryptionBlock | undefined {
  const problems: Diagnostic[] = [];
  const { content, diagnostics: schemaProblems } = body.content(ENCRYPTION_SCHEMA);
  problems.push(...schemaProblems);
  const single = (name: string): Block | undefined => onlyOne(content.blocks, name, problems);
  const [state, plan] = (['state', 'plan'] as const).map((name) =>
    targetIn(single(name), ENFORCEABLE_SCHEMA, problems),
  );
  const remote = single('remote_state_data_sources');
  const remotes = remote === undefined ? NO_REMOTES : decodeRemotes(remote, range, problems);
  const blocksOf = (type: string): readonly Block[] => {
    const blocks = content.blocks.filter((block) => block.type === type);
    refuseTwice(type, blocks, range, problems);
    refuseNames(type, blocks, problems);
    return blocks;
  };
  const keyProviders = blocksOf('key_provider').map((block) => {
    const keyProviders = block.body.partialContent(KEY_PROVIDER_SCHEMA);
    problems.push(...keyProviders.diagnostics);
    const alias = keyProviders.content.attributes.get('encrypted_metadata_alias');
    return {
      type: block.labels[0] ?? '',
      name: block.labels[1] ?? '',
      alias: alias === undefined ? undefined : staticString(alias.expression, problems),
      body: keyProviders.remain,
    };
  });
  const methods = blocksOf('method').map((block) => ({
    type: block.labels[0] ?? '',
    name: block.labels[1] ?? '',
    body: block.body,
  }));
  diagnostics.push(...problems);
  if (hasErrors(problems)) return undefined;
  return { keyProviders, methods, state, plan, ...remotes, range };
}

type Remotes = Pick<EncryptionBlock, 'remoteDefault' | 'remotes'>;

const NO_REMOTES: Remotes = { remotes: new Map() };

function decodeRemotes(remote: Block, range: Range, diagnostics: Diagnostic[]): Remotes {
  const { content, diagnostics: schemaProblems } = remote.body.content(REMOTE_SCHEMA);
  diagnostics.push(...schemaProblems);
  const defaultBlock = onlyOne(content.blocks, 'default', diagnostics);
  const remoteDefault = targetIn(defaultBlock, TARGET_SCHEMA, diagnostics);
  const named = content.blocks.filter((block) => block.type !== 'default');
  const remotes = new Map<string, EncryptionTarget>();
  for (const block of named) {
    const target = targetIn(block, TARGET_SCHEMA, diagnostics);
    if (target !== undefined) remotes.set(block.labels[0] ?? '', target);
  }
  refuseTwice('remote_data_source', named, range, diagnostics);
  return { remoteDefault, remotes };
}

function targetIn(
  block: Block | undefined,
  schema: BodySchema,
  diagnostics: Diagnostic[],
): EncryptionTarget | undefined {
  if (block === undefined) return undefined;
  const { content, diagnostics: schemaProblems } = block.body.content(schema);
  diagnostics.push(...schemaProblems);
  const enforced = content.attributes.get('enforced');
  const fallback = onlyOne(content.blocks, 'fallback', diagnostics);
  return {
    method: content.attributes.get('method')?.expression,
    range: content.missingItemRange,
    enforced: enforced !== undefined && staticBool(enforced.expression, diagnostics) === true,
    fallback: targetIn(fallback, TARGET_SCHEMA, diagnostics),
  };
}

/** Returns the block of a type that may occur once. */
function onlyOne(
  blocks: readonly Block[],
  type: string,
  diagnostics: Diagnostic[],
): Block | undefined {
  const [first, second] = blocks.filter((block) => block.type === type);
  if (first !== undefined && second !== undefined) {
    diagnostics.push(
      errorDiagnostic(
        `Duplicate ${type} block`,
        `Only one ${type} block is allowed. Another was defined at ${first.defRange}.`,
        second.defRange,
      ),
    );
  }
  return first;
}

function refuseTwice(
  kind: string,
  blocks: readonly Block[],
  range: Range,
  diagnostics: Diagnostic[],
): void {
  const names = blocks.map(({ labels }) => labels.join('.'));
  for (const name of names) {
    if (names.indexOf(name) === names.lastIndexOf(name)) continue;
    const detail = `Found multiple instances of ${kind}.${name}`;
    diagnostics.push(errorDiagnostic(`Duplicate ${kind}`, detail, range));
  }
}

function refuseNames(type: string, blocks: readonly Block[], diagnostics: Diagnostic[]): void {
  const kind = type === 'method' ? 'encryption method' : 'key provider';
  for (const { labels } of blocks) {
    for (const [index, part] of (['type', 'name'] as const).entries()) {
      const label = labels[index] ?? '';
      if (new RegExp(NAME).test(label)) continue;
      diagnostics.push(
        errorDiagnostic(
          `The provided ${kind} ${part} is invalid`,
          `The supplied ${kind} ${part} (${label}) does not match the required form of ${NAME}.`,
        ),
      );
    }
  }
}
