import { errorDiagnostic, type Block, type Diagnostic, type Range } from '@terrane/hcl';

/** The error for a second block where only one is allowed; `detail` receives the position of the first. */
export interface DuplicateMessage {
  readonly summary: string;
  detail(first: Range): string;
}

/** The message for a second block where one is allowed. */
export function duplicateOf(type: string, owner: string): DuplicateMessage {
  return {
    summary: `Duplicate ${type} block`,
    detail: (first) => `${owner} already has a ${type} block at ${first}.`,
  };
}

/** The message for a second `_` block. */
export function duplicateEscape(asWhat: string, owner: string): DuplicateMessage {
  return {
    summary: 'Duplicate escaping block',
    detail: (first) =>
      `The special block type "_" can be used to force particular arguments to be interpreted as ${asWhat} rather than as meta-arguments, but each ${owner} block can have only one such block. The first escaping block was at ${first}.`,
  };
}

/** Remembers the first block of each type and reports the others. */
export function isFirst(
  block: Block,
  firstBlocks: Map<string, Block>,
  message: DuplicateMessage,
  diagnostics: Diagnostic[],
): boolean {
  const first = firstBlocks.get(block.type);
  if (first === undefined) {
    firstBlocks.set(block.type, block);
    return true;
  }
  diagnostics.push(
    errorDiagnostic(message.summary, message.detail(first.defRange), block.defRange),
  );
  return false;
}

/** Reports a reserved block type. */
export function reportReservedBlock(block: Block, owner: string, diagnostics: Diagnostic[]): void {
  diagnostics.push(
    errorDiagnostic(
      `Reserved block type name in ${owner} block`,
      `The block type name "${block.type}" is reserved for use by Terraform in a future version.`,
      block.typeRange,
    ),
  );
}
