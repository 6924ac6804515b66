import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane lsp`. */
export const LSP_FLAGS: {
  readonly trusted: { readonly kind: 'bool'; readonly initial: false };
  readonly stdio: { readonly kind: 'bool'; readonly initial: false };
} = {
  trusted: { kind: 'bool', initial: false },
  stdio: { kind: 'bool', initial: false },
};

/** Parsed command line of `terrane lsp`. */
export type LspFlags = ParsedFlags<FlagValues<typeof LSP_FLAGS>>;
