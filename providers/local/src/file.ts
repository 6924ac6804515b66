import type { ProviderPorts } from '@terrane/provider';
import {
  dataSource,
  exactlyOneOf,
  gone,
  ProviderError,
  resource,
  string,
} from '@terrane/provider/sdk';
import type { DataSource, Resource } from '@terrane/provider/sdk';
import { CHECKSUMS, checksumsOf } from './checksums.ts';
import { permission } from './permission.ts';
import { readFailure } from './system-failure.ts';
import { createFile, deleteFile, isAsWritten } from './written-file.ts';

type Ports = Pick<ProviderPorts, 'files'>;

/** Attributes for the path and the permissions of a file, shared by both resources. */
function pathAttributes(defaultMode: string) {
  return {
    directory_permission: permission({
      optional: true,
      computed: true,
      description: `Permissions to set for directories created (before umask), expressed as string in\n [numeric notation](https://en.wikipedia.org/wiki/File-system_permissions#Numeric_notation).\n Default value is \`"${defaultMode}"\`.`,
      default: defaultMode,
      requiresReplace: true,
    }),
    file_permission: permission({
      optional: true,
      computed: true,
      description: `Permissions to set for the output file (before umask), expressed as string in\n [numeric notation](https://en.wikipedia.org/wiki/File-system_permissions#Numeric_notation).\n Default value is \`"${defaultMode}"\`.`,
      default: defaultMode,
      requiresReplace: true,
    }),
    filename: string({
      required: true,
      description:
        'The path to the file that will be created.\n Missing parent directories will be created.\n If the file already exists, it will be overridden with the given content.',
      requiresReplace: true,
    }),
    id: string({
      computed: true,
      description: 'The hexadecimal encoding of the SHA1 checksum of the file content.',
    }),
  };
}

/** `local_file`: a file with a given content. */
export function fileResource({ files }: Ports): Resource {
  return resource({
    description: 'Generates a local file with the given content.',
    attributes: {
      content: string({
        optional: true,
        description:
          'Content to store in the file, expected to be a UTF-8 encoded string.\n Conflicts with `sensitive_content`, `content_base64` and `source`.\n Exactly one of these four arguments must be specified.',
        validators: [exactlyOneOf('sensitive_content', 'content_base64', 'source')],
        requiresReplace: true,
      }),
      content_base64: string({
        optional: true,
        description:
          'Content to store in the file, expected to be binary encoded as base64 string.\n Conflicts with `content`, `sensitive_content` and `source`.\n Exactly one of these four arguments must be specified.',
        validators: [exactlyOneOf('content', 'sensitive_content', 'source')],
        requiresReplace: true,
      }),
      ...CHECKSUMS,
      ...pathAttributes('0777'),
      sensitive_content: string({
        optional: true,
        sensitive: true,
        description:
          'Sensitive content to store in the file, expected to be an UTF-8 encoded string.\n Will not be displayed in diffs.\n Conflicts with `content`, `content_base64` and `source`.\n Exactly one of these four arguments must be specified.\n If in need to use _sensitive_ content, please use the [`local_sensitive_file`](./sensitive_file.html)\n resource instead.',
        deprecationMessage: 'Use the `local_sensitive_file` resource instead',
        validators: [exactlyOneOf('content', 'content_base64', 'source')],
        requiresReplace: true,
      }),
      source: string({
        optional: true,
        description:
          'Path to file to use as source for the one we are creating.\n Conflicts with `content`, `sensitive_content` and `content_base64`.\n Exactly one of these four arguments must be specified.',
        validators: [exactlyOneOf('content', 'sensitive_content', 'content_base64')],
        requiresReplace: true,
      }),
    },
    create: async ({ plan }) => ({ ...plan, ...(await createFile(files, 'local file', plan)) }),
    read: async ({ state }) => ((await isAsWritten(files, 'local file', state)) ? state : gone),
    delete: ({ state }) => deleteFile(files, state),
  });
}

/** `local_sensitive_file`: a file with a secret content. */
export function sensitiveFileResource({ files }: Ports): Resource {
  return resource({
    description: 'Generates a local file with the given sensitive content.',
    attributes: {
      content: string({
        optional: true,
        sensitive: true,
        description:
          'Sensitive Content to store in the file, expected to be a UTF-8 encoded string.\n Conflicts with `content_base64` and `source`.\n Exactly one of these three arguments must be specified.',
        validators: [exactlyOneOf('content_base64', 'source')],
        requiresReplace: true,
      }),
      content_base64: string({
        optional: true,
        sensitive: true,
        description:
          'Sensitive Content to store in the file, expected to be binary encoded as base64 string.\n Conflicts with `content` and `source`.\n Exactly one of these three arguments must be specified.',
        validators: [exactlyOneOf('content', 'source')],
        requiresReplace: true,
      }),
      ...CHECKSUMS,
      ...pathAttributes('0700'),
      source: string({
        optional: true,
        description:
          'Path to file to use as source for the one we are creating.\n Conflicts with `content` and `content_base64`.\n Exactly one of these three arguments must be specified.',
        validators: [exactlyOneOf('content', 'content_base64')],
        requiresReplace: true,
      }),
    },
    create: async ({ plan }) => ({
      ...plan,
      ...(await createFile(files, 'local sensitive file', plan)),
    }),
    read: async ({ state }) =>
      (await isAsWritten(files, 'local sensitive file', state)) ? state : gone,
    delete: ({ state }) => deleteFile(files, state),
  });
}

/** The data source `local_file`. */
export function fileData({ files }: Ports): DataSource {
  return dataSource({
    description: 'Reads a file from the local filesystem.',
    attributes: contentAttributes(false),
    read: async ({ config }) => ({ ...config, ...(await readContent(files, config.filename)) }),
  });
}

/** The data source `local_sensitive_file`. */
export function sensitiveFileData({ files }: Ports): DataSource {
  return dataSource({
    description: 'Reads a file that contains sensitive data, from the local filesystem.',
    attributes: contentAttributes(true),
    read: async ({ config }) => ({ ...config, ...(await readContent(files, config.filename)) }),
  });
}

/** The path and the content attributes. */
function contentAttributes(isSensitive: boolean) {
  return {
    content: string({
      computed: true,
      sensitive: isSensitive,
      description: `Raw content of the file that was read, as UTF-8 encoded string. Files that do not contain UTF-8 text will have invalid UTF-8 sequences in \`content\`\n  replaced with the Unicode replacement character.${isSensitive ? '' : ' '}`,
    }),
    content_base64: string({
      computed: true,
      sensitive: isSensitive,
      description:
        'Base64 encoded version of the file content (use this when dealing with binary data).',
    }),
    ...CHECKSUMS,
    filename: string({
      required: true,
      description:
        'Path to the file that will be read. The data source will return an error if the file does not exist.',
    }),
    id: string({
      computed: true,
      description: 'The hexadecimal encoding of the SHA1 checksum of the file content.',
    }),
  };
}

async function readContent(files: Ports['files'], path: string) {
  try {
    const content = Buffer.from(await files.readFile(path));
    return {
      ...checksumsOf(content),
      content: content.toString('utf8'),
      content_base64: content.toString('base64'),
    };
  } catch (cause) {
    const detail = `The file at given path cannot be read.\n\n+Original Error: ${readFailure(path, cause)}`;
    throw new ProviderError('Read local file data source error', detail);
  }
}
