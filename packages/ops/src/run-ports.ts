import { BackendFault } from '@terrane/backends';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { RunEvent } from '@terrane/engine';
import type { TextStyle } from '@terrane/render';
import type { Ask } from './ask.ts';

/** The communication of a run with its caller. */
export interface RunPorts {
  /** something happened; called in order, must not throw */
  readonly emit: (event: RunEvent) => void;
  /** warnings about the providers that will do the work, before it begins; without it they come with all others */
  readonly early?: (diagnostics: readonly Diagnostic[]) => void;
  /** without it nothing is asked, and what is not given is missing */
  readonly ask?: Ask;
  /** acquiring or releasing the state lock takes long */
  readonly waiting?: (what: 'lock' | 'unlock') => void;
  /** aborted to end softly: what is under way is awaited */
  readonly signal?: AbortSignal;
  /** aborted to cancel running operations */
  readonly abort?: AbortSignal;
  /** without it, remote runs print nothing and are approved */
  readonly remote?: RemotePorts;
}

/** The output of a remote run. */
export interface RemotePorts {
  /** prints text for people, including its line breaks; colored as `style` specifies */
  readonly print: (text: string) => void;
  /** takes lines of logs that are JSON as they are; without it they are printed for people */
  readonly record?: (line: string) => void;
  readonly style: TextStyle;
  /** asks for approval, and whether to cancel */
  readonly ask: Ask;
  /** allows a prompt for approval */
  readonly input: boolean;
}

/** Ports without output. */
export const SILENT: RunPorts = { emit: () => undefined };

/** A sourceless error of one sentence. */
export function plainError(message: string): Diagnostic {
  return { severity: 'error', summary: message, detail: '' };
}

/** Returns the diagnostic of a user error. */
export function errorOf(error: unknown): Diagnostic {
  if (error instanceof BackendFault) return errorDiagnostic(error.summary, error.detail);
  return plainError(userErrorText(error));
}

/** Errors as one of one sentence, in the way that Terraform's older commands join them. */
export function joinedError(what: string, diagnostics: readonly Diagnostic[]): Diagnostic {
  const texts = diagnostics
    .filter((each) => each.severity === 'error')
    .map((each) => (each.detail === '' ? each.summary : `${each.summary}: ${each.detail}`));
  const joined =
    texts.length === 1
      ? texts[0]
      : `${texts.length} problems:\n${texts.map((text) => `\n- ${text}`).join('')}`;
  return plainError(what === '' ? `${joined}` : `${what}: ${joined}`);
}
