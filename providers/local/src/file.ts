import { str, STRING } from '@terrane/cty';
import { error, exactlyOneOf, requiresReplace } from '@terrane/provider';
import type {
  AttributeDefinition,
  DataSourceDefinition,
  Fields,
  Outcome,
  ProviderPorts,
  ResourceDefinition,
} from '@terrane/provider';
import { checksumsOf } from './checksums.ts';
import { checkPermission } from './permission.ts';
import { readFailure } from './system-failure.ts';
import { createFile, deleteFile, readFile } from './written-file.ts';

type Ports = Pick<ProviderPorts, 'files'>;

/** `local_file`: a file with a given content. */
export function fileResource({ files }: Ports): ResourceDefinition {
  return {
    description: 'Generates a local file with the given content.',
    attributes: {
      content: {
        type: STRING,
        optional: true,
        description:
          'Content to store in the file, expected to be a UTF-8 encoded string.\n Conflicts with `sensitive_content`, `content_base64` and `source`.\n Exactly one of these four arguments must be specified.',
        validators: [exactlyOneOf('sensitive_content', 'content_base64', 'source')],
        modifiers: [requiresReplace],
      },
      content_base64: {
        type: STRING,
        optional: true,
        description:
          'Content to store in the file, expected to be binary encoded as base64 string.\n Conflicts with `content`, `sensitive_content` and `source`.\n Exactly one of these four arguments must be specified.',
        validators: [exactlyOneOf('content', 'sensitive_content', 'source')],
        modifiers: [requiresReplace],
      },
      content_base64sha256: {
        type: STRING,
        computed: true,
        description: 'Base64 encoded SHA256 checksum of file content.',
      },
      content_base64sha512: {
        type: STRING,
        computed: true,
        description: 'Base64 encoded SHA512 checksum of file content.',
      },
      content_md5: {
        type: STRING,
        computed: true,
        description: 'MD5 checksum of file content.',
      },
      content_sha1: {
        type: STRING,
        computed: true,
        description: 'SHA1 checksum of file content.',
      },
      content_sha256: {
        type: STRING,
        computed: true,
        description: 'SHA256 checksum of file content.',
      },
      content_sha512: {
        type: STRING,
        computed: true,
        description: 'SHA512 checksum of file content.',
      },
      directory_permission: {
        type: STRING,
        optional: true,
        computed: true,
        description:
          'Permissions to set for directories created (before umask), expressed as string in\n [numeric notation](https://en.wikipedia.org/wiki/File-system_permissions#Numeric_notation).\n Default value is `"0777"`.',
        default: str('0777'),
        check: checkPermission,
        modifiers: [requiresReplace],
      },
      file_permission: {
        type: STRING,
        optional: true,
        computed: true,
        description:
          'Permissions to set for the output file (before umask), expressed as string in\n [numeric notation](https://en.wikipedia.org/wiki/File-system_permissions#Numeric_notation).\n Default value is `"0777"`.',
        default: str('0777'),
        check: checkPermission,
        modifiers: [requiresReplace],
      },
      filename: {
        type: STRING,
        required: true,
        description:
          'The path to the file that will be created.\n Missing parent directories will be created.\n If the file already exists, it will be overridden with the given content.',
        modifiers: [requiresReplace],
      },
      id: {
        type: STRING,
        computed: true,
        description: 'The hexadecimal encoding of the SHA1 checksum of the file content.',
      },
      sensitive_content: {
        type: STRING,
        optional: true,
        sensitive: true,
        description:
          'Sensitive content to store in the file, expected to be an UTF-8 encoded string.\n Will not be displayed in diffs.\n Conflicts with `content`, `content_base64` and `source`.\n Exactly one of these four arguments must be specified.\n If in need to use _sensitive_ content, please use the [`local_sensitive_file`](./sensitive_file.html)\n resource instead.',
        deprecationMessage: 'Use the `local_sensitive_file` resource instead',
        validators: [exactlyOneOf('content', 'content_base64', 'source')],
        modifiers: [requiresReplace],
      },
      source: {
        type: STRING,
        optional: true,
        description:
          'Path to file to use as source for the one we are creating.\n Conflicts with `content`, `sensitive_content` and `content_base64`.\n Exactly one of these four arguments must be specified.',
        validators: [exactlyOneOf('content', 'sensitive_content', 'content_base64')],
        modifiers: [requiresReplace],
      },
    },
    create: ({ plan }) => createFile(files, 'local file', plan),
    read: (state) => readFile(files, 'local file', state),
    delete: ({ state }) => deleteFile(files, state),
  };
}

