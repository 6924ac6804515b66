// Schemas read from the package with the published schemas.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPublishedPackage, publishedPackage, unpackPublished } from './published-package.ts';
import { type PublishedPart, publishedSchema } from './published-schema.ts';

// On a machine that tests everything, a package that can't be had is a failure.
if (process.env['CI'] === 'true') fetchPublishedPackage();
const file = publishedPackage();

describe.skipIf(file === undefined)('published schemas (scripts/install-aws-schemas.sh)', () => {
  const directory = mkdtempSync(join(tmpdir(), 'terrane-aws-schemas-'));
  let library = '';
  beforeAll(() => {
    const folders = ['provider', 'sqs-queue', 'security-group', 'instance', 'data-aws-ami'];
    if (file !== undefined) library = unpackPublished(file, folders, directory);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const parts = (folder: string): ReadonlyMap<string, PublishedPart> =>
    new Map(publishedSchema(library, folder).map((part) => [part.name, part]));
  const tells = (part: PublishedPart | undefined): unknown => {
    if (part === undefined) return undefined;
    const { required, optional, computed, shape } = part;
    const flags = [required && 'required', optional && 'optional', computed && 'computed'];
    const { kind } = shape;
    const rest = kind === 'value' ? [shape.type] : [shape.form, shape.nesting, shape.maxItems];
    return [...flags, ...rest].filter(Boolean).join(' ');
  };

  it('are those of arguments and computed attributes', () => {
    const queue = parts('sqs-queue');
    expect(queue.size).toBe(24);
    expect(tells(queue.get('arn'))).toBe('computed string');
    expect(tells(queue.get('delay_seconds'))).toBe('optional number');
    expect(tells(queue.get('tags_all'))).toBe('optional computed map(string)');
    expect(tells(queue.get('timeouts'))).toBe('optional either single');
    expect(tells(parts('data-aws-ami').get('block_device_mappings'))).toBe(
      'computed attribute set',
    );
  });

  it('are those of blocks, and of arguments that can be written as blocks', () => {
    const instance = parts('instance');
    expect(tells(instance.get('root_block_device'))).toBe('optional block list 1');
    expect(tells(instance.get('ebs_block_device'))).toBe('optional block set');
    expect(tells(parts('security-group').get('ingress'))).toBe('optional computed attribute set');
  });

  it('are those of the configuration of the provider', () => {
    const provider = parts('provider');
    expect(tells(provider.get('max_retries'))).toBe('optional number');
    const { shape } = provider.get('assume_role') ?? {};
    expect(shape?.kind === 'objects' && shape.parts.map(({ name }) => name)).toContain('role_arn');
  });
});
