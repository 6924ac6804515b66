import { BOOL, listType, mapType, NUMBER, STRING, type Type, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';

function optional(type: Type, ...names: readonly string[]): Record<string, AttributeSchema> {
  return Object.fromEntries(names.map((name) => [name, { type, optional: true }]));
}

function requiredAttributes(
  type: Type,
  ...names: readonly string[]
): Record<string, AttributeSchema> {
  return Object.fromEntries(names.map((name) => [name, { type, required: true }]));
}

/** The schema of `connection` blocks, for SSH and WinRM. */
export const CONNECTION_SCHEMA: BlockSchema = {
  attributes: {
    ...requiredAttributes(STRING, 'host'),
    ...optional(NUMBER, 'port', 'proxy_port', 'bastion_port'),
    ...optional(BOOL, 'agent', 'https', 'insecure', 'use_ntlm'),
    ...optional(
      STRING,
      'type',
      'user',
      'password',
      'timeout',
      'script_path',
      'target_platform',
      'private_key',
      'certificate',
      'host_key',
      'agent_identity',
      'proxy_scheme',
      'proxy_host',
      'proxy_user_name',
      'proxy_user_password',
      'bastion_host',
      'bastion_host_key',
      'bastion_user',
      'bastion_password',
      'bastion_private_key',
      'bastion_certificate',
      'cacert',
    ),
  },
  blocks: {},
};

/** The provisioner types and their schemas. */
export const PROVISIONER_SCHEMAS: ReadonlyMap<string, BlockSchema> = new Map([
  [
    'file',
    {
      attributes: {
        ...requiredAttributes(STRING, 'destination'),
        ...optional(STRING, 'source', 'content'),
      },
      blocks: {},
    },
  ],
  [
    'local-exec',
    {
      attributes: {
        ...requiredAttributes(STRING, 'command'),
        ...optional(STRING, 'working_dir'),
        ...optional(BOOL, 'quiet'),
        ...optional(listType(STRING), 'interpreter'),
        ...optional(mapType(STRING), 'environment'),
      },
      blocks: {},
    },
  ],
  [
    'remote-exec',
    {
      attributes: {
        ...optional(STRING, 'script'),
        ...optional(listType(STRING), 'inline', 'scripts'),
      },
      blocks: {},
    },
  ],
]);

/**
 * Returns a provisioner's error about mutually exclusive arguments, with Terraform's message, which has no source
 * range. Unknown arguments count as set.
 */
export function provisionerProblem(type: string, config: Value): Diagnostic | undefined {
  const count = (...names: readonly string[]): number =>
    names.filter((name) => !config.attr(name).isNull).length;
  if (type === 'remote-exec' && count('inline', 'script', 'scripts') !== 1) {
    return errorDiagnostic(
      'Invalid remote-exec provisioner configuration',
      'Only one of "inline", "script", or "scripts" must be set',
    );
  }
  if (type !== 'file') return undefined;
  const contents = count('source', 'content');
  if (contents === 2) return errorDiagnostic("Cannot set both 'source' and 'content'", '');
  return contents === 1
    ? undefined
    : errorDiagnostic("Must provide one of 'source' or 'content'", '');
}