/** `local_sensitive_file`: a file with a secret content. */
export function sensitiveFileResource({ files }: Ports): ResourceDefinition {
  return {
    description: 'Generates a local file with the given sensitive content.',
    attributes: {
      content: {
        type: STRING,
        optional: true,
        sensitive: true,
        description:
          'Sensitive Content to store in the file, expected to be a UTF-8 encoded string.\n Conflicts with `content_base64` and `source`.\n Exactly one of these three arguments must be specified.',
        validators: [exactlyOneOf('content_base64', 'source')],
        modifiers: [requiresReplace],
      },
      content_base64: {
        type: STRING,
        optional: true,
        sensitive: true,
        description:
          'Sensitive Content to store in the file, expected to be binary encoded as base64 string.\n Conflicts with `content` and `source`.\n Exactly one of these three arguments must be specified.',
        validators: [exactlyOneOf('content', 'source')],
        modifiers: [requiresReplace],
      },
      content_base64sha256: {
        type: STRING,
        computed: true,
        description: 'Base64 encoded SHA256 checksum of file content.',
      },
      content_base64sha512: {
        type: STRING,
        computed: true,
        description: 'Base64 encoded SHA512 checksum of file content.',
      },
      content_md5: {
        type: STRING,
        computed: true,
        description: 'MD5 checksum of file content.',
      },
      content_sha1: {
        type: STRING,
        computed: true,
        description: 'SHA1 checksum of file content.',
      },
      content_sha256: {
        type: STRING,
        computed: true,
        description: 'SHA256 checksum of file content.',
      },
      content_sha512: {
        type: STRING,
        computed: true,
        description: 'SHA512 checksum of file content.',
      },
      directory_permission: {
        type: STRING,
        optional: true,
        computed: true,
        description:
          'Permissions to set for directories created (before umask), expressed as string in\n [numeric notation](https://en.wikipedia.org/wiki/File-system_permissions#Numeric_notation).\n Default value is `"0700"`.',
        default: str('0700'),
        check: checkPermission,
        modifiers: [requiresReplace],
      },
      file_permission: {
        type: STRING,
        optional: true,
        computed: true,
        description:
          'Permissions to set for the output file (before umask), expressed as string in\n [numeric notation](https://en.wikipedia.org/wiki/File-system_permissions#Numeric_notation).\n Default value is `"0700"`.',
        default: str('0700'),
        check: checkPermission,
        modifiers: [requiresReplace],
      },
      filename: {
        type: STRING,
        required: true,
        description:
          'The path to the file that will be created.\n Missing parent directories will be created.\n If the file already exists, it will be overridden with the given content.',
        modifiers: [requiresReplace],
      },
      id: {
        type: STRING,
        computed: true,
        description: 'The hexadecimal encoding of the SHA1 checksum of the file content.',
      },
      source: {
        type: STRING,
        optional: true,
        description:
          'Path to file to use as source for the one we are creating.\n Conflicts with `content` and `content_base64`.\n Exactly one of these three arguments must be specified.',
        validators: [exactlyOneOf('content', 'content_base64')],
        modifiers: [requiresReplace],
      },
    },
    create: ({ plan }) => createFile(files, 'local sensitive file', plan),
    read: (state) => readFile(files, 'local sensitive file', state),
    delete: ({ state }) => deleteFile(files, state),
  };
}

/** The data source `local_file`. */
export function fileData({ files }: Ports): DataSourceDefinition {
  return {
    description: 'Reads a file from the local filesystem.',
    attributes: contentAttributes(false),
    read: (config) => readContent(files, config),
  };
}

/** The data source `local_sensitive_file`. */
export function sensitiveFileData({ files }: Ports): DataSourceDefinition {
  return {
    description: 'Reads a file that contains sensitive data, from the local filesystem.',
    attributes: contentAttributes(true),
    read: (config) => readContent(files, config),
  };
}

/** The path that is read and what is found there. */
function contentAttributes(isSensitive: boolean): Readonly<Record<string, AttributeDefinition>> {
  const hidden = isSensitive ? { sensitive: true } : {};
  return {
    content: {
      type: STRING,
      computed: true,
      ...hidden,
      description: `Raw content of the file that was read, as UTF-8 encoded string. Files that do not contain UTF-8 text will have invalid UTF-8 sequences in \`content\`\n  replaced with the Unicode replacement character.${isSensitive ? '' : ' '}`,
    },
    content_base64: {
      type: STRING,
      computed: true,
      ...hidden,
      description:
        'Base64 encoded version of the file content (use this when dealing with binary data).',
    },
    content_base64sha256: {
      type: STRING,
      computed: true,
      description: 'Base64 encoded SHA256 checksum of file content.',
    },
    content_base64sha512: {
      type: STRING,
      computed: true,
      description: 'Base64 encoded SHA512 checksum of file content.',
    },
    content_md5: {
      type: STRING,
      computed: true,
      description: 'MD5 checksum of file content.',
    },
    content_sha1: {
      type: STRING,
      computed: true,
      description: 'SHA1 checksum of file content.',
    },
    content_sha256: {
      type: STRING,
      computed: true,
      description: 'SHA256 checksum of file content.',
    },
    content_sha512: {
      type: STRING,
      computed: true,
      description: 'SHA512 checksum of file content.',
    },
    filename: {
      type: STRING,
      required: true,
      description:
        'Path to the file that will be read. The data source will return an error if the file does not exist.',
    },
    id: {
      type: STRING,
      computed: true,
      description: 'The hexadecimal encoding of the SHA1 checksum of the file content.',
    },
  };
}

async function readContent(files: Ports['files'], config: Fields): Promise<Outcome> {
  const path = config.string('filename') ?? '';
  try {
    const content = Buffer.from(await files.readFile(path));
    return {
      state: config.with({
        ...checksumsOf(content),
        content: content.toString('utf8'),
        content_base64: content.toString('base64'),
      }),
    };
  } catch (cause) {
    const detail = `The file at given path cannot be read.\n\n+Original Error: ${readFailure(path, cause)}`;
    return { diagnostics: [error('Read local file data source error', detail)] };
  }
}
