import {
  type BodyContent,
  type BodySchema,
  type Diagnostic,
  parseNative,
  Source,
} from '@terrane/hcl';
import { boundedDiagnostics } from './bounded-diagnostics.ts';

/** Parses a policy or test file and decodes its top level; incomplete if there are errors. */
export function fileContent(
  path: string,
  bytes: Uint8Array,
  schema: BodySchema,
): {
  readonly source: Source;
  readonly content: BodyContent;
  readonly diagnostics: Diagnostic[];
} {
  const source = Source.fromBytes(path, bytes);
  const parsed = parseNative(source);
  const { content, diagnostics } = parsed.body.content(schema);
  return {
    source,
    content,
    diagnostics: [...boundedDiagnostics(path, parsed.diagnostics), ...diagnostics],
  };
}
