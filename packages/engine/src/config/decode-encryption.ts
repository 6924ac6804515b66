import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { Block, BodySchema, Diagnostic } from '@terrane/hcl';
import type { EncryptionBlock } from './model.ts';
import { staticBool } from './static-value.ts';

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

/** Decodes the `encryption` block of a `terraform` block; undefined, with diagnostics, when it is wrong. */
export function decodeEncryption(
  block: Block,
  diagnostics: Diagnostic[],
): EncryptionBlock | undefined {
  const own: Diagnostic[] = [];
  const { content, diagnostics: found } = block.body.content(ENCRYPTION_SCHEMA);
  own.push(...found);
  const single = (name: string): Block | undefined => onlyOne(content.blocks, name, own);
  for (const name of ['state', 'plan']) checkTarget(single(name), ENFORCEABLE_SCHEMA, own);
  const remote = single('remote_state_data_sources');
  if (remote !== undefined) checkRemote(remote, block, own);
  for (const type of ['key_provider', 'method']) {
    refuseTwice(
      type,
      content.blocks.filter((one) => one.type === type),
      block,
      own,
    );
  }
  diagnostics.push(...own);
  return hasErrors(own) ? undefined : { body: block.body, range: block.defRange };
}

function checkRemote(remote: Block, block: Block, diagnostics: Diagnostic[]): void {
  const { content, diagnostics: found } = remote.body.content(REMOTE_SCHEMA);
  diagnostics.push(...found);
  checkTarget(onlyOne(content.blocks, 'default', diagnostics), TARGET_SCHEMA, diagnostics);
  const named = content.blocks.filter((one) => one.type !== 'default');
  for (const one of named) checkTarget(one, TARGET_SCHEMA, diagnostics);
  refuseTwice('remote_data_source', named, block, diagnostics);
}

function checkTarget(
  target: Block | undefined,
  schema: BodySchema,
  diagnostics: Diagnostic[],
): void {
  if (target === undefined) return;
  const { content, diagnostics: found } = target.body.content(schema);
  diagnostics.push(...found);
  const enforced = content.attributes.get('enforced');
  if (enforced !== undefined) staticBool(enforced.expression, diagnostics);
  checkTarget(onlyOne(content.blocks, 'fallback', diagnostics), TARGET_SCHEMA, diagnostics);
}

/** The block of a type, of which there may be one. */
function onlyOne(
  blocks: readonly Block[],
  type: string,
  diagnostics: Diagnostic[],
): Block | undefined {
  const [first, second] = blocks.filter((one) => one.type === type);
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
  what: string,
  blocks: readonly Block[],
  { defRange }: Block,
  diagnostics: Diagnostic[],
): void {
  const names = blocks.map(({ labels }) => labels.join('.'));
  for (const name of names) {
    if (names.indexOf(name) === names.lastIndexOf(name)) continue;
    const detail = `Found multiple instances of ${what}.${name}`;
    diagnostics.push(errorDiagnostic(`Duplicate ${what}`, detail, defRange));
  }
}
